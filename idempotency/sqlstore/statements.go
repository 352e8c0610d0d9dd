package sqlstore

import "strings"

// statements are the texts of one dialect for one table. Their parameters are numbered the same in both:
//
//	$1 tenant  $2 id  $3 fingerprint or token  $4 lease  $5 retention, both in microseconds, 0 is never
type statements struct {
	find     string // SQLite only: how a key stands, unless it is free
	acquire  string
	renew    string
	complete string // $4 retention $5 state $6 result $7 failure
	release  string
	purge    string // $1 limit
	lock     string // SQLite only: makes a transaction one that writes
}

// Every place that asks for the time asks clock_timestamp(), not now(): a statement may wait for a row
// that another one has locked, and what counts is the time at which it goes on.
const (
	postgresAcquire = `WITH found AS MATERIALIZED (
	SELECT state, fingerprint, token, result, failure, lease_until FROM {table}
	WHERE tenant = $1 AND id = $2 AND expires_at > clock_timestamp()
	AND NOT (state = 'running' AND lease_until <= clock_timestamp() AND fingerprint = $3)
), acquired AS (
	INSERT INTO {table} AS r (tenant, id, fingerprint, state, token, lease_until, expires_at, created_at)
	SELECT $1, $2, $3, 'running', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
		clock_timestamp() + $4::bigint * interval '1 microsecond',
		CASE WHEN $5::bigint = 0 THEN 'infinity' ELSE clock_timestamp() + ($4::bigint + $5::bigint) * interval '1 microsecond' END,
		clock_timestamp()
	WHERE NOT EXISTS (SELECT FROM found)
	ON CONFLICT (tenant, id) DO UPDATE SET
		fingerprint = excluded.fingerprint, state = 'running', token = greatest(r.token + 1, excluded.token),
		lease_until = clock_timestamp() + $4::bigint * interval '1 microsecond',
		expires_at = CASE WHEN $5::bigint = 0 THEN 'infinity' ELSE clock_timestamp() + ($4::bigint + $5::bigint) * interval '1 microsecond' END,
		created_at = clock_timestamp(), finished_at = NULL, result = NULL, failure = NULL
	WHERE r.expires_at <= clock_timestamp()
		OR (r.state = 'running' AND r.lease_until <= clock_timestamp() AND r.fingerprint = excluded.fingerprint)
	RETURNING state, fingerprint, token, result, failure, lease_until
)
SELECT false, state, fingerprint, token, result, failure,
	(extract(epoch FROM lease_until - clock_timestamp()) * 1000000)::bigint FROM found
UNION ALL
SELECT true, state, fingerprint, token, result, failure,
	(extract(epoch FROM lease_until - clock_timestamp()) * 1000000)::bigint FROM acquired`

	postgresRenew = `UPDATE {table} SET lease_until = clock_timestamp() + $4::bigint * interval '1 microsecond',
	expires_at = CASE WHEN $5::bigint = 0 THEN 'infinity' ELSE clock_timestamp() + ($4::bigint + $5::bigint) * interval '1 microsecond' END
WHERE tenant = $1 AND id = $2 AND token = $3 AND state = 'running'`

	postgresComplete = `UPDATE {table} SET state = $5, result = $6, failure = $7,
	finished_at = clock_timestamp(), lease_until = clock_timestamp(),
	expires_at = CASE WHEN $4::bigint = 0 THEN 'infinity' ELSE clock_timestamp() + $4::bigint * interval '1 microsecond' END
WHERE tenant = $1 AND id = $2 AND token = $3`

	postgresRelease = `DELETE FROM {table} WHERE tenant = $1 AND id = $2 AND token = $3 AND state = 'running'`

	// A volatile clock_timestamp() would keep the index from being used, and so would a condition that
	// does not say what the index's own says.
	postgresPurge = `DELETE FROM {table} WHERE ctid = ANY (ARRAY (
	SELECT ctid FROM {table} WHERE expires_at <= statement_timestamp() AND expires_at < 'infinity'
	ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))`
)

// {now} is the same for a whole statement in SQLite, which evaluates 'now' once.
const (
	sqliteFind = `SELECT state, fingerprint, token, result, failure, lease_until - {now} FROM {table}
WHERE tenant = $1 AND id = $2 AND expires_at > {now}
AND NOT (state = 'running' AND lease_until <= {now} AND fingerprint = $3)`

	sqliteAcquire = `INSERT INTO {table} AS r (tenant, id, fingerprint, state, token, lease_until, expires_at, created_at)
VALUES ($1, $2, $3, 'running', {now}, {now} + $4, CASE WHEN $5 = 0 THEN {never} ELSE {now} + $4 + $5 END, {now})
ON CONFLICT (tenant, id) DO UPDATE SET
	fingerprint = excluded.fingerprint, state = 'running', token = max(r.token + 1, excluded.token),
	lease_until = excluded.lease_until, expires_at = excluded.expires_at, created_at = excluded.created_at,
	finished_at = NULL, result = NULL, failure = NULL
WHERE r.expires_at <= {now} OR (r.state = 'running' AND r.lease_until <= {now} AND r.fingerprint = excluded.fingerprint)
RETURNING state, fingerprint, token, result, failure, lease_until - {now}`

	sqliteRenew = `UPDATE {table} SET lease_until = {now} + $4, expires_at = CASE WHEN $5 = 0 THEN {never} ELSE {now} + $4 + $5 END
WHERE tenant = $1 AND id = $2 AND token = $3 AND state = 'running'`

	sqliteComplete = `UPDATE {table} SET state = $5, result = $6, failure = $7, finished_at = {now}, lease_until = {now},
	expires_at = CASE WHEN $4 = 0 THEN {never} ELSE {now} + $4 END
WHERE tenant = $1 AND id = $2 AND token = $3`

	// The record expires and is not deleted: SQLite's clock counts milliseconds, and a claim that came in the
	// same one must get a greater token than this one's. For that reason, too, a record is purged only when
	// its last millisecond is over.
	sqliteRelease = `UPDATE {table} SET token = token + 1, lease_until = {now}, expires_at = {now}
WHERE tenant = $1 AND id = $2 AND token = $3 AND state = 'running'`

	sqlitePurge = `DELETE FROM {table} WHERE rowid IN (
	SELECT rowid FROM {table} WHERE expires_at < {now} AND expires_at < {never} ORDER BY expires_at LIMIT $1)`

	// A statement that writes takes the write lock whether or not it finds a row to change.
	sqliteLock = `UPDATE {table} SET token = token WHERE false`
)

// statementsFor gives the texts for a table whose name is already quoted.
func statementsFor(dialect Dialect, table string) statements {
	fill := strings.NewReplacer("{table}", table,
		"{now}", "CAST(unixepoch('subsec') * 1000000 AS INTEGER)", "{never}", "9223372036854775807").Replace
	if dialect == SQLite {
		fill := func(text string) string {
			return strings.ReplaceAll(fill(text), "$", "?") // ?1 is SQLite's own form; $1 would be a name
		}
		return statements{
			find: fill(sqliteFind), acquire: fill(sqliteAcquire), renew: fill(sqliteRenew), complete: fill(sqliteComplete),
			release: fill(sqliteRelease), purge: fill(sqlitePurge), lock: fill(sqliteLock),
		}
	}
	return statements{
		acquire: fill(postgresAcquire), renew: fill(postgresRenew), complete: fill(postgresComplete),
		release: fill(postgresRelease), purge: fill(postgresPurge),
	}
}
