// Package desk is the order desk: its tools, its guardrail and its database.
package desk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
	"github.com/kindgi/kindgi-go/pack"
)

// Config sets a desk up.
type Config struct {
	// DatabaseURL names a PostgreSQL database. Empty: SQLite.
	DatabaseURL string
	// SQLiteFile is the file of the SQLite database. Empty: "orders.db".
	SQLiteFile string
	// Client makes the requests to the carrier.
	Client *http.Client
}

// Desk is an order desk. It is safe for concurrent use; any number of desks, in any number
// of processes, may share one database.
type Desk struct {
	config Config

	mu     sync.Mutex
	db     *sql.DB
	store  *sqlstore.Store
	sqlite bool
}

// New makes a desk. Its pack opens it, and so does Open.
func New(c Config) *Desk { return &Desk{config: c} }

// Open opens the database and makes its tables. Opening an open desk does nothing.
func (d *Desk) Open(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		return nil
	}
	driver, source, dialect := "pgx", d.config.DatabaseURL, sqlstore.PostgreSQL
	d.sqlite = source == ""
	if d.sqlite {
		file := d.config.SQLiteFile
		if file == "" {
			file = "orders.db"
		}
		driver, dialect = "sqlite", sqlstore.SQLite
		source = "file:" + file + "?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_txlock=immediate"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return err
	}
	if !d.sqlite {
		db.SetMaxOpenConns(maxConnections)
		db.SetMaxIdleConns(maxConnections)
	}
	store, err := sqlstore.New(db, dialect, sqlstore.Options{})
	if err == nil {
		err = store.Migrate(ctx)
	}
	if err == nil {
		err = d.migrate(ctx, db)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("setting up the tables: %w", err), db.Close())
	}
	d.db, d.store = db, store
	return nil
}

// maxConnections is how many connections each replica has at most: with ten replicas they are
// fewer than the 100 that a PostgreSQL server takes by default.
const maxConnections = 8

// migrationLock keeps two replicas from making the tables at once, which PostgreSQL would
// answer to one of them with an error in spite of IF NOT EXISTS.
const migrationLock = 0x6f7264657273

// migrate makes the desk's own tables unless they are there.
func (d *Desk) migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if !d.sqlite {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", migrationLock)); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, migration); err != nil {
		return err
	}
	return tx.Commit()
}

// Purge deletes, every hour until ctx ends, what the open desk remembers of calls that
// nobody repeats any more. Any number of replicas may do so at once.
func (d *Desk) Purge(ctx context.Context) {
	for {
		if _, err := idempotency.PurgeExpired(ctx, d.store, 500); err != nil && ctx.Err() == nil {
			slog.New(pack.LogHandler()).WarnContext(ctx, "old records could not be purged", "err", err)
		}
		select {
		case <-time.After(time.Hour):
		case <-ctx.Done():
			return
		}
	}
}

// Close closes the database.
func (d *Desk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db == nil {
		return nil
	}
	err := d.db.Close()
	d.db = nil
	return err
}

// migration makes the desk's tables, in either SQL. Numbers count per tenant.
const migration = `
CREATE TABLE IF NOT EXISTS orders (
	tenant   TEXT NOT NULL,
	number   BIGINT NOT NULL,
	customer TEXT NOT NULL,
	status   TEXT NOT NULL,
	placed   BIGINT NOT NULL,
	lines    TEXT NOT NULL,
	cents    BIGINT NOT NULL,
	tracking TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, number)
);
CREATE INDEX IF NOT EXISTS orders_customer ON orders (tenant, customer, number);
CREATE TABLE IF NOT EXISTS order_numbers (
	tenant TEXT PRIMARY KEY,
	last   BIGINT NOT NULL
);`
