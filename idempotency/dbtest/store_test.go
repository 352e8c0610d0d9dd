package dbtest

import (
	"testing"

	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
	"github.com/kindgi/kindgi-go/idempotency/storetest"
)

func TestStoreKeepsTheRules(t *testing.T) {
	forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
		store, _ := newStore(t, dialect)
		storetest.Run(t, store)
		storetest.RunTx(t, store)
	})
}
