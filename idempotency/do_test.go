package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

var testKey = idempotency.Key{Tenant: "acme", ID: "f6c8a374-b63c-5453-8320-1ca9c067447a", Fingerprint: "input"}

// remote hides that two calls are in one process: a store without Flights, as another process sees it.
type remote struct{ idempotency.Store }

// stores gives the ways in which two calls can share records: in one process, and as if in two.
func stores() map[string]func() idempotency.Store {
	return map[string]func() idempotency.Store{
		"one process":   func() idempotency.Store { return &idempotency.Memory{} },
		"two processes": func() idempotency.Store { return remote{&idempotency.Memory{}} },
	}
}

// inBubble runs test in a bubble of its own for each of [stores].
func inBubble(t *testing.T, test func(t *testing.T, store idempotency.Store)) {
	t.Helper()
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { test(t, open()) })
		})
	}
}

type charge struct {
	ID     string
	Amount int64
}

func TestDoReplays(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		runs := 0
		for call := range 3 {
			replayed := call == 0
			got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (charge, error) {
				runs++
				return charge{ID: fmt.Sprint("ch_", runs), Amount: 1<<53 + 1}, nil
			}, idempotency.WithReplayed(&replayed))
			if err != nil {
				t.Fatal(err)
			}
			if want := (charge{"ch_1", 1<<53 + 1}); got != want {
				t.Errorf("call %d got %+v, want %+v", call, got, want)
			}
			if replayed != (call > 0) {
				t.Errorf("call %d: replayed is %t", call, replayed)
			}
		}
		if runs != 1 {
			t.Errorf("the work ran %d times", runs)
		}
	})
}

func TestDoKeepsTenantsApart(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		for _, tenant := range []string{"acme", "", "globex"} {
			key := testKey
			key.Tenant = tenant
			got, err := idempotency.Do(t.Context(), store, key, func(context.Context) (string, error) { return tenant, nil })
			if got != tenant || err != nil {
				t.Errorf("tenant %q got %q, error %v", tenant, got, err)
			}
		}
	})
}

func TestDoRefusesAnotherInput(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		other := testKey
		other.Fingerprint = "another input"
		refused := func(when string) {
			start := time.Now()
			_, err := idempotency.Do(t.Context(), store, other, func(context.Context) (int, error) {
				t.Error("the work ran with another input")
				return 2, nil
			})
			if !errors.Is(err, idempotency.ErrKeyReused) {
				t.Errorf("%s: got %v, want ErrKeyReused", when, err)
			}
			if waited := time.Since(start); waited != 0 {
				t.Errorf("%s: waited %s for a result it cannot have", when, waited)
			}
		}
		_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) {
			refused("while the work runs")
			return 1, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		refused("after the work")
	})
}

func TestDoTriesAgainAfterAnError(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		failure := errors.New("the gateway is down")
		_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 0, failure })
		if err != failure {
			t.Errorf("got %v, want the work's error as it is", err)
		}
		start := time.Now()
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 2, nil })
		if got != 2 || err != nil || time.Since(start) != 0 {
			t.Errorf("got %d, error %v after %s", got, err, time.Since(start))
		}
	})
}

// selfish is an error that wraps itself.
type selfish struct{}

func (selfish) Error() string   { return "selfish" }
func (e selfish) Unwrap() error { return e }

// An error without an end is given as it is, and the key is free again.
func TestDoEndsWithAnErrorThatDoesNot(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		for range 2 {
			ran := false
			_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (charge, error) {
				ran = true
				return charge{}, selfish{}
			})
			if err != error(selfish{}) || !ran {
				t.Fatalf("got %v, ran: %v", err, ran)
			}
		}
	})
}

