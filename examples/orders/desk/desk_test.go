package desk_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/examples/orders/desk"
	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
)

// database sets up a desk with an empty database of its own: SQLite in a file, or a schema of
// the PostgreSQL that ORDERS_TEST_DATABASE_URL names, as key=value pairs.
func database(t *testing.T) desk.Config {
	t.Helper()
	c := desk.Config{SQLiteFile: filepath.Join(t.TempDir(), "orders.db"), Client: &http.Client{Transport: &pack.Transport{}}}
	server := os.Getenv("ORDERS_TEST_DATABASE_URL")
	if server == "" {
		return c
	}
	db, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		if err := errors.Join(err, db.Close()); err != nil {
			t.Error(err)
		}
	})
	c.DatabaseURL = server + " search_path=" + schema
	return c
}

// open gives an open desk with a database of its own.
func open(t *testing.T) *desk.Desk {
	t.Helper()
	d := desk.New(database(t))
	if err := d.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// tenant gives a context of a tenant that no other test has.
func tenant(t *testing.T, key string) packtest.CallOption {
	return packtest.WithContext(protocol.CallContext{TenantID: t.Name(), IdempotencyKey: key})
}

const (
	key1 = "f6c8a374-b63c-5453-8320-1ca9c067447a"
	key2 = "bf055463-2cce-5e82-b31a-43d7698db52e"
)

var tea = desk.Line{SKU: "TEA-1", Quantity: 2, Cents: 450}

func place(t *testing.T, s *packtest.Service, customer, key string) desk.Order {
	t.Helper()
	o, err := packtest.Call[desk.Placement, desk.Order](t.Context(), s, "acme.orders.place",
		desk.Placement{Customer: customer, Lines: []desk.Line{tea}}, tenant(t, key))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestPack(t *testing.T) {
	t.Parallel()
	d := open(t)
	// The handlers write: the rule that runs each once is not for them.
	if err := packtest.Check(d.Pack(), packtest.RuleZeroInput); err != nil {
		t.Error(err)
	}
	packtest.Golden(t, d.Pack(), filepath.Join("testdata", "index.json"))
}

func TestPlaceOnce(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, open(t).Pack())
	first := place(t, s, "ada", key1)
	if first.Number != "A-1001" || first.Cents != 900 || first.Status != "open" {
		t.Errorf("got %+v", first)
	}
	// The same call, many times at once, is the same order.
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			o, err := packtest.Call[desk.Placement, desk.Order](t.Context(), s, "acme.orders.place",
				desk.Placement{Customer: "ada", Lines: []desk.Line{tea}}, tenant(t, key1))
			if err != nil || o.Number != first.Number || !o.Placed.Equal(first.Placed) {
				t.Errorf("again: got %+v, %v", o, err)
			}
		})
	}
	group.Wait()
	if next := place(t, s, "ada", key2); next.Number != "A-1002" {
		t.Errorf("another call: got %+v", next)
	}
	if other := place(t, s, "ada", ""); other.Number != "A-1003" {
		t.Errorf("a call without a key: got %+v", other)
	}
}

