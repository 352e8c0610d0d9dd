package pack_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
)

const onceKey = "f6c8a374-b63c-5453-8320-1ca9c067447a"

// keyedCall is a call with an idempotency key; an empty one is not sent.
func keyedCall(tool, input, tenant, key string) string {
	if key != "" {
		key = fmt.Sprintf(`,"idempotencyKey":%q`, key)
	}
	return fmt.Sprintf(`{"v":2,"kind":"invoke","tool":{"id":%q},"input":%s,"ctx":{"tenantId":%q,"runId":"r"%s}}`, tool, input, tenant, key)
}

func TestOnce(t *testing.T) {
	t.Parallel()
	var store idempotency.Memory
	var charged, mailed, loose atomic.Int64
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.charge"}, func(ctx context.Context, in amount) (string, error) {
		receipt, err := pack.Once(ctx, &store, func(context.Context) (string, error) {
			return fmt.Sprintf("receipt %d for %d", charged.Add(1), in.Cents), nil
		})
		if err != nil {
			return "", err
		}
		_, err = pack.Once(ctx, &store, func(context.Context) (int64, error) { return mailed.Add(1), nil }, pack.OnceNamed("mail"))
		return receipt, err
	})
	pack.AddTool(b, pack.Tool{ID: "t.loose"}, func(ctx context.Context, _ struct{}) (int64, error) {
		return pack.Once(ctx, &store, func(context.Context) (int64, error) { return loose.Add(1), nil }, pack.AllowMissingKey())
	})
	s := start(t, b, pack.Options{})

	for range 3 {
		wantOutput(t, s.post(t, keyedCall("t.charge", `{"cents":5}`, "t1", onceKey)), `"receipt 1 for 5"`)
	}
	// Another spelling of the same input is the same input.
	wantOutput(t, s.post(t, keyedCall("t.charge", `{ "cents" : 5 }`, "t1", strings.ToUpper(onceKey))), `"receipt 1 for 5"`)
	if charged.Load() != 1 || mailed.Load() != 1 {
		t.Errorf("charged %d times, mailed %d times", charged.Load(), mailed.Load())
	}
	if got := s.post(t, keyedCall("t.charge", `{"cents":10}`, "t1", onceKey)); got.Code != "handler-throw" || !strings.Contains(got.Message, idempotency.ErrKeyReused.Error()) {
		t.Errorf("another input: got %s", got.body)
	}
	wantOutput(t, s.post(t, keyedCall("t.charge", `{"cents":5}`, "t2", onceKey)), `"receipt 2 for 5"`)
	if got := s.post(t, keyedCall("t.charge", `{"cents":5}`, "t1", "")); got.Code != "handler-throw" || !strings.Contains(got.Message, pack.ErrNoKey.Error()) {
		t.Errorf("no key: got %s", got.body)
	}
	if got := s.post(t, keyedCall("t.charge", `{"cents":5}`, "t1", "not-a-key")); got.Code != "handler-throw" || !strings.Contains(got.Message, idempotency.ErrInvalidKey.Error()) {
		t.Errorf("a bad key: got %s", got.body)
	}
	wantOutput(t, s.post(t, keyedCall("t.loose", `{}`, "t1", "")), `1`)
	wantOutput(t, s.post(t, keyedCall("t.loose", `{}`, "t1", "")), `2`)
	const another = "bf055463-2cce-5e82-b31a-43d7698db52e"
	wantOutput(t, s.post(t, keyedCall("t.loose", `{}`, "t1", another)), `3`)
	wantOutput(t, s.post(t, keyedCall("t.loose", `{}`, "t1", another)), `3`)
}