func TestDoRecordsAPermanentError(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		declined := errors.New("declined")
		run := func(replayed *bool) error {
			_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) {
				return 0, fmt.Errorf("charging the card: %w", idempotency.Permanent(declined))
			}, idempotency.WithReplayed(replayed))
			return err
		}
		var replayed bool
		first := run(&replayed)
		if !errors.Is(first, declined) || replayed {
			t.Errorf("the first call got %v, replayed %t", first, replayed)
		}
		second := run(&replayed)
		if _, ok := errors.AsType[*idempotency.PermanentError](second); !ok || !replayed {
			t.Errorf("the second call got %v, replayed %t", second, replayed)
		}
		if second == nil || second.Error() != first.Error() {
			t.Errorf("the texts differ: %v and %v", first, second)
		}
	})
}

func TestPermanentNil(t *testing.T) {
	t.Parallel()
	if err := idempotency.Permanent(nil); err != nil {
		t.Errorf("Permanent(nil) is %v", err)
	}
}

func TestDoRecordsAResultThatCannotBeEncoded(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		runs := 0
		for range 2 {
			_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (func(), error) {
				runs++
				return func() {}, nil
			})
			if _, ok := errors.AsType[*idempotency.PermanentError](err); !ok {
				t.Errorf("got %v, want a PermanentError", err)
			}
		}
		if runs != 1 {
			t.Errorf("the work ran %d times, although it had been done", runs)
		}
	})
}

func TestDoLetsAPanicThrough(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		func() {
			defer func() {
				if got := recover(); got != "boom" {
					t.Errorf("recovered %v", got)
				}
			}()
			_, _ = idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { panic("boom") })
		}()
		start := time.Now()
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 2, nil })
		if got != 2 || err != nil || time.Since(start) != 0 {
			t.Errorf("after the panic: got %d, error %v after %s", got, err, time.Since(start))
		}
	})
}

func TestDoRecordsAResultThatCameAfterTheDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		got, err := idempotency.Do(ctx, store, testKey, func(context.Context) (int, error) {
			time.Sleep(time.Minute)
			return 1, nil
		})
		if got != 1 || err != nil {
			t.Errorf("got %d, error %v", got, err)
		}
		got, err = idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 2, nil })
		if got != 1 || err != nil {
			t.Errorf("later: got %d, error %v", got, err)
		}
	})
}

func TestDoForgetsAfterRetention(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		run := func(n int) int {
			got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) {
				time.Sleep(2 * time.Hour) // longer than what is kept
				return n, nil
			}, idempotency.WithRetention(time.Hour))
			if err != nil {
				t.Error(err)
			}
			return got
		}
		if got := run(1); got != 1 {
			t.Errorf("got %d", got)
		}
		time.Sleep(59 * time.Minute)
		if got := run(2); got != 1 {
			t.Errorf("within the retention: got %d", got)
		}
		time.Sleep(time.Minute)
		if got := run(3); got != 3 {
			t.Errorf("after the retention: got %d", got)
		}
	})
}

func TestDoEncodesWhatGoAuthorsUse(t *testing.T) {
	t.Parallel()
	type result struct {
		Took    time.Duration
		At      time.Time
		Big     uint64
		Bytes   []byte
		Nothing map[string]int `json:",omitempty"`
		Zero    int            `json:",omitempty"`
	}
	want := result{Took: 3 * time.Second, At: time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC), Big: 1<<64 - 1, Bytes: []byte("\xff\x00")}
	store := &idempotency.Memory{}
	for range 2 {
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (result, error) { return want, nil })
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, error %v", got, err)
		}
	}
}

func TestDoEncodesAsTheCallerSays(t *testing.T) {
	t.Parallel()
	store := &idempotency.Memory{}
	encoding := idempotency.WithEncoding(
		func(v any) ([]byte, error) { return []byte("<" + v.(string) + ">"), nil },
		func(data []byte, v any) error { *v.(*string) = string(data); return nil },
	)
	for range 2 {
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (string, error) { return "x", nil }, encoding)
		if got != "<x>" || err != nil {
			t.Errorf("got %q, error %v", got, err)
		}
	}
	record, acquired, err := store.Acquire(t.Context(), testKey, idempotency.Terms{Lease: time.Minute})
	if err != nil || acquired || string(record.Result) != "<x>" {
		t.Errorf("the record is %+v, acquired %t, error %v", record, acquired, err)
	}
}

