//go:build unix

package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

var txKey = idempotency.Key{Tenant: "acme", ID: "a", Fingerprint: "input"}

// ledger is a database with a store and a table that the work writes to.
type ledger struct {
	*sqlstore.Store
	db *sql.DB
}

func newLedger(t *testing.T, d database, options sqlstore.Options) ledger {
	t.Helper()
	store, db := openStore(t, d, options)
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS entries (text text NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	return ledger{store, db}
}

// enter is work that writes one entry and then goes on with then.
func enter(text string, then func(ctx context.Context) error) func(context.Context, *sql.Tx) (string, error) {
	return func(ctx context.Context, tx *sql.Tx) (string, error) {
		if _, err := tx.ExecContext(ctx, "INSERT INTO entries (text) VALUES ($1)", text); err != nil {
			return "", err
		}
		return text, then(ctx)
	}
}

func succeed(context.Context) error { return nil }

// entries gives the number of entries.
func (l ledger) entries(t *testing.T) (n int) {
	t.Helper()
	if err := l.db.QueryRowContext(t.Context(), "SELECT count(*) FROM entries").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDoTxCommitsEffectAndRecord(t *testing.T) {
	forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
		l := newLedger(t, newDatabase(t, dialect), sqlstore.Options{})
		for _, text := range []string{"first", "second", "third"} {
			got, err := idempotency.DoTx(t.Context(), l, txKey, enter(text, succeed))
			if err := expectResult("first", got, err); err != nil {
				t.Error(err)
			}
		}
		if n := l.entries(t); n != 1 {
			t.Errorf("%d entries", n)
		}
	})
}

// TestDoTxRollsBack checks each way in which the work can fail: its entry is gone, and the next call
// makes its own, or gets the failure where that was recorded.
func TestDoTxRollsBack(t *testing.T) {
	failure := errors.New("failure")
	for _, test := range []struct {
		name     string
		call     func(t *testing.T, l ledger) error
		want     error // what call's error matches
		recorded bool
	}{
		{name: "after an error", want: failure, call: func(t *testing.T, l ledger) error {
			_, err := idempotency.DoTx(t.Context(), l, txKey, enter("lost", func(context.Context) error { return failure }))
			return err
		}},
		{name: "after a permanent error", want: failure, recorded: true, call: func(t *testing.T, l ledger) error {
			_, err := idempotency.DoTx(t.Context(), l, txKey, enter("lost", func(context.Context) error { return idempotency.Permanent(failure) }))
			return err
		}},
		{name: "after a panic", want: failure, call: func(t *testing.T, l ledger) (err error) {
			defer func() { err, _ = recover().(error) }()
			_, err = idempotency.DoTx(t.Context(), l, txKey, enter("lost", func(context.Context) error { panic(failure) }))
			return err
		}},
		{name: "when the caller has gone", want: context.Canceled, call: func(t *testing.T, l ledger) error {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := idempotency.DoTx(ctx, l, txKey, enter("lost", func(context.Context) error { cancel(); return nil }))
			return err
		}},
		{name: "when the result cannot be encoded", want: failure, call: func(t *testing.T, l ledger) error {
			_, err := idempotency.DoTx(t.Context(), l, txKey, enter("lost", succeed), idempotency.WithEncoding(
				func(any) ([]byte, error) { return nil, failure }, func([]byte, any) error { return nil }))
			return err
		}},
		{name: "when the result cannot be decoded", want: failure, call: func(t *testing.T, l ledger) error {
			_, err := idempotency.DoTx(t.Context(), l, txKey, enter("lost", succeed), idempotency.WithEncoding(
				func(any) ([]byte, error) { return nil, nil }, func([]byte, any) error { return failure }))
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
				l := newLedger(t, newDatabase(t, dialect), sqlstore.Options{})
				if err := expect(test.want, test.call(t, l)); err != nil {
					t.Error(err)
				}
				if n := l.entries(t); n != 0 {
					t.Fatalf("%d entries after a rollback", n)
				}
				got, err := idempotency.DoTx(t.Context(), l, txKey, enter("next", succeed), idempotency.WithMaxWait(0))
				want := 1
				if test.recorded {
					want = 0
					if _, ok := errors.AsType[*idempotency.PermanentError](err); !ok {
						t.Errorf("the next call got %q, error %v", got, err)
					}
				} else if err := expectResult("next", got, err); err != nil {
					t.Errorf("the next call: %v", err)
				}
				if n := l.entries(t); n != want {
					t.Errorf("%d entries, want %d", n, want)
				}
			})
		})
	}
}

// TestDoTxOfAnOwnerThatLostItsLease lets an owner that was cut off from the store go on after another
// one took its key: its transaction must not commit.
func TestDoTxOfAnOwnerThatLostItsLease(t *testing.T) {
	d := newDatabase(t, sqlstore.PostgreSQL) // in SQLite nobody can take a key while a transaction writes
	l, other := newLedger(t, d, sqlstore.Options{}), newLedger(t, d, sqlstore.Options{})
	cutOff := unrenewable{l.Store}
	_, err := idempotency.DoTx(t.Context(), cutOff, txKey, enter("lost", func(context.Context) error {
		got, err := idempotency.DoTx(t.Context(), other, txKey, enter("current", succeed))
		return expectResult("current", got, err)
	}), idempotency.WithLease(50*time.Millisecond))
	if err := expect(idempotency.ErrLeaseLost, err); err != nil {
		t.Error(err)
	}
	got, err := idempotency.DoTx(t.Context(), l, txKey, enter("next", succeed))
	if err := expectResult("current", got, err); err != nil {
		t.Error(err)
	}
	if n := l.entries(t); n != 1 {
		t.Errorf("%d entries", n)
	}
}

