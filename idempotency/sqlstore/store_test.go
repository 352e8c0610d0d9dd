package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

// unreachable is a database that no connection can be made to. The stores of real ones are tested in
// the nested module dbtest.
type unreachable struct{}

var errUnreachable = errors.New("unreachable")

func (unreachable) Connect(context.Context) (driver.Conn, error) { return nil, errUnreachable }
func (unreachable) Driver() driver.Driver                        { return nil }

func TestNewRefusesWhatIsNotATable(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(unreachable{})
	t.Cleanup(func() { _ = db.Close() })
	long := strings.Repeat("x", 49)
	for _, test := range []struct {
		table              string
		postgreSQL, sqLite bool
	}{
		{"", true, true},
		{"records", true, true},
		{"_Records_2", true, true},
		{"order", true, true}, // a word of SQL is a name in quotation marks
		{long[:48], true, true},
		{"shop.records", true, false},
		{long, false, false},
		{"2records", false, false},
		{"a.b.c", false, false},
		{".records", false, false},
		{"shop.", false, false},
		{`records"; DROP TABLE orders; --`, false, false},
		{`a"b`, false, false},
		{"a b", false, false},
		{"a\n", false, false},
		{"a\x00", false, false},
		{"récords", false, false},
	} {
		for dialect, want := range map[sqlstore.Dialect]bool{sqlstore.PostgreSQL: test.postgreSQL, sqlstore.SQLite: test.sqLite} {
			store, err := sqlstore.New(db, dialect, sqlstore.Options{Table: test.table})
			if (err == nil) != want || (store != nil) != want {
				t.Errorf("%s, table %q: error %v", dialect, test.table, err)
			}
		}
	}
}

func TestNewRefusesNonsense(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(unreachable{})
	t.Cleanup(func() { _ = db.Close() })
	if _, err := sqlstore.New(nil, sqlstore.PostgreSQL, sqlstore.Options{}); err == nil {
		t.Error("no database is not an error")
	}
	for _, dialect := range []sqlstore.Dialect{0, 3, -1} {
		if _, err := sqlstore.New(db, dialect, sqlstore.Options{}); err == nil || !strings.Contains(err.Error(), dialect.String()) {
			t.Errorf("%s: error %v", dialect, err)
		}
	}
}

func TestMigrationNamesTheTable(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(unreachable{})
	t.Cleanup(func() { _ = db.Close() })
	for _, test := range []struct {
		dialect      sqlstore.Dialect
		table        string
		names, lacks []string
	}{
		{sqlstore.PostgreSQL, "", []string{"EXISTS kindgi_idempotency (", "kindgi_idempotency_expires_at"}, []string{`"kindgi`}},
		{sqlstore.PostgreSQL, "shop.Records", []string{`EXISTS "shop"."Records" (`, `EXISTS "Records_expires_at"`, `ON "shop"."Records" (`}, []string{"kindgi"}},
		{sqlstore.SQLite, "Records", []string{`EXISTS "Records" (`, `EXISTS "Records_expires_at"`, `ON "Records" (`}, []string{"kindgi", "timestamptz"}},
	} {
		store, err := sqlstore.New(db, test.dialect, sqlstore.Options{Table: test.table})
		if err != nil {
			t.Fatal(err)
		}
		text := store.Migration()
		for _, name := range test.names {
			if !strings.Contains(text, name) {
				t.Errorf("%s, table %q: %q is not in\n%s", test.dialect, test.table, name, text)
			}
		}
		for _, name := range test.lacks {
			if strings.Contains(text, name) {
				t.Errorf("%s, table %q: %q is in\n%s", test.dialect, test.table, name, text)
			}
		}
	}
}

func TestErrorsOfTheDatabaseAreGiven(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(unreachable{})
	t.Cleanup(func() { _ = db.Close() })
	for _, dialect := range []sqlstore.Dialect{sqlstore.PostgreSQL, sqlstore.SQLite} {
		store, err := sqlstore.New(db, dialect, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for method, err := range callAll(t.Context(), store) {
			if !errors.Is(err, errUnreachable) {
				t.Errorf("%s, %s: error %v", dialect, method, err)
			}
		}
	}
}

// callAll calls every method that asks the database and gives their errors.
func callAll(ctx context.Context, store *sqlstore.Store) map[string]error {
	key := idempotency.Key{ID: "a"}
	claim := idempotency.Claim{Key: key, Token: 1}
	terms := idempotency.Terms{Lease: time.Minute}
	_, _, acquireErr := store.Acquire(ctx, key, terms)
	_, purgeErr := store.Purge(ctx, 1)
	return map[string]error{
		"Acquire":  acquireErr,
		"Renew":    store.Renew(ctx, claim, terms),
		"Complete": store.Complete(ctx, claim, idempotency.Outcome{State: idempotency.Succeeded}, terms),
		"Release":  store.Release(ctx, claim),
		"Purge":    purgeErr,
		"Migrate":  store.Migrate(ctx),
		"Transact": store.Transact(ctx, func(context.Context, *sql.Tx) error { return errors.New("the function ran") }),
	}
}
