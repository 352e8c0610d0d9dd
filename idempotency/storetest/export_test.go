package storetest

import (
	"context"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

// CheckWithin is Check with another bound for each case.
func CheckWithin(ctx context.Context, store idempotency.Store, limit time.Duration) error {
	return runAll(ctx, store, cases(), limit)
}

// CheckTxWithin is CheckTx with another bound for each case.
func CheckTxWithin[Tx any](ctx context.Context, store idempotency.TxStore[Tx], limit time.Duration) error {
	return runAll(ctx, store, txCases(store), limit)
}
