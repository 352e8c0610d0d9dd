package sqlstore

import (
	"context"
	"fmt"
	"strings"
)

// DefaultTable is the table of records unless [Options] names another.
const DefaultTable = "kindgi_idempotency"

// PostgreSQLMigration makes the table of records, under its default name, in PostgreSQL. It may run more
// than once. [Store.Migration] gives it for another name.
const PostgreSQLMigration = `CREATE TABLE IF NOT EXISTS kindgi_idempotency (
	tenant      text COLLATE "C" NOT NULL,
	id          text COLLATE "C" NOT NULL,
	fingerprint text NOT NULL,
	state       text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
	token       bigint NOT NULL,
	lease_until timestamptz NOT NULL,
	expires_at  timestamptz NOT NULL,
	created_at  timestamptz NOT NULL,
	finished_at timestamptz,
	result      bytea,
	failure     text,
	PRIMARY KEY (tenant, id)
) WITH (fillfactor = 85);

CREATE INDEX IF NOT EXISTS kindgi_idempotency_expires_at
	ON kindgi_idempotency (expires_at) WHERE expires_at < 'infinity';
`

// SQLiteMigration makes the table of records, under its default name, in SQLite. Times are microseconds
// since 1970 in UTC; a record that never expires has the greatest integer. It may run more than once.
// [Store.Migration] gives it for another name.
const SQLiteMigration = `CREATE TABLE IF NOT EXISTS kindgi_idempotency (
	tenant      TEXT NOT NULL,
	id          TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	state       TEXT NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
	token       INTEGER NOT NULL,
	lease_until INTEGER NOT NULL,
	expires_at  INTEGER NOT NULL,
	created_at  INTEGER NOT NULL,
	finished_at INTEGER,
	result      BLOB,
	failure     TEXT,
	PRIMARY KEY (tenant, id)
);

CREATE INDEX IF NOT EXISTS kindgi_idempotency_expires_at
	ON kindgi_idempotency (expires_at) WHERE expires_at < 9223372036854775807;
`

// Migration gives the SQL text that makes the store's table, for the program's own migrations.
func (s *Store) Migration() string {
	text := PostgreSQLMigration
	if s.dialect == SQLite {
		text = SQLiteMigration
	}
	if s.table == DefaultTable {
		return text
	}
	// The index lives in the schema of its table and must not be named with one.
	index := s.table[strings.LastIndexByte(s.table, '.')+1:] + "_expires_at"
	return strings.NewReplacer(DefaultTable+"_expires_at", quote(index), DefaultTable, quote(s.table)).Replace(text)
}

// migrationLock keeps two processes from making the table at once, which PostgreSQL would answer to one
// of them with an error in spite of IF NOT EXISTS. The number is arbitrary and only has to stay.
const migrationLock = 0x6b696e64676964

// Migrate makes the store's table unless it is there. Several processes may call it at once.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.retry(ctx, func() error { return s.migrate(ctx) }); err != nil {
		return fmt.Errorf("sqlstore: the table %s could not be made: %w", s.table, err)
	}
	return nil
}

func (s *Store) migrate(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if s.dialect == PostgreSQL {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", migrationLock)); err != nil {
			return err
		}
	}
	for statement := range strings.SplitSeq(s.Migration(), ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}
