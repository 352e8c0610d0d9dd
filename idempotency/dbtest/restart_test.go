//go:build unix

package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

// TestServerRestartsInTheMiddle kills one of the server's processes while work runs, whereupon the server ends
// every connection and recovers. What was done is recorded once the server is back, and what was to commit
// with its record did so or did not.
func TestServerRestartsInTheMiddle(t *testing.T) {
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run(driver, func(t *testing.T) {
			d := newDatabase(t, sqlstore.PostgreSQL)
			d.Driver = driver
			store, db := openStore(t, d, sqlstore.Options{})
			l := newLedger(t, d, sqlstore.Options{})
			crash := true
			crashOnce := func(ctx context.Context) error {
				if !crash {
					return nil
				}
				crash = false
				return crashServer(ctx, db)
			}

			runs := 0
			for range 2 {
				got, err := idempotency.Do(t.Context(), store, idempotency.Key{ID: "do"}, func(ctx context.Context) (string, error) {
					runs++
					return "done", crashOnce(ctx)
				})
				if errors.Is(err, idempotency.ErrNotRecorded) {
					t.Skip("the server took longer to recover than Do waits for it")
				}
				if err := expectResult("done", got, err); err != nil {
					t.Fatal(err)
				}
			}
			if runs != 1 {
				t.Errorf("the work ran %d times", runs)
			}

			crash = true
			untilBack(t, func() error {
				got, err := idempotency.DoTx(t.Context(), l, txKey, enter("first", crashOnce), idempotency.WithLease(time.Second))
				if err != nil {
					return err
				}
				return expectResult("first", got, nil)
			})
			untilBack(t, func() error { return db.PingContext(t.Context()) })
			if n := l.entries(t); n != 1 {
				t.Errorf("%d entries", n)
			}
		})
	}
}

// untilBack does something until it succeeds: a server that recovers refuses every connection for a moment.
func untilBack(t *testing.T, do func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		err := do()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("after a minute: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// crashServer kills the process that serves one connection of its own.
func crashServer(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // whose other end is gone
	var pid int
	if err := conn.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}
