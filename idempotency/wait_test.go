package idempotency_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

func TestDoWaitsForTheFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		var runs atomic.Int64
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int64, error) {
					time.Sleep(3 * time.Minute) // many leases
					return runs.Add(1), nil
				})
				if got != 1 || err != nil {
					t.Errorf("got %d, error %v", got, err)
				}
			})
		}
		calls.Wait()
		if n := runs.Load(); n != 1 {
			t.Errorf("the work ran %d times", n)
		}
	})
}

func TestDoStopsWaiting(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		hold := make(chan struct{})
		var first sync.WaitGroup
		first.Go(func() {
			got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) {
				<-hold
				return 1, nil
			})
			if got != 1 || err != nil {
				t.Errorf("the first call got %d, error %v", got, err)
			}
		})
		synctest.Wait()
		again := func(ctx context.Context, options ...idempotency.Option) (time.Duration, error) {
			start := time.Now()
			_, err := idempotency.Do(ctx, store, testKey, func(context.Context) (int, error) {
				t.Error("the work ran twice")
				return 2, nil
			}, options...)
			if !errors.Is(err, idempotency.ErrInProgress) {
				t.Errorf("got %v, want ErrInProgress", err)
			}
			return time.Since(start), err
		}

		deadline, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		if waited, err := again(deadline); waited != 2*time.Minute || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at its deadline: waited %s, error %v", waited, err)
		}
		if waited, _ := again(t.Context(), idempotency.WithMaxWait(0)); waited != 0 {
			t.Errorf("without waiting: waited %s", waited)
		}
		if waited, _ := again(t.Context(), idempotency.WithMaxWait(time.Minute)); waited != time.Minute {
			t.Errorf("with a wait of a minute: waited %s", waited)
		}
		because := errors.New("the caller has gone")
		cancelled, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(because) })
		if waited, err := again(cancelled); waited != time.Second || !errors.Is(err, because) {
			t.Errorf("cancelled: waited %s, error %v", waited, err)
		}
		close(hold)
		first.Wait()
	})
}

// A call that waits must neither share the end of a caller that has gone nor its panic: it takes its
// turn.
func TestDoWaitingCallTakesItsTurn(t *testing.T) {
	for name, end := range map[string]func(context.Context) (int, error){
		"after a cancelled call": func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		},
		"after a panic": func(context.Context) (int, error) {
			time.Sleep(time.Second)
			panic("boom")
		},
		"after work that ends its goroutine": func(context.Context) (int, error) {
			time.Sleep(time.Second)
			runtime.Goexit() // as t.FailNow does
			return 0, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, store idempotency.Store) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				var calls sync.WaitGroup
				calls.Go(func() {
					defer func() { _ = recover() }()
					got, err := idempotency.Do(ctx, store, testKey, end)
					if !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("the first call got %d, error %v", got, err)
					}
				})
				synctest.Wait()
				var runs atomic.Int64
				for range 5 {
					calls.Go(func() {
						got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int64, error) {
							return runs.Add(1), nil
						})
						if got != 1 || err != nil {
							t.Errorf("a waiting call got %d, error %v", got, err)
						}
					})
				}
				calls.Wait()
			})
		})
	}
}

// Of two calls in one process that wait for another process, the less patient one gives up alone.
func TestDoWaitingCallsHaveTheirOwnPatience(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		terms := idempotency.Terms{Lease: time.Hour}
		record, acquired, err := store.Acquire(t.Context(), testKey, terms)
		if !acquired || err != nil {
			t.Fatalf("acquired %t, error %v", acquired, err)
		}
		var calls sync.WaitGroup
		wait := func(patience time.Duration) (string, error) {
			return idempotency.Do(t.Context(), store, testKey, func(context.Context) (string, error) { return "own", nil },
				idempotency.WithMaxWait(patience))
		}
		calls.Go(func() {
			if got, err := wait(time.Minute); !errors.Is(err, idempotency.ErrInProgress) {
				t.Errorf("the impatient call got %q, error %v", got, err)
			}
		})
		synctest.Wait()
		calls.Go(func() {
			if got, err := wait(time.Hour); got != "other" || err != nil {
				t.Errorf("the patient call got %q, error %v", got, err)
			}
		})
		time.Sleep(10 * time.Minute)
		outcome := idempotency.Outcome{State: idempotency.Succeeded, Result: []byte(`"other"`)}
		if err := store.Complete(t.Context(), record.Claim(), outcome, terms); err != nil {
			t.Error(err)
		}
		calls.Wait()
	})
}

func TestDoDoesNotBeginInAnEndedContext(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := idempotency.Do(ctx, store, testKey, func(context.Context) (int, error) {
			t.Error("the work ran")
			return 1, nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestDoInsideItself(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		other := testKey
		other.ID = "another"
		inner := func(ctx context.Context, key idempotency.Key) (int, error) {
			return idempotency.Do(ctx, store, key, func(context.Context) (int, error) { return 1, nil })
		}
		_, err := idempotency.Do(t.Context(), store, testKey, func(ctx context.Context) (int, error) {
			return idempotency.Do(ctx, store, other, func(ctx context.Context) (int, error) { return inner(ctx, testKey) })
		})
		if !errors.Is(err, idempotency.ErrInProgress) {
			t.Errorf("got %v, want ErrInProgress and no deadlock", err)
		}
	})
}