// TestOnceByOneName: a second thing by the same name would get the first's result and never
// run. Also when the first is a replay; not when it failed.
func TestOnceByOneName(t *testing.T) {
	t.Parallel()
	var store idempotency.Memory
	boom := errors.New("boom")
	once := func(ctx context.Context, s string, err error, options ...pack.OnceOption) (string, error) {
		return pack.Once(ctx, &store, func(context.Context) (string, error) { return s, err }, options...)
	}
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.twice"}, func(ctx context.Context, _ struct{}) (string, error) {
		first, err := once(ctx, "a", nil)
		if err != nil {
			return "", err
		}
		second, err := once(ctx, "b", nil)
		return first + second, err
	})
	pack.AddTool(b, pack.Tool{ID: "t.named"}, func(ctx context.Context, _ struct{}) (string, error) {
		first, err := once(ctx, "a", boom)
		if errors.Is(err, boom) { // the first run's: it may be tried again
			first, err = once(ctx, "a", nil)
		}
		if err != nil {
			return "", err
		}
		second, err := once(ctx, "b", nil, pack.OnceNamed("second"))
		return first + second, err
	})
	s := start(t, b, pack.Options{})
	for _, run := range []string{"first", "replay"} {
		if got := s.post(t, keyedCall("t.twice", `{}`, "t1", onceKey)); got.Code != "handler-throw" || !strings.Contains(got.Message, pack.ErrNameUsed.Error()) {
			t.Errorf("%s: got %s", run, got.body)
		}
		wantOutput(t, s.post(t, keyedCall("t.named", `{}`, "t2", "bf055463-2cce-5e82-b31a-43d7698db52e")), `"ab"`)
	}

	// The context of a unit test may stand for several runs of a call.
	ctx := packtest.Context(protocol.CallContext{TenantID: "t3", IdempotencyKey: onceKey})
	for range 2 {
		if got, err := once(ctx, "x", nil); got != "x" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

// TestOnceWithoutCall tells an author whose context is not a handler's.
func TestOnceWithoutCall(t *testing.T) {
	t.Parallel()
	var store idempotency.Memory
	work := func(context.Context) (int, error) { return 1, nil }
	if _, err := pack.Once(t.Context(), &store, work, pack.AllowMissingKey()); err == nil || errors.Is(err, pack.ErrNoKey) {
		t.Errorf("got %v", err)
	}
	ctx := packtest.Context(protocol.CallContext{})
	if _, err := pack.Once(ctx, &store, work); !errors.Is(err, pack.ErrNoKey) {
		t.Errorf("got %v", err)
	}
}

// Two runs of one call do its work once.
func ExampleOnce() {
	var store idempotency.Memory
	handler := func(ctx context.Context, in Lookup) (string, error) {
		return pack.Once(ctx, &store, func(context.Context) (string, error) {
			fmt.Println("charging", in.Number)
			return "receipt for " + in.Number, nil
		})
	}
	ctx := packtest.Context(protocol.CallContext{IdempotencyKey: onceKey})
	for range 2 {
		fmt.Println(handler(ctx, Lookup{Number: "A-1"}))
	}
	// Output:
	// charging A-1
	// receipt for A-1 <nil>
	// receipt for A-1 <nil>
}

// What one call does several times over gets a name each time.
func ExampleOnceNamed() {
	var store idempotency.Memory
	handler := func(ctx context.Context, in Lookup) (string, error) {
		for _, step := range []string{"charge", "mail"} {
			_, err := pack.Once(ctx, &store, func(context.Context) (bool, error) {
				fmt.Println(step, in.Number)
				return true, nil
			}, pack.OnceNamed(step), pack.OnceWith(idempotency.WithRetention(60*24*time.Hour)))
			if err != nil {
				return "", err
			}
		}
		return "done", nil
	}
	ctx := packtest.Context(protocol.CallContext{IdempotencyKey: onceKey})
	for range 2 {
		fmt.Println(handler(ctx, Lookup{Number: "A-1"}))
	}
	// Output:
	// charge A-1
	// mail A-1
	// done <nil>
	// done <nil>
}

// The order and the record of the call commit together, or neither does.
func ExampleOnceTx() {
	var store *sqlstore.Store // of sqlstore.New, over the database that has the orders
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{ID: "acme.orders.cancel"}, func(ctx context.Context, in Lookup) (Order, error) {
		return pack.OnceTx(ctx, store, func(ctx context.Context, tx *sql.Tx) (Order, error) {
			order := Order{Number: in.Number}
			err := tx.QueryRowContext(ctx, "UPDATE orders SET state = 'cancelled' WHERE number = $1 RETURNING total", in.Number).Scan(&order.Total)
			return order, err
		})
	})
}

// TestOnceInReadOnly: a tool that only reads, by its registration, and does something once is
// recorded, at its first call.
func TestOnceInReadOnly(t *testing.T) {
	t.Parallel()
	var store idempotency.Memory
	b := pack.New("t", "1.0.0")
	once := func(ctx context.Context, _ struct{}) (int, error) {
		return pack.Once(ctx, &store, func(context.Context) (int, error) { return 1, nil }, pack.AllowMissingKey())
	}
	pack.AddTool(b, pack.Tool{ID: "t.reads", ReadOnly: true}, once)
	pack.AddTool(b, pack.Tool{ID: "t.writes"}, once)
	pack.AddTool(b, pack.Tool{ID: "t.looks", ReadOnly: true}, func(context.Context, struct{}) (int, error) { return 1, nil })
	s := start(t, b, pack.Options{})
	for range 2 {
		for _, tool := range []string{"t.writes", "t.looks", "t.reads"} {
			wantOutput(t, s.post(t, keyedCall(tool, `{}`, "t1", "")), `1`)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := s.log.String()
	if strings.Count(log, `"event":"once-in-read-only"`) != 1 ||
		!strings.Contains(log, `"toolId":"t.reads","kind":"once-in-read-only"`) {
		t.Errorf("got %s", log)
	}
}
