package idempotency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kindgi/kindgi-go/internal/cause"
)

// Do does the work fn once for key and gives its result: on the first call by running fn, on every
// later one from the record in store. What it gives is always read back from the recorded form, on the
// first call too, so that all calls get the same.
//
//   - While the work runs in another call, here or in another process, Do waits for it. When ctx ends
//     first, or the time of [WithMaxWait] passes, the error matches [ErrInProgress].
//   - A key that was used with another fingerprint is refused with [ErrKeyReused].
//   - An error that fn returns is given as it is and not recorded: the next call runs fn again. Calls
//     that waited in the same process get that error too. An error marked with [Permanent] is recorded,
//     and later calls get it as a [PermanentError]. So is a result that cannot be encoded, since what
//     fn did has been done.
//   - A panic of fn leaves Do, and the key can be tried again.
//   - When the process dies, the key can be tried again once its lease ends: see [WithLease].
//   - When the lease is lost while fn runs, fn's context is cancelled with a cause that matches
//     [ErrLeaseLost], and so does Do's error, unless nobody took the key meanwhile and fn succeeded.
//
// fn runs in the calling goroutine, and Do never returns before it does. Its context is ctx with the
// lease's end added and with a [Token]. When ctx ends while fn runs, fn decides what that means: a
// result it still returns is recorded, for which Do may take up to ten seconds more.
//
// fn runs once as far as the store can tell. It may run again after a crash, after a lost lease or with
// [ErrNotRecorded], and what it had done in another system by then stays done. See the package comment
// for how to close that gap.
func Do[T any](ctx context.Context, store Store, key Key, fn func(context.Context) (T, error), options ...Option) (T, error) {
	var zero, value T
	c, err := newCall(store, key, options)
	if err != nil {
		return zero, err
	}
	if fn == nil {
		return zero, errNoWork
	}
	c.work = func(ctx context.Context, _ Claim) (Outcome, bool, error) {
		result, err := fn(ctx)
		if err != nil {
			return Outcome{}, false, err
		}
		encoded, decoded, err := throughRecord(&c.settings, result)
		if err != nil {
			// What fn did is done and must not be done again, so this is final.
			return Outcome{}, false, Permanent(err)
		}
		value = decoded
		return Outcome{State: Succeeded, Result: encoded}, false, nil
	}
	return give(ctx, c, &value)
}

var errNoWork = errors.New("idempotency: the function that does the work is nil")

// give runs the call and gives the value that its own work left in *own, or else the recorded one.
func give[T any](ctx context.Context, c *call, own *T) (T, error) {
	var zero T
	record, ran, err := c.do(ctx)
	if err != nil {
		return zero, err
	}
	if ran {
		return *own, nil
	}
	var value T
	// The bytes may be shared with other calls, and a decoder may keep parts of what it reads.
	if err := c.unmarshal(bytes.Clone(record.Result), &value); err != nil {
		return zero, fmt.Errorf("idempotency: the recorded result of key %q does not decode into %T: %w", c.key.ID, value, err)
	}
	return value, nil
}

// throughRecord encodes a result and reads it back as a later call will.
func throughRecord[T any](s *settings, result T) (encoded []byte, decoded T, err error) {
	if encoded, err = s.marshal(result); err != nil {
		return nil, decoded, fmt.Errorf("idempotency: the result cannot be encoded: %w", err)
	}
	if err = s.unmarshal(bytes.Clone(encoded), &decoded); err != nil {
		return nil, decoded, fmt.Errorf("idempotency: the encoded result cannot be read back into %T: %w", decoded, err)
	}
	return encoded, decoded, nil
}

// call is one call of Do or DoTx.
type call struct {
	settings
	store Store
	key   Key
	// work runs the author's function under claim. When it has recorded the outcome itself, recorded is
	// true.
	work func(ctx context.Context, claim Claim) (outcome Outcome, recorded bool, err error)
}

func newCall(store Store, key Key, options []Option) (*call, error) {
	if store == nil {
		return nil, errors.New("idempotency: the store is nil")
	}
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	if s.replayed != nil {
		*s.replayed = false
	}
	if err := key.check(); err != nil {
		return nil, err
	}
	return &call{settings: s, store: store, key: key}, nil
}

// do gives the record of the key, by running the work if need be; ran says that this call ran it. A
// recorded failure is an error.
func (c *call) do(ctx context.Context) (record Record, ran bool, err error) {
	if err := context.Cause(ctx); err != nil {
		return Record{}, false, fmt.Errorf("idempotency: key %q was not begun: %w", c.key.ID, err)
	}
	if insideWorkOf(ctx, c.key) {
		return Record{}, false, inProgress(c.key, errors.New("the work itself asks for it"))
	}
	var patience <-chan time.Time
	if c.maxWait > 0 {
		timer := time.NewTimer(c.maxWait)
		defer timer.Stop()
		patience = timer.C
	}
	flights := flightsOf(c.store)
	if flights == nil || c.maxWait == 0 {
		// Who does not wait has no use for a flight: the store knows at once that another has the key.
		record, ran, err = c.try(ctx, patience)
	} else {
		verdict, led := flights.do(ctx, c.key, patience, func() flight {
			record, ran, err = c.try(ctx, patience)
			return share(ctx, record, err)
		})
		if !led {
			record, err = verdict.record, verdict.err
		}
	}
	if !ran && record.State != "" {
		if c.replayed != nil {
			*c.replayed = true
		}
		if record.State == Failed {
			err = &PermanentError{Message: record.Failure}
		}
	}
	return record, ran, err
}

