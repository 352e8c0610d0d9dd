//go:build unix

package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
	"github.com/kindgi/kindgi-go/idempotency/storetest"
)

// TestStoreKeepsTheRules runs the conformance cases in every way in which a program may use a store.
func TestStoreKeepsTheRules(t *testing.T) {
	for _, test := range []struct {
		name    string
		dialect sqlstore.Dialect
		change  func(*database)
		options sqlstore.Options
	}{
		{name: "postgresql", dialect: sqlstore.PostgreSQL},
		{name: "postgresql without prepared statements", dialect: sqlstore.PostgreSQL, change: func(d *database) {
			d.DSN += " default_query_exec_mode=exec" // as behind a connection pooler
		}},
		{name: "postgresql with the simple protocol", dialect: sqlstore.PostgreSQL, change: func(d *database) {
			d.DSN += " default_query_exec_mode=simple_protocol"
		}},
		{name: "postgresql with another driver", dialect: sqlstore.PostgreSQL, change: func(d *database) {
			d.Driver = "postgres" // github.com/lib/pq
		}},
		{name: "postgresql serializable", dialect: sqlstore.PostgreSQL, change: func(d *database) {
			d.DSN += " default_transaction_isolation=serializable"
		}},
		{name: "postgresql in another time zone", dialect: sqlstore.PostgreSQL, change: func(d *database) {
			d.DSN += " timezone=Asia/Kathmandu"
		}},
		{name: "postgresql with another table", dialect: sqlstore.PostgreSQL, options: sqlstore.Options{Table: "Order"}},
		{name: "sqlite", dialect: sqlstore.SQLite},
		{name: "sqlite with another table", dialect: sqlstore.SQLite, options: sqlstore.Options{Table: "Order"}},
		{name: "sqlite with a rollback journal", dialect: sqlstore.SQLite, change: func(d *database) {
			d.DSN = strings.Replace(d.DSN, "journal_mode(WAL)", "journal_mode(DELETE)", 1)
		}},
		{name: "sqlite without a busy timeout", dialect: sqlstore.SQLite, change: func(d *database) {
			d.DSN = strings.Replace(d.DSN, "busy_timeout(10000)", "busy_timeout(0)", 1)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDatabase(t, test.dialect)
			if test.change != nil {
				test.change(&d)
			}
			store, _ := openStore(t, d, test.options)
			storetest.Run(t, store)
			storetest.RunTx(t, store)
		})
	}
}