// A result that loses something on its way through the record does so in the first call, where its
// author sees it.
func TestDoGivesWhatItRecorded(t *testing.T) {
	t.Parallel()
	type result struct {
		Kept string
		Lost string `json:"-"`
	}
	store := &idempotency.Memory{}
	for range 2 {
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (result, error) {
			return result{"kept", "lost"}, nil
		})
		if want := (result{Kept: "kept"}); got != want || err != nil {
			t.Errorf("got %+v, error %v", got, err)
		}
	}
}

// A decoder may keep parts of what it reads, so calls must not share bytes.
func TestDoSharesNoBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &idempotency.Memory{}
		keep := idempotency.WithEncoding(
			func(v any) ([]byte, error) { return v.([]byte), nil },
			func(data []byte, v any) error { *v.(*[]byte) = data; return nil },
		)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) ([]byte, error) {
					time.Sleep(time.Second)
					return []byte("result"), nil
				}, keep)
				if string(got) != "result" || err != nil {
					t.Errorf("got %q, error %v", got, err)
				}
				clear(got)
			})
		}
		calls.Wait()
	})
}

func TestDoRefusesNonsense(t *testing.T) {
	t.Parallel()
	store := &idempotency.Memory{}
	work := func(context.Context) (int, error) { return 1, nil }
	type arguments struct {
		store   idempotency.Store
		key     idempotency.Key
		work    func(context.Context) (int, error)
		options []idempotency.Option
	}
	long := string(make([]byte, 1025))
	for name, a := range map[string]arguments{
		"no store":              {nil, testKey, work, nil},
		"no work":               {store, testKey, nil, nil},
		"no ID":                 {store, idempotency.Key{Tenant: "acme"}, work, nil},
		"an ID not UTF-8":       {store, idempotency.Key{ID: "\xff"}, work, nil},
		"a tenant not UTF-8":    {store, idempotency.Key{ID: "a", Tenant: "\xff"}, work, nil},
		"an ID with U+0000":     {store, idempotency.Key{ID: "a\x00"}, work, nil},
		"a long ID":             {store, idempotency.Key{ID: long}, work, nil},
		"a long fingerprint":    {store, idempotency.Key{ID: "a", Fingerprint: long}, work, nil},
		"a negative lease":      {store, testKey, work, []idempotency.Option{idempotency.WithLease(-1)}},
		"a negative retention":  {store, testKey, work, []idempotency.Option{idempotency.WithRetention(-1)}},
		"a negative wait":       {store, testKey, work, []idempotency.Option{idempotency.WithMaxWait(-1)}},
		"half an encoding":      {store, testKey, work, []idempotency.Option{idempotency.WithEncoding(nil, func([]byte, any) error { return nil })}},
		"the other half of one": {store, testKey, work, []idempotency.Option{idempotency.WithEncoding(func(any) ([]byte, error) { return nil, nil }, nil)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := idempotency.Do(t.Context(), a.store, a.key, a.work, a.options...); err == nil {
				t.Errorf("got %d and no error", got)
			}
		})
	}
	if _, err := idempotency.Do(t.Context(), store, testKey, work, nil, idempotency.WithLease(0)); err != nil {
		t.Errorf("a nil option and a default lease: %v", err)
	}
}

func TestToken(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		if token, ok := idempotency.Token(t.Context()); ok {
			t.Errorf("outside the work the token is %d", token)
		}
		var tokens []int64
		for range 3 {
			_, _ = idempotency.Do(t.Context(), store, testKey, func(ctx context.Context) (int, error) {
				token, ok := idempotency.Token(ctx)
				if !ok {
					t.Error("no token")
				}
				tokens = append(tokens, token)
				return 0, errors.New("again")
			})
		}
		if !(tokens[0] < tokens[1] && tokens[1] < tokens[2]) {
			t.Errorf("the tokens are %d", tokens)
		}
	})
}
