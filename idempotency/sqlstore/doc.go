// Package sqlstore keeps idempotency records in a PostgreSQL or SQLite database, through database/sql
// and whichever driver the program has chosen.
//
// A [Store] is a [github.com/kindgi/kindgi-go/idempotency.TxStore] of *sql.Tx, for
// [github.com/kindgi/kindgi-go/idempotency.Do] and [github.com/kindgi/kindgi-go/idempotency.DoTx]:
//
//	db, err := sql.Open("pgx", dsn)
//	…
//	store, err := sqlstore.New(db, sqlstore.PostgreSQL, sqlstore.Options{})
//	…
//	err = store.Migrate(ctx) // or run sqlstore.PostgreSQLMigration with the program's own migrations
//
// # PostgreSQL
//
// Version 12 or newer. Acquiring a key, finished or not, is one statement and, with a driver that keeps
// prepared statements (github.com/jackc/pgx/v5 does), one round trip; a key that was finished before is
// only read, so it costs no commit. Recording an outcome is a second statement. Time is the database's
// clock_timestamp(), so the clocks of the processes do not matter. Every statement must reach the
// primary: a replica may not know yet which keys are taken.
//
// # SQLite
//
// Version 3.42 or newer, for processes on one machine that share a file. Open it in WAL mode and with a
// busy timeout ("_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)" for modernc.org/sqlite). SQLite
// has one writer at a time: while the function of a DoTx runs, every other key waits. The record of a key that was
// given up, after a failure, is an expired one that a purge deletes.
//
// # Connections
//
// The renewal of a lease needs a connection beside the one that a DoTx holds. A pool of one works as
// long as the lease is longer than the transaction.
package sqlstore
