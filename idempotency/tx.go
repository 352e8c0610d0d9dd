package idempotency

import (
	"context"
	"fmt"
)

// DoTx is [Do] for work that writes to the database that also holds the records: fn gets a transaction,
// and what it writes there commits together with the record or not at all. Whatever crashes when, the
// effect is there exactly when the record is, and both exactly once. Tx is the transaction type of the
// store, such as *sql.Tx.
//
// What Do's documentation says holds for DoTx, with these differences:
//
//   - fn must write through tx only, and must neither commit nor roll it back.
//   - When fn returns an error or panics, tx rolls back. That includes an error marked with [Permanent]:
//     only the failure is recorded then.
//   - A result that cannot be encoded rolls back, too, and is not recorded.
//   - A lost lease rolls back: of several owners only the one that still has the key commits.
//   - When ctx ends, tx rolls back.
//   - When the answer to the commit is lost, the error does not tell whether it happened. The next call
//     of the key does.
//
// The lease is renewed on another connection than the transaction's, so the pool must have two, or the
// lease must be longer than fn takes.
func DoTx[Tx, T any](ctx context.Context, store TxStore[Tx], key Key, fn func(context.Context, Tx) (T, error), options ...Option) (T, error) {
	var zero, value T
	c, err := newCall(store, key, options)
	if err != nil {
		return zero, err
	}
	if fn == nil {
		return zero, errNoWork
	}
	c.work = func(ctx context.Context, claim Claim) (outcome Outcome, recorded bool, err error) {
		err = store.Transact(ctx, func(ctx context.Context, tx Tx) error {
			result, err := fn(ctx, tx)
			if err != nil {
				return err
			}
			encoded, decoded, err := throughRecord(&c.settings, result)
			if err != nil {
				return err
			}
			value = decoded
			outcome = Outcome{State: Succeeded, Result: encoded}
			if err := store.CompleteTx(ctx, tx, claim, outcome, c.terms); err != nil {
				return fmt.Errorf("idempotency: key %q: the outcome was not recorded: %w", key.ID, err)
			}
			return nil
		})
		return outcome, err == nil, err
	}
	return give(ctx, c, &value)
}
