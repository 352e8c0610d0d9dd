package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

// limit bounds each case: a store that hangs fails instead of hanging the test.
const limit = time.Minute

// testCase is one thing that a store must do.
type testCase struct {
	name  string
	rules string // the rules of idempotency.Store it checks
	why   string // what goes wrong in practice when it fails
	check func(ctx context.Context, s subject) error
}

// subject is the store under test with a tenant that no other case uses.
type subject struct {
	idempotency.Store
	tenant string
}

// key gives a key of the subject's tenant.
func (s subject) key(id string) idempotency.Key {
	return idempotency.Key{Tenant: s.tenant, ID: id, Fingerprint: "input"}
}

// run runs one case and says in the error which rule failed and why it matters.
func (c testCase) run(ctx context.Context, store idempotency.Store, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := c.check(ctx, subject{Store: store, tenant: "storetest-" + rand.Text()}); err != nil {
		return fmt.Errorf("%s (rules %s): %w\n\tit matters because %s", c.name, c.rules, err, c.why)
	}
	return nil
}

// Check reports every rule of [idempotency.Store] that store does not keep, joined into one error. It
// takes a few seconds at most for a sound store, and ends early when ctx does.
func Check(ctx context.Context, store idempotency.Store) error {
	return runAll(ctx, store, cases(), limit)
}

// Run runs every case of [Check] as a subtest of t.
func Run(t *testing.T, store idempotency.Store) {
	t.Helper()
	runEach(t, store, cases())
}

// CheckTx reports every rule of [idempotency.TxStore] beyond those of [Check] that store does not keep.
func CheckTx[Tx any](ctx context.Context, store idempotency.TxStore[Tx]) error {
	return runAll(ctx, store, txCases(store), limit)
}

// RunTx runs every case of [CheckTx] as a subtest of t.
func RunTx[Tx any](t *testing.T, store idempotency.TxStore[Tx]) {
	t.Helper()
	runEach(t, store, txCases(store))
}

// runAll runs every case, each for at most limit, and joins their errors.
func runAll(ctx context.Context, store idempotency.Store, cases []testCase, limit time.Duration) error {
	var problems []error
	for _, c := range cases {
		problems = append(problems, c.run(ctx, store, limit))
	}
	return errors.Join(problems...)
}

// runEach runs every case as a subtest.
func runEach(t *testing.T, store idempotency.Store, cases []testCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), store, limit); err != nil {
				t.Error(err)
			}
		})
	}
}