// unrenewable is a store that its owner cannot reach to renew a lease.
type unrenewable struct{ *sqlstore.Store }

func (unrenewable) Renew(context.Context, idempotency.Claim, idempotency.Terms) error {
	return errors.New("no route to the database")
}

// renewals is a store that tells of each renewal, before it and after it.
type renewals struct {
	*sqlstore.Store
	asked, done chan struct{}
}

func watchRenewals(store *sqlstore.Store) renewals {
	return renewals{store, make(chan struct{}, 100), make(chan struct{}, 100)}
}

func (r renewals) Renew(ctx context.Context, claim idempotency.Claim, terms idempotency.Terms) error {
	r.asked <- struct{}{}
	err := r.Store.Renew(ctx, claim, terms)
	if err == nil {
		r.done <- struct{}{}
	}
	return err
}

// TestDoTxLongerThanItsLease checks that renewals and the transaction do not get in each other's way. In
// SQLite a transaction that writes keeps every renewal out, so its lease must be longer than it.
func TestDoTxLongerThanItsLease(t *testing.T) {
	d := newDatabase(t, sqlstore.PostgreSQL)
	l, other := newLedger(t, d, sqlstore.Options{}), newLedger(t, d, sqlstore.Options{})
	watched := watchRenewals(l.Store)
	got, err := idempotency.DoTx(t.Context(), watched, txKey, enter("first", func(ctx context.Context) error {
		for range 4 { // each after a third of the lease
			select {
			case <-watched.done:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			_, err := idempotency.DoTx(ctx, other, txKey, enter("second", succeed), idempotency.WithMaxWait(0))
			if err := expect(idempotency.ErrInProgress, err); err != nil {
				t.Error(err)
			}
		}
		return nil
	}), idempotency.WithLease(2*time.Second))
	if err := expectResult("first", got, err); err != nil {
		t.Error(err)
	}
	if n := l.entries(t); n != 1 {
		t.Errorf("%d entries", n)
	}
}

// TestDoTxWithOneConnection checks that a pool of one connection works as long as the lease lasts: the
// renewal waits for the connection that the transaction has.
func TestDoTxWithOneConnection(t *testing.T) {
	forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
		l := newLedger(t, newDatabase(t, dialect), sqlstore.Options{})
		l.db.SetMaxOpenConns(1)
		watched := watchRenewals(l.Store)
		got, err := idempotency.DoTx(t.Context(), watched, txKey, enter("first", func(context.Context) error {
			<-watched.asked
			return nil
		}), idempotency.WithLease(5*time.Second))
		if err := expectResult("first", got, err); err != nil {
			t.Error(err)
		}
	})
}

// TestDoTxIsolation checks the isolation that the options ask for, and that work short of a renewal
// commits in the strictest.
func TestDoTxIsolation(t *testing.T) {
	l := newLedger(t, newDatabase(t, sqlstore.PostgreSQL), sqlstore.Options{Tx: &sql.TxOptions{Isolation: sql.LevelSerializable}})
	got, err := idempotency.DoTx(t.Context(), l, txKey, func(ctx context.Context, tx *sql.Tx) (level string, err error) {
		err = tx.QueryRowContext(ctx, "SHOW transaction_isolation").Scan(&level)
		return level, err
	})
	if err := expectResult("serializable", got, err); err != nil {
		t.Error(err)
	}
}

// TestDoTxInOnesOwnTransaction records in a transaction that the store did not begin.
func TestDoTxInOnesOwnTransaction(t *testing.T) {
	forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
		l := newLedger(t, newDatabase(t, dialect), sqlstore.Options{})
		terms := idempotency.Terms{Lease: time.Minute}
		record, acquired, err := l.Acquire(t.Context(), txKey, terms)
		if err != nil || !acquired {
			t.Fatalf("acquired %t, error %v", acquired, err)
		}
		tx, err := l.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enter("first", succeed)(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
		outcome := idempotency.Outcome{State: idempotency.Succeeded, Result: []byte(`"first"`)}
		if err := l.CompleteTx(t.Context(), tx, record.Claim(), outcome, terms); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		got, err := idempotency.DoTx(t.Context(), l, txKey, enter("second", succeed))
		if err := expectResult("first", got, err); err != nil {
			t.Error(err)
		}
	})
}

// TestTransactTakesTheWriteLock lets another connection write between what a transaction reads and what
// it writes. In SQLite a transaction that began as a reader would then fail.
func TestTransactTakesTheWriteLock(t *testing.T) {
	d := newDatabase(t, sqlstore.SQLite)
	l, other := newLedger(t, d, sqlstore.Options{}), newLedger(t, d, sqlstore.Options{})
	wrote := make(chan error, 1)
	err := l.Transact(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM entries").Scan(&n); err != nil {
			return err
		}
		go func() {
			_, _, err := other.Acquire(t.Context(), txKey, idempotency.Terms{Lease: time.Minute})
			wrote <- err
		}()
		select {
		case err := <-wrote:
			return errors.Join(errors.New("another connection wrote during the transaction"), err)
		case <-time.After(100 * time.Millisecond): // time for it to try; a sound store passes without it, too
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO entries (text) VALUES ('a')")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
}
