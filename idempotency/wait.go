package idempotency

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// A call that waits for another process asks the store at these distances.
const (
	minPoll = 5 * time.Millisecond
	maxPoll = 500 * time.Millisecond
)

// pollDelay gives the time until the next question. It grows with the time waited so far, so that a
// result is seen at most about a quarter later than it might have been, and that many waiting calls ask
// seldom. A lease that ends sooner is worth looking at when it ends. Chance keeps waiting calls apart.
func pollDelay(waited, leaseLeft time.Duration) time.Duration {
	delay := min(max(waited/4, minPoll), maxPoll)
	delay = delay*3/4 + rand.N(delay/2)
	if leaseLeft > 0 {
		delay = min(delay, leaseLeft)
	}
	return max(delay, time.Millisecond)
}

// errImpatient says that a call's [WithMaxWait] ended its wait.
var errImpatient = errors.New("the wait took too long")

// pause waits for delay. The error says what ended the wait before: ctx, or patience.
func pause(ctx context.Context, patience <-chan time.Time, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-patience:
		return errImpatient
	}
}
