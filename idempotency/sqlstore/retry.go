package sqlstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"
)

// errBusy says that another caller was faster and that the same statement will find its record.
var errBusy = errors.New("the record is being made by another caller")

// retry runs fn until it succeeds, fails for good, or ctx ends. Every fn is a statement that the
// database has not executed when it fails in one of the ways that retry knows.
func (s *Store) retry(ctx context.Context, fn func() error) error {
	for delay := time.Millisecond; ; delay = min(2*delay, 50*time.Millisecond) {
		err := fn()
		if err == nil || !s.passing(err) {
			return err
		}
		timer := time.NewTimer(delay/2 + rand.N(delay))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(context.Cause(ctx), err)
		}
	}
}

// passing reports whether a statement failed only because of what others were doing at that moment. It
// knows the errors of drivers by what they have in common, since it depends on none of them.
func (s *Store) passing(err error) bool {
	if errors.Is(err, errBusy) {
		return true
	}
	if s.dialect == SQLite {
		// SQLITE_BUSY and SQLITE_LOCKED, in the words of sqlite3_errstr that the drivers repeat.
		text := err.Error()
		return strings.Contains(text, "database is locked") || strings.Contains(text, "database table is locked")
	}
	// Serialization failure and deadlock, whose transaction PostgreSQL has rolled back. The drivers
	// github.com/jackc/pgx and github.com/lib/pq give the code by this method.
	if e, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok {
		return e.SQLState() == "40001" || e.SQLState() == "40P01"
	}
	return false
}
