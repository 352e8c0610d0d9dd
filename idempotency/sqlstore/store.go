package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

// Dialect is the SQL that a database speaks.
type Dialect int

const (
	PostgreSQL Dialect = iota + 1
	SQLite
)

// String gives the database's name.
func (d Dialect) String() string {
	switch d {
	case PostgreSQL:
		return "PostgreSQL"
	case SQLite:
		return "SQLite"
	default:
		return fmt.Sprintf("Dialect(%d)", int(d))
	}
}

// Options changes what [New] makes. The zero value is the default.
type Options struct {
	// Table is the table of records. "" means [DefaultTable]. A name has letters, digits and
	// underscores, does not begin with a digit and has at most 48 bytes; in PostgreSQL a schema may
	// precede it, with a dot between. It is quoted wherever it is used, so upper case stays upper case.
	Table string
	// Tx are the options of the transactions that [Store.Transact] begins. nil means the driver's
	// default. With an isolation of repeatable read or stricter, PostgreSQL refuses to record an outcome
	// after a renewal that came in the middle of the transaction: give such work a lease of at least
	// three times what it takes.
	Tx *sql.TxOptions
}

// Store keeps records in a table. It is safe for concurrent use, and so are several stores on one
// table, in as many processes as need be.
type Store struct {
	idempotency.Flights

	db      *sql.DB
	dialect Dialect
	table   string
	tx      *sql.TxOptions
	sql     statements
}

var _ idempotency.TxStore[*sql.Tx] = (*Store)(nil)

// New makes a store that keeps its records in db, which stays the caller's to close. It does not touch
// the database: see [Store.Migrate].
func New(db *sql.DB, dialect Dialect, options Options) (*Store, error) {
	if db == nil {
		return nil, errors.New("sqlstore: the database is nil")
	}
	if dialect != PostgreSQL && dialect != SQLite {
		return nil, fmt.Errorf("sqlstore: %s is not a dialect", dialect)
	}
	table := options.Table
	if table == "" {
		table = DefaultTable
	}
	if err := checkTable(dialect, table); err != nil {
		return nil, err
	}
	return &Store{
		db: db, dialect: dialect, table: table, tx: options.Tx,
		sql: statementsFor(dialect, quote(table)),
	}, nil
}

