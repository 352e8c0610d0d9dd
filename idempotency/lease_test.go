package idempotency_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

var errDown = errors.New("the database is down")

// flaky is a store whose methods fail as a test says. A nil function does not fail.
type flaky struct {
	idempotency.Store
	renew, complete, release func() error
}

func (f *flaky) Renew(ctx context.Context, claim idempotency.Claim, terms idempotency.Terms) error {
	if f.renew != nil {
		if err := f.renew(); err != nil {
			return err
		}
	}
	return f.Store.Renew(ctx, claim, terms)
}

func (f *flaky) Complete(ctx context.Context, claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	if f.complete != nil {
		if err := f.complete(); err != nil {
			return err
		}
	}
	return f.Store.Complete(ctx, claim, outcome, terms)
}

func (f *flaky) Release(ctx context.Context, claim idempotency.Claim) error {
	if f.release != nil {
		if err := f.release(); err != nil {
			return err
		}
	}
	return f.Store.Release(ctx, claim)
}

func down() error { return errDown }

func TestLeaseIsTakenOverAfterACrash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &idempotency.Memory{}
		// A process that died: its claim is there, and nobody renews it.
		_, acquired, err := store.Acquire(t.Context(), testKey, idempotency.Terms{Lease: 10 * time.Second})
		if !acquired || err != nil {
			t.Fatalf("acquired %t, error %v", acquired, err)
		}
		start := time.Now()
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 2, nil })
		if got != 2 || err != nil {
			t.Errorf("got %d, error %v", got, err)
		}
		if waited := time.Since(start); waited != 10*time.Second {
			t.Errorf("waited %s for a lease of 10s", waited)
		}
	})
}

func TestLeaseThatCannotBeRenewedEndsTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &flaky{Store: &idempotency.Memory{}, renew: down, release: down}
		start := time.Now()
		_, err := idempotency.Do(t.Context(), store, testKey, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			if cause := context.Cause(ctx); !errors.Is(cause, idempotency.ErrLeaseLost) || !errors.Is(cause, errDown) {
				t.Errorf("the work ended because of %v", cause)
			}
			return 0, ctx.Err()
		}, idempotency.WithLease(30*time.Second))
		if !errors.Is(err, idempotency.ErrLeaseLost) || !errors.Is(err, errDown) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if lasted := time.Since(start); lasted < 29*time.Second || lasted > 30*time.Second {
			t.Errorf("the work ended after %s, its lease after 30s", lasted)
		}
	})
}

func TestLeaseThatAnotherOwnerTookEndsTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &flaky{Store: &idempotency.Memory{}, renew: func() error { return idempotency.ErrLeaseLost }}
		start := time.Now()
		_, err := idempotency.Do(t.Context(), store, testKey, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, context.Cause(ctx)
		}, idempotency.WithLease(30*time.Second))
		if !errors.Is(err, idempotency.ErrLeaseLost) {
			t.Errorf("got %v", err)
		}
		if lasted := time.Since(start); lasted != 10*time.Second {
			t.Errorf("the work ended after %s, the first renewal was after 10s", lasted)
		}
	})
}

func TestLeaseSurvivesAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		outage := func() error {
			if gone := time.Since(start); gone > 15*time.Second && gone < 35*time.Second {
				return errDown
			}
			return nil
		}
		memory := &idempotency.Memory{}
		store := &flaky{Store: memory, renew: outage}
		got, err := idempotency.Do(t.Context(), store, testKey, func(ctx context.Context) (int, error) {
			for range 100 {
				time.Sleep(time.Second)
				if record, acquired, err := memory.Acquire(ctx, testKey, idempotency.Terms{Lease: time.Second}); acquired || err != nil {
					t.Fatalf("after %s another call acquired %+v, error %v", time.Since(start), record, err)
				}
			}
			return 1, ctx.Err()
		}, idempotency.WithLease(30*time.Second))
		if got != 1 || err != nil {
			t.Errorf("got %d, error %v", got, err)
		}
	})
}

// An owner that loses its key to another one and does not notice in time must not record, and the
// result that everybody gets is the other's.
func TestLostLeaseCannotRecord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := &idempotency.Memory{}
		slow := &flaky{Store: memory, renew: down}
		var calls sync.WaitGroup
		calls.Go(func() {
			got, err := idempotency.Do(t.Context(), slow, testKey, func(context.Context) (string, error) {
				time.Sleep(time.Minute) // deaf to its context
				return "slow", nil
			})
			if !errors.Is(err, idempotency.ErrLeaseLost) {
				t.Errorf("the slow owner got %q, error %v", got, err)
			}
		})
		synctest.Wait()
		for _, sleep := range []time.Duration{40 * time.Second, 0} {
			got, err := idempotency.Do(t.Context(), memory, testKey, func(context.Context) (string, error) {
				time.Sleep(sleep)
				return "quick", nil
			})
			if got != "quick" || err != nil {
				t.Errorf("got %q, error %v", got, err)
			}
		}
		calls.Wait()
	})
}

