package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindgi/kindgi-go/idempotency"
)

// txCases gives what a store with transactions must do beside [cases].
func txCases[Tx any](store idempotency.TxStore[Tx]) []testCase {
	tx := txStore[Tx]{store}
	return []testCase{
		{"a commit records", "19, 20", "the effect would be there without its record", tx.checkCommit},
		{"an error rolls back", "19, 20", "a record would say that something happened which did not", tx.checkRollback},
		{"a panic rolls back", "19, 20", "a transaction would stay open and keep its locks", tx.checkPanic},
		{"a lost claim does not commit", "20, 21", "two owners would both have their effect", tx.checkLost},
		{"one of two owners commits", "21", "two owners would both have their effect", tx.checkBoth},
	}
}

type txStore[Tx any] struct{ store idempotency.TxStore[Tx] }

var errRollBack = errors.New("roll back")

// complete completes claim in a transaction that ends as fn's result says.
func (t txStore[Tx]) complete(ctx context.Context, claim idempotency.Claim, result string, end func() error) error {
	return t.store.Transact(ctx, func(ctx context.Context, tx Tx) error {
		if err := t.store.CompleteTx(ctx, tx, claim, succeeded(result), idempotency.Terms{Lease: long}); err != nil {
			return err
		}
		return end()
	})
}

func commit() error { return nil }

func (t txStore[Tx]) checkCommit(ctx context.Context, s subject) error {
	key := s.key("commit")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if err := t.complete(ctx, claim, "result", commit); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("result"))
}

func (t txStore[Tx]) checkRollback(ctx context.Context, s subject) error {
	key := s.key("rollback")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	err = t.complete(ctx, claim, "result", func() error { return errRollBack })
	if !errors.Is(err, errRollBack) {
		return fmt.Errorf("from Transact came the error %v, want its function's", err)
	}
	return t.expectStillRunning(ctx, s, claim)
}

// expectStillRunning checks that a transaction left no trace, and that the claim still works.
func (t txStore[Tx]) expectStillRunning(ctx context.Context, s subject, claim idempotency.Claim) error {
	record, err := s.find(ctx, claim.Key)
	if err != nil {
		return err
	}
	if record.State != idempotency.Running || record.Token != claim.Token {
		return fmt.Errorf("after a rollback the record is %s, want the running one", describe(record))
	}
	if err := t.complete(ctx, claim, "after the rollback", commit); err != nil {
		return err
	}
	return s.expectOutcome(ctx, claim.Key, succeeded("after the rollback"))
}

func (t txStore[Tx]) checkPanic(ctx context.Context, s subject) error {
	claim, err := s.acquire(ctx, s.key("panic"), idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if got := t.panics(ctx, claim); got != errRollBack {
		return fmt.Errorf("a panic of the function left Transact as %v, want itself", got)
	}
	return t.expectStillRunning(ctx, s, claim)
}

func (t txStore[Tx]) panics(ctx context.Context, claim idempotency.Claim) (got any) {
	defer func() { got = recover() }()
	err := t.complete(ctx, claim, "result", func() error { panic(errRollBack) })
	return fmt.Sprintf("no panic but the error %v", err)
}

func (t txStore[Tx]) checkLost(ctx context.Context, s subject) error {
	key := s.key("tx-lost")
	lost, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	current, err := s.acquireSoon(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if err := expectLost("CompleteTx", t.complete(ctx, lost, "lost", commit)); err != nil {
		return err
	}
	if err := t.complete(ctx, current, "current", commit); err != nil {
		return err
	}
	if err := expectLost("CompleteTx", t.complete(ctx, lost, "lost", commit)); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("current"))
}

// checkBoth lets another caller acquire the key while a transaction that completed it is still open.
// Whichever of the two the store prefers, the record must be one owner's alone.
func (t txStore[Tx]) checkBoth(ctx context.Context, s subject) error {
	key := s.key("both")
	first, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	if err := s.leaseOver(ctx, key); err != nil {
		return err
	}
	type answer struct {
		record   idempotency.Record
		acquired bool
		err      error
	}
	answers := make(chan answer, 1)
	firstErr := t.complete(ctx, first, "first", func() error {
		go func() {
			record, acquired, err := s.Acquire(ctx, key, idempotency.Terms{Lease: long})
			answers <- answer{record, acquired, err}
		}()
		return tick(ctx) // time for the other caller to reach the store; the checks hold without it, too
	})
	second := <-answers
	if second.err != nil {
		return second.err
	}
	if !second.acquired {
		if firstErr != nil {
			return fmt.Errorf("neither owner could record: %w", firstErr)
		}
		return s.expectOutcome(ctx, key, succeeded("first"))
	}
	if firstErr == nil {
		return errors.New("a key was acquired although a transaction that completed it committed")
	}
	if err := t.complete(ctx, second.record.Claim(), "second", commit); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("second"))
}