// checkTable refuses every name that could be more than a name.
func checkTable(dialect Dialect, table string) error {
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,47}(\.[A-Za-z_][A-Za-z0-9_]{0,47})?$`)
	if !name.MatchString(table) {
		return fmt.Errorf("sqlstore: %q is not a table name of letters, digits and underscores", table)
	}
	if dialect == SQLite && strings.Contains(table, ".") {
		return fmt.Errorf("sqlstore: %q has a schema, which SQLite does not know", table)
	}
	return nil
}

// quote puts a checked name, with or without a schema, into quotation marks.
func quote(table string) string { return `"` + strings.ReplaceAll(table, ".", `"."`) + `"` }

// Acquire gives the caller the key or tells how it stands: see [idempotency.Store].
func (s *Store) Acquire(ctx context.Context, key idempotency.Key, terms idempotency.Terms) (idempotency.Record, bool, error) {
	var record idempotency.Record
	var acquired bool
	err := s.retry(ctx, func() (err error) {
		record, acquired, err = s.acquire(ctx, key, terms)
		return err
	})
	if err != nil {
		return idempotency.Record{}, false, fmt.Errorf("sqlstore: acquire: %w", err)
	}
	return record, acquired, nil
}

func (s *Store) acquire(ctx context.Context, key idempotency.Key, terms idempotency.Terms) (record idempotency.Record, acquired bool, err error) {
	record.Key = key
	var state string
	var left int64
	var failure sql.NullString
	columns := []any{&state, &record.Key.Fingerprint, &record.Token, &record.Result, &failure, &left}
	if s.dialect == SQLite {
		err = s.db.QueryRowContext(ctx, s.sql.find, key.Tenant, key.ID, key.Fingerprint).Scan(columns...)
		if errors.Is(err, sql.ErrNoRows) {
			acquired = true
			err = s.db.QueryRowContext(ctx, s.sql.acquire, key.Tenant, key.ID, key.Fingerprint,
				micros(terms.Lease), micros(terms.Retain)).Scan(columns...)
		}
	} else {
		err = s.db.QueryRowContext(ctx, s.sql.acquire, key.Tenant, key.ID, key.Fingerprint,
			micros(terms.Lease), micros(terms.Retain)).Scan(append([]any{&acquired}, columns...)...)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		// Another caller made the record after this statement had looked for it.
		return idempotency.Record{}, false, errBusy
	case err != nil:
		return idempotency.Record{}, false, err
	}
	record.State = idempotency.State(state)
	record.Failure = failure.String
	if record.State == idempotency.Running {
		record.LeaseLeft = max(time.Duration(left)*time.Microsecond, 0)
	}
	return record, acquired, nil
}

// Renew makes a current claim's lease end later: see [idempotency.Store].
func (s *Store) Renew(ctx context.Context, claim idempotency.Claim, terms idempotency.Terms) error {
	err := s.retry(ctx, func() error {
		return owned(s.db.ExecContext(ctx, s.sql.renew, claim.Key.Tenant, claim.Key.ID, claim.Token,
			micros(terms.Lease), micros(terms.Retain)))
	})
	if err != nil {
		return fmt.Errorf("sqlstore: renew: %w", err)
	}
	return nil
}

// Complete records how a current claim's work ended: see [idempotency.Store].
func (s *Store) Complete(ctx context.Context, claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	err := s.retry(ctx, func() error { return s.complete(ctx, s.db, claim, outcome, terms) })
	if err != nil {
		return fmt.Errorf("sqlstore: complete: %w", err)
	}
	return nil
}

// CompleteTx is Complete as a part of tx: see [idempotency.TxStore]. The transaction need not be one that
// Transact began, but it must be of the same database.
func (s *Store) CompleteTx(ctx context.Context, tx *sql.Tx, claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	if err := s.complete(ctx, tx, claim, outcome, terms); err != nil {
		return fmt.Errorf("sqlstore: complete: %w", err)
	}
	return nil
}

// executor is what a database and a transaction have in common.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func (s *Store) complete(ctx context.Context, in executor, claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	result := outcome.Result
	if outcome.State == idempotency.Succeeded && result == nil {
		result = []byte{}
	}
	failure := sql.NullString{String: outcome.Failure, Valid: outcome.State == idempotency.Failed}
	return owned(in.ExecContext(ctx, s.sql.complete, claim.Key.Tenant, claim.Key.ID, claim.Token,
		micros(terms.Retain), string(outcome.State), result, failure))
}

// Release gives a current claim up: see [idempotency.Store].
func (s *Store) Release(ctx context.Context, claim idempotency.Claim) error {
	err := s.retry(ctx, func() error {
		_, err := s.db.ExecContext(ctx, s.sql.release, claim.Key.Tenant, claim.Key.ID, claim.Token)
		return err
	})
	if err != nil {
		return fmt.Errorf("sqlstore: release: %w", err)
	}
	return nil
}

// Purge deletes at most limit expired records: see [idempotency.Store].
func (s *Store) Purge(ctx context.Context, limit int) (deleted int, err error) {
	if limit < 1 {
		return 0, nil
	}
	err = s.retry(ctx, func() error {
		result, err := s.db.ExecContext(ctx, s.sql.purge, limit)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		deleted = int(n)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sqlstore: purge: %w", err)
	}
	return deleted, nil
}

// owned turns the result of a statement that changes a claim's record into an error when it changed
// none: the claim is not current.
func owned(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return idempotency.ErrLeaseLost
	}
	return nil
}

// micros gives d in microseconds, rounded up, since 0 would mean another thing.
func micros(d time.Duration) int64 {
	n := d.Microseconds()
	if d > time.Duration(n)*time.Microsecond {
		n++
	}
	return n
}
