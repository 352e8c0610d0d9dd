package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// lease keeps a claim's lease alive while the work runs.
type lease struct {
	ctx  context.Context // the work's: ends when the lease is lost
	end  context.CancelCauseFunc
	stop context.CancelFunc // of the renewals
	done chan struct{}      // closed when the renewals have ended
}

// holdLease renews claim every third of its lease until drop is called. The lease began after asked.
func holdLease(ctx context.Context, store Store, claim Claim, terms Terms, asked time.Time) *lease {
	l := &lease{done: make(chan struct{})}
	l.ctx, l.end = context.WithCancelCause(ctx)
	// Work that goes on after its caller has gone still needs its lease.
	var renewals context.Context
	renewals, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(l.done)
		if err := keepLease(renewals, store, claim, terms, asked.Add(terms.Lease)); err != nil {
			l.end(err)
		}
	}()
	return l
}

// drop stops the renewals and waits for the last one to end.
func (l *lease) drop() {
	l.stop()
	<-l.done
	l.end(nil)
}

// lost gives the reason for which the lease was lost, or nil.
func (l *lease) lost() error {
	if cause := context.Cause(l.ctx); errors.Is(cause, ErrLeaseLost) {
		return cause
	}
	return nil
}

// keepLease renews a lease that lasts at least until the given moment. It returns nil when ctx ends and
// an error that matches [ErrLeaseLost] when the lease is lost.
//
// The moments are this process's own: the store began the lease after it was asked to, so a lease
// counted from the asking ends here before it ends there, whatever the two clocks show.
func keepLease(ctx context.Context, store Store, claim Claim, terms Terms, until time.Time) error {
	const parts = 3
	delay := terms.Lease / parts
	for pause(ctx, nil, delay) == nil {
		asked := time.Now()
		// A process that was held up and finds its lease over still asks once: nobody else may have
		// wanted the key.
		limit := asked.Add(terms.Lease / parts)
		if until.After(limit) {
			limit = until
		}
		asking, cancel := context.WithDeadline(ctx, limit)
		err := store.Renew(asking, claim, terms)
		cancel()
		switch {
		case err == nil:
			until, delay = asked.Add(terms.Lease), terms.Lease/parts
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrLeaseLost):
			return err
		case !time.Now().Before(until):
			return fmt.Errorf("idempotency: key %q: %w: it could not be renewed in time: %w", claim.Key.ID, ErrLeaseLost, err)
		default:
			delay = max(min(terms.Lease/10, time.Until(until)), time.Millisecond)
		}
	}
	return nil
}