func TestLookUpAndCancel(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, open(t).Pack())
	o := place(t, s, "ada", "")
	number := desk.Number{Number: o.Number}
	got, err := packtest.Call[desk.Number, desk.Order](t.Context(), s, "acme.orders.lookup", number, tenant(t, ""))
	if err != nil || got.Customer != "ada" || len(got.Lines) != 1 || got.Lines[0] != tea {
		t.Errorf("got %+v, %v", got, err)
	}
	// Another tenant does not see it.
	_, err = packtest.Call[desk.Number, desk.Order](t.Context(), s, "acme.orders.lookup", number)
	if packtest.Code(err) != protocol.HandlerThrow {
		t.Errorf("another tenant: got %v", err)
	}
	for range 2 { // the same call again is not a second cancellation
		got, err = packtest.Call[desk.Number, desk.Order](t.Context(), s, "acme.orders.cancel", number, tenant(t, key1))
		if err != nil || got.Status != "cancelled" {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	_, err = packtest.Call[desk.Number, desk.Order](t.Context(), s, "acme.orders.cancel", number, tenant(t, key2))
	if packtest.Code(err) != protocol.HandlerThrow {
		t.Errorf("a second cancellation: got %v", err)
	}
	_, err = packtest.Call[desk.Number, desk.Order](t.Context(), s, "acme.orders.lookup", desk.Number{Number: "1001"})
	if packtest.Code(err) != protocol.InputValidationFailed {
		t.Errorf("a number that is none: got %v", err)
	}
}

func TestSearchPages(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, open(t).Pack())
	for range 5 {
		place(t, s, "ada", "")
		place(t, s, "bob", "")
	}
	var numbers []string
	query := desk.Query{Customer: "ada", Limit: 2}
	for range 3 {
		page, err := packtest.Call[desk.Query, desk.Page](t.Context(), s, "acme.orders.search", query, tenant(t, ""))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Orders {
			numbers = append(numbers, o.Number)
		}
		query.After = page.Next
	}
	want := []string{"A-1009", "A-1007", "A-1005", "A-1003", "A-1001"}
	if len(numbers) != len(want) || query.After != "" {
		t.Fatalf("got %v, then %q", numbers, query.After)
	}
	for i := range want {
		if numbers[i] != want[i] {
			t.Errorf("got %v, want %v", numbers, want)
			break
		}
	}
	// The limit's default is filled in.
	page, err := packtest.Call[jsontext.Value, desk.Page](t.Context(), s, "acme.orders.search", jsontext.Value(`{"customer":"bob"}`), tenant(t, ""))
	if err != nil || len(page.Orders) != 5 {
		t.Errorf("got %d orders, %v", len(page.Orders), err)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, open(t).Pack())
	place(t, s, "ada", "")
	place(t, s, "ada", "")
	place(t, s, "bob", "")
	got, err := packtest.Call[struct{}, desk.Totals](t.Context(), s, "acme.orders.report", struct{}{}, tenant(t, ""))
	if err != nil || got.Orders != 3 || got.Customers["ada"] != 1800 || got.Customers["bob"] != 900 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestShip books with a carrier that answers the first request and then loses it.
func TestShip(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	carrier := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.Header.Get("Authorization") != "Bearer a-carrier-key" || r.Header.Get("Idempotency-Key") != key1 {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		w.WriteHeader(http.StatusCreated)
		if err := json.NewEncoder(w).Encode(map[string]string{"code": "P-7"}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(carrier.Close)
	s := packtest.Start(t, open(t).Pack())
	o := place(t, s, "ada", "")
	call := packtest.WithContext(protocol.CallContext{
		TenantID: t.Name(), IdempotencyKey: key1,
		Env:     map[string]string{"CARRIER_URL": carrier.URL},
		Secrets: map[string]jsontext.Value{"CARRIER_KEY": jsontext.Value(`"a-carrier-key"`)},
	})
	for range 3 {
		got, err := packtest.Call[desk.Number, desk.Shipment](t.Context(), s, "acme.orders.ship", desk.Number{Number: o.Number}, call)
		if err != nil || got.Tracking != "P-7" {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	if requests.Load() != 1 {
		t.Errorf("the carrier was asked %d times", requests.Load())
	}
	got, err := packtest.Call[desk.Number, desk.Order](t.Context(), s, "acme.orders.lookup", desk.Number{Number: o.Number}, tenant(t, ""))
	if err != nil || got.Status != "shipped" || got.Tracking != "P-7" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = packtest.Call[desk.Number, desk.Shipment](t.Context(), s, "acme.orders.ship", desk.Number{Number: o.Number}, tenant(t, ""))
	if packtest.Code(err) != protocol.HandlerThrow {
		t.Errorf("without a secret: got %v", err)
	}
}

func TestNoPromises(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, open(t).Pack())
	config := desk.NoPromises{Words: []string{"guarantee"}}
	for answer, pass := range map[string]bool{"We GUARANTEE it.": false, "We will try.": true} {
		got, err := packtest.CallCheck(t.Context(), s, "acme.orders.checks.no-promises", config,
			&protocol.RunTrace{RunID: "r", TenantID: "t", Output: answer, Mode: protocol.ModeCI})
		if err != nil || got.Passed != pass {
			t.Errorf("%q: got %+v, %v", answer, got, err)
		}
	}
}

// TestReplicas lets two desks on one database do one call's work once.
func TestReplicas(t *testing.T) {
	t.Parallel()
	c := database(t)
	var services []*packtest.Service
	for range 2 {
		d := desk.New(c)
		if err := d.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		services = append(services, packtest.Start(t, d.Pack()))
	}
	var group sync.WaitGroup
	numbers := make(chan string, 8)
	for i := range cap(numbers) {
		group.Go(func() {
			o, err := packtest.Call[desk.Placement, desk.Order](t.Context(), services[i%2], "acme.orders.place",
				desk.Placement{Customer: "ada", Lines: []desk.Line{tea}}, tenant(t, key1), packtest.WithTimeout(time.Minute))
			if err != nil {
				t.Error(err)
			}
			numbers <- o.Number
		})
	}
	group.Wait()
	close(numbers)
	for number := range numbers {
		if number != "A-1001" {
			t.Errorf("got %s", number)
		}
	}
}

// TestOpenAtOnce has several replicas make the tables of an empty database.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	c := database(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			d := desk.New(c)
			if err := errors.Join(d.Open(t.Context()), d.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