func TestMigrate(t *testing.T) {
	forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
		t.Run("at once and again", func(t *testing.T) {
			d := newDatabase(t, dialect)
			var group errgroup.Group
			for range 8 {
				db := openDatabase(t, d)
				store, err := sqlstore.New(db, dialect, sqlstore.Options{})
				if err != nil {
					t.Fatal(err)
				}
				group.Go(func() error { return store.Migrate(t.Context()) })
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
		})
		t.Run("by the program's own means", func(t *testing.T) {
			db := openDatabase(t, newDatabase(t, dialect))
			text := sqlstore.PostgreSQLMigration
			if dialect == sqlstore.SQLite {
				text = sqlstore.SQLiteMigration
			}
			for range 2 {
				if _, err := db.ExecContext(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			store, err := sqlstore.New(db, dialect, sqlstore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := store.Migration(); got != text {
				t.Errorf("the store's migration is another text: %s", got)
			}
			if err := storetest.Check(t.Context(), store); err != nil {
				t.Error(err)
			}
		})
	})
}

func TestTableInASchema(t *testing.T) {
	d := newDatabase(t, sqlstore.PostgreSQL)
	db := openDatabase(t, d)
	if _, err := db.ExecContext(t.Context(), `CREATE SCHEMA "Shop"`); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"Shop.records", "Shop.more"} {
		store, err := sqlstore.New(db, d.Dialect, sqlstore.Options{Table: table})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := storetest.Check(t.Context(), store); err != nil {
			t.Error(err)
		}
	}
}

// TestReplayDoesNotWrite checks that looking at a record leaves its row alone: a write for each replay
// would cost a commit each, and a dead row.
func TestReplayDoesNotWrite(t *testing.T) {
	store, db := newStore(t, sqlstore.PostgreSQL)
	key := idempotency.Key{Tenant: "acme", ID: "a"}
	row := func() (text string) {
		err := db.QueryRowContext(t.Context(), "SELECT format('%s %s %s', xmin, xmax, ctid) FROM "+sqlstore.DefaultTable).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	run := func() {
		_, err := idempotency.Do(t.Context(), store, key, func(context.Context) (int, error) { return 1, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	run()
	before := row()
	run()
	if after := row(); after != before {
		t.Errorf("the row was %s and is %s", before, after)
	}
}

// TestPurgePassesByWhatIsInUse checks that a purge does not wait for a row that a transaction has locked.
func TestPurgePassesByWhatIsInUse(t *testing.T) {
	store, db := newStore(t, sqlstore.PostgreSQL)
	terms := idempotency.Terms{Lease: time.Millisecond, Retain: time.Microsecond}
	for i := range 3 {
		if _, _, err := store.Acquire(t.Context(), idempotency.Key{ID: fmt.Sprint(i)}, terms); err != nil {
			t.Fatal(err)
		}
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "SELECT FROM "+sqlstore.DefaultTable+" WHERE id = '1' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	purge := func(want int) {
		t.Helper()
		for got := 0; got < want; { // the leases end soon
			n, err := store.Purge(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			got += n
			if got > want {
				t.Fatalf("%d records were deleted, want %d", got, want)
			}
		}
	}
	purge(2)
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	purge(1)
}

// TestPurgeUsesTheIndex checks that a purge does not read the whole table, however many records are kept.
func TestPurgeUsesTheIndex(t *testing.T) {
	d := newDatabase(t, sqlstore.PostgreSQL)
	d.DSN += " enable_seqscan=off" // a table as small as this one would be read as a whole otherwise
	store, db := openStore(t, d, sqlstore.Options{})
	db.SetMaxOpenConns(1)
	if _, err := store.Purge(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for scans := 0; scans == 0; { // the server counts a little later
		err := db.QueryRowContext(ctx, `SELECT idx_scan FROM pg_stat_user_indexes
			WHERE schemaname = current_schema AND indexrelname = $1`, sqlstore.DefaultTable+"_expires_at").Scan(&scans)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
			t.Fatal("the index was not used")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// TestProcessesWaitForEachOther uses two stores on one table, as two processes have them.
func TestProcessesWaitForEachOther(t *testing.T) {
	forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
		d := newDatabase(t, dialect)
		key := idempotency.Key{Tenant: "acme", ID: "a", Fingerprint: "input"}
		begun, end := make(chan struct{}), make(chan struct{})
		var group errgroup.Group
		first, _ := openStore(t, d, sqlstore.Options{})
		group.Go(func() error {
			got, err := idempotency.Do(t.Context(), first, key, func(context.Context) (string, error) {
				close(begun)
				<-end
				return "first", nil
			})
			return expectResult("first", got, err)
		})
		<-begun
		second, _ := openStore(t, d, sqlstore.Options{})
		group.Go(func() error {
			var replayed bool
			got, err := idempotency.DoTx(t.Context(), second, key, func(context.Context, *sql.Tx) (string, error) {
				return "second", nil
			}, idempotency.WithReplayed(&replayed))
			if !replayed {
				t.Error("the second call did not replay")
			}
			return expectResult("first", got, err)
		})
		_, err := idempotency.Do(t.Context(), second, key, func(context.Context) (string, error) {
			return "third", nil
		}, idempotency.WithMaxWait(0))
		if err := expect(idempotency.ErrInProgress, err); err != nil {
			t.Error(err)
		}
		other := key
		other.Fingerprint = "another input"
		_, err = idempotency.Do(t.Context(), second, other, func(context.Context) (string, error) { return "third", nil })
		if err := expect(idempotency.ErrKeyReused, err); err != nil {
			t.Error(err)
		}
		close(end)
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	})
}

func expectResult(want, got string, err error) error {
	if err != nil || got != want {
		return fmt.Errorf("got %q, error %v, want %q", got, err, want)
	}
	return nil
}