// Work that goes on after its caller has gone keeps its lease.
func TestLeaseOutlastsTheCaller(t *testing.T) {
	inBubble(t, func(t *testing.T, store idempotency.Store) {
		var calls sync.WaitGroup
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		calls.Go(func() {
			got, err := idempotency.Do(ctx, store, testKey, func(context.Context) (string, error) {
				time.Sleep(5 * time.Minute) // deaf to its context
				return "first", nil
			})
			if got != "first" || err != nil {
				t.Errorf("the first call got %q, error %v", got, err)
			}
		})
		synctest.Wait()
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (string, error) { return "second", nil })
		if got != "first" || err != nil {
			t.Errorf("the second call got %q, error %v", got, err)
		}
		calls.Wait()
	})
}

// A lease that was lost to nobody does no harm.
func TestLostLeaseThatNobodyTook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &flaky{Store: &idempotency.Memory{}, renew: down}
		for range 2 {
			got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) {
				time.Sleep(time.Minute)
				return 1, nil
			})
			if got != 1 || err != nil {
				t.Errorf("got %d, error %v", got, err)
			}
		}
	})
}

func TestOutcomeIsRecordedAfterAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int64
		store := &flaky{Store: &idempotency.Memory{}, complete: func() error {
			if tries.Add(1) < 5 {
				return errDown
			}
			return nil
		}}
		runs := 0
		for range 2 {
			got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) {
				runs++
				return runs, nil
			})
			if got != 1 || err != nil {
				t.Errorf("got %d, error %v", got, err)
			}
		}
	})
}

func TestOutcomeThatIsNotRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := &idempotency.Memory{}
		start := time.Now()
		_, err := idempotency.Do(t.Context(), &flaky{Store: memory, complete: down}, testKey, func(context.Context) (int, error) {
			return 1, nil
		})
		if !errors.Is(err, idempotency.ErrNotRecorded) || !errors.Is(err, errDown) {
			t.Errorf("got %v", err)
		}
		if lasted := time.Since(start); lasted > 10*time.Second {
			t.Errorf("the call took %s", lasted)
		}
		// The work was done, so the key is not given away before its lease ends.
		_, err = idempotency.Do(t.Context(), memory, testKey, func(context.Context) (int, error) { return 2, nil }, idempotency.WithMaxWait(0))
		if !errors.Is(err, idempotency.ErrInProgress) {
			t.Errorf("at once: got %v", err)
		}
		got, err := idempotency.Do(t.Context(), memory, testKey, func(context.Context) (int, error) { return 2, nil })
		if got != 2 || err != nil {
			t.Errorf("after the lease: got %d, error %v", got, err)
		}
	})
}

func TestKeyThatIsNotReleased(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failure := errors.New("the gateway is down")
		store := &flaky{Store: &idempotency.Memory{}, release: down}
		_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 0, failure })
		if !errors.Is(err, failure) || !errors.Is(err, errDown) {
			t.Errorf("got %v, want both errors", err)
		}
		start := time.Now()
		got, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 2, nil })
		if got != 2 || err != nil || time.Since(start) != 30*time.Second {
			t.Errorf("got %d, error %v after %s", got, err, time.Since(start))
		}
	})
}

// A store that is down is asked once by the calls of one process that wait for each other.
func TestWaitingCallsShareAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &outage{}
		var calls sync.WaitGroup
		start := time.Now()
		for range 50 {
			calls.Go(func() {
				_, err := idempotency.Do(t.Context(), store, testKey, func(context.Context) (int, error) { return 1, nil })
				if !errors.Is(err, errDown) {
					t.Errorf("got %v", err)
				}
			})
		}
		calls.Wait()
		if n, lasted := store.asked.Load(), time.Since(start); n != 1 || lasted != time.Second {
			t.Errorf("the store was asked %d times, for %s", n, lasted)
		}
	})
}

// outage is a store that takes a second to say that it is down.
type outage struct {
	idempotency.Flights
	idempotency.Store
	asked atomic.Int64
}

func (o *outage) Acquire(context.Context, idempotency.Key, idempotency.Terms) (idempotency.Record, bool, error) {
	o.asked.Add(1)
	time.Sleep(time.Second)
	return idempotency.Record{}, false, errDown
}