// share gives what a leading call's end means to the calls that waited for it.
func share(ctx context.Context, record Record, err error) flight {
	switch {
	case record.State != "":
		return flight{record: record}
	case ctx.Err() != nil, cause.Is(err, ErrInProgress), cause.Is(err, ErrLeaseLost):
		// The caller's own end, or another owner's work: waiting goes on.
		return flight{err: errTakeTurn}
	default:
		return flight{err: err}
	}
}

// try acquires the key and runs the work, or gives the record that another call made; it waits while
// another call has the key. record.State is "" unless the outcome is recorded.
func (c *call) try(ctx context.Context, patience <-chan time.Time) (record Record, ran bool, err error) {
	began := time.Now()
	for waiting := false; ; waiting = true {
		asked := time.Now()
		found, acquired, err := c.store.Acquire(ctx, c.key, c.terms)
		switch {
		case err != nil && waiting && ctx.Err() != nil:
			return Record{}, false, inProgress(c.key, context.Cause(ctx))
		case err != nil:
			return Record{}, false, fmt.Errorf("idempotency: key %q could not be acquired: %w", c.key.ID, err)
		case acquired:
			record, err := c.run(ctx, found.Claim(), asked)
			return record, true, err
		case found.Key.Fingerprint != c.key.Fingerprint:
			return Record{}, false, fmt.Errorf("idempotency: key %q: %w", c.key.ID, ErrKeyReused)
		case found.State != Running:
			return found, false, nil
		case c.maxWait == 0:
			return Record{}, false, inProgress(c.key, nil)
		}
		if err := pause(ctx, patience, pollDelay(time.Since(began), found.LeaseLeft)); err != nil {
			return Record{}, false, inProgress(c.key, err)
		}
	}
}

// run does the work under claim, whose lease began after asked, and records how it ended.
func (c *call) run(ctx context.Context, claim Claim, asked time.Time) (record Record, err error) {
	lease := holdLease(ctx, c.store, claim, c.terms, asked)
	release := true // also when the work panics or ends its goroutine
	defer func() {
		lease.drop()
		if !release {
			return
		}
		if failed := c.release(ctx, claim); failed != nil {
			err = errors.Join(err, failed) // only then: the work's error is otherwise given as it is
		}
	}()
	outcome, recorded, err := c.work(withAttempt(lease.ctx, claim), claim)
	if _, final := cause.Find[*PermanentError](err); final {
		outcome = Outcome{State: Failed, Failure: failureText(err)}
	} else if err != nil {
		if lost := lease.lost(); lost != nil && !cause.Is(err, ErrLeaseLost) {
			err = fmt.Errorf("%w: %w", lost, err)
		}
		return Record{}, err
	}
	release = false
	if !recorded {
		if failed := c.complete(ctx, claim, outcome); failed != nil {
			return Record{}, errors.Join(failed, err)
		}
	}
	return Record{Key: c.key, Outcome: outcome, Token: claim.Token}, err
}

// How long a call tries to write down how its work ended, also when its context has ended.
const (
	completeTime = 10 * time.Second // an effect without its record is what this package is there to prevent
	releaseTime  = 2 * time.Second  // a key that is not released is free again when its lease ends
)

// complete records an outcome. It asks again while the store fails, which rule 15 of [Store] allows.
func (c *call) complete(ctx context.Context, claim Claim, outcome Outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), completeTime)
	defer cancel()
	for delay := 10 * time.Millisecond; ; delay = min(2*delay, time.Second) {
		err := c.store.Complete(ctx, claim, outcome, c.terms)
		if err == nil {
			return nil
		}
		if errors.Is(err, ErrLeaseLost) {
			return fmt.Errorf("idempotency: key %q: the outcome was not recorded: %w", c.key.ID, err)
		}
		if pause(ctx, nil, delay) != nil {
			return fmt.Errorf("idempotency: key %q: %w: %w", c.key.ID, ErrNotRecorded, err)
		}
	}
}

// release gives the key up, so that the next call need not wait for the lease to end.
func (c *call) release(ctx context.Context, claim Claim) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if err := c.store.Release(ctx, claim); err != nil {
		return fmt.Errorf("idempotency: key %q stays taken until its lease ends: %w", c.key.ID, err)
	}
	return nil
}

// inProgress says why a call stopped waiting; why may be nil.
func inProgress(key Key, why error) error {
	if why == nil {
		return fmt.Errorf("idempotency: key %q: %w", key.ID, ErrInProgress)
	}
	return fmt.Errorf("idempotency: key %q: %w: %w", key.ID, ErrInProgress, why)
}
