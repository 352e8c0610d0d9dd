//go:build unix

package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
	_ "modernc.org/sqlite"

	"github.com/kindgi/kindgi-go/idempotency/dbtest/postgres"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

// server starts the PostgreSQL server that all tests of a run share, when the first of them asks.
var server = sync.OnceValues(func() (*postgres.Server, error) {
	s, err := postgres.Start(context.Background(), "max_connections=200")
	started = s
	return s, err
})

var started *postgres.Server // written by server, read after the tests

func TestMain(m *testing.M) {
	if task := os.Getenv(workerEnv); task != "" {
		os.Exit(runWorker(task))
	}
	flag.Parse()
	code := m.Run()
	if started != nil {
		if err := started.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stopping PostgreSQL:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// database is a database as a test or a worker process opens it.
type database struct {
	Dialect sqlstore.Dialect
	Driver  string
	DSN     string
}

func (d database) open() (*sql.DB, error) { return sql.Open(d.Driver, d.DSN) }

// schemas counts the schemas that tests have made in the server.
var schemas struct {
	sync.Mutex
	n int
}

// newDatabase gives t an empty database: a schema of its own in the server, or a file.
func newDatabase(t testing.TB, dialect sqlstore.Dialect) database {
	t.Helper()
	if dialect == sqlstore.SQLite {
		file := filepath.Join(t.TempDir(), "test.db")
		return database{dialect, "sqlite", "file:" + file + "?_pragma=journal_mode(WAL)&_pragma=busy_timeout(10000)&_pragma=synchronous(NORMAL)"}
	}
	s, err := server()
	if errors.Is(err, postgres.ErrNotInstalled) && os.Getenv("CI") != "true" {
		t.Skipf("NOT TESTED with PostgreSQL: %v", err)
	}
	if err != nil {
		t.Fatalf("PostgreSQL did not start: %v", err)
	}
	schemas.Lock()
	schemas.n++
	schema := fmt.Sprintf("test_%d", schemas.n)
	schemas.Unlock()
	d := database{dialect, "pgx", s.DSN() + " search_path=" + schema}
	db := openDatabase(t, d)
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	return d
}

// openDatabase opens d until t ends.
func openDatabase(t testing.TB, d database) *sql.DB {
	t.Helper()
	db, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("closing the database: %v", err)
		}
	})
	return db
}

// newStore gives t a store whose table is there and empty.
func newStore(t testing.TB, dialect sqlstore.Dialect) (*sqlstore.Store, *sql.DB) {
	t.Helper()
	d := newDatabase(t, dialect)
	return openStore(t, d, sqlstore.Options{})
}

// openStore opens d until t ends and gives a store in it whose table is there.
func openStore(t testing.TB, d database, options sqlstore.Options) (*sqlstore.Store, *sql.DB) {
	t.Helper()
	db := openDatabase(t, d)
	store, err := sqlstore.New(db, d.Dialect, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return store, db
}

// forEachDialect runs test with every database.
func forEachDialect(t *testing.T, test func(t *testing.T, dialect sqlstore.Dialect)) {
	for _, dialect := range []sqlstore.Dialect{sqlstore.PostgreSQL, sqlstore.SQLite} {
		t.Run(strings.ToLower(dialect.String()), func(t *testing.T) { test(t, dialect) })
	}
}
