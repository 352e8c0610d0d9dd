package pack

import (
	"context"
	"sync"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
)

// callContext is the context of a handler. It ends when its deadline passes, the caller
// goes, or the service stops, and [context.Cause] tells which.
//
// The context package would take two contexts for that, one with the deadline within one
// with the cause, which are linked: most of what a small call allocates. This one costs the
// cause alone; what is derived from it follows it by its method AfterFunc.
type callContext struct {
	// cause ends with the context's cause, for context.Cause to find. It has the request's
	// values, and does not end with the request.
	cause    context.Context
	setCause context.CancelCauseFunc
	deadline time.Time
	call     *Call
	once     onceNames

	mu    sync.Mutex
	err   error
	done  chan struct{} // nil until somebody asks for it
	after map[*func()]struct{}
	wake  chan struct{} // tells who waits for the call that the context has ended
}

// begin makes the context of a call. Values are those of request.
func (c *callContext) begin(request *values, deadline time.Time, call *Call) {
	c.cause, c.setCause = context.WithCancelCause(request)
	c.deadline, c.call = deadline, call
}

// end ends the context, unless it has ended. A nil cause is context.Canceled.
func (c *callContext) end(cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.setCause(cause) // first: whoever sees the end may ask why
	c.err = context.Canceled
	if cause == ErrDeadlineExceeded {
		c.err = context.DeadlineExceeded
	}
	if c.done != nil {
		close(c.done)
	}
	after := c.after
	c.after = nil
	notify(c.wake)
	c.mu.Unlock()
	for f := range after {
		go (*f)()
	}
}

// waker gives a channel that gets a value when the context ends. Others may send on it too,
// with notify.
func (c *callContext) waker() chan struct{} {
	wake := make(chan struct{}, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wake = wake
	if c.err != nil {
		notify(wake)
	}
	return wake
}

// notify sends on a channel with room for one value, unless one waits there.
func notify(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// closed is the channel of the contexts that ended before anybody asked for theirs.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done, Err, Deadline and Value implement [context.Context].
func (c *callContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		if c.err != nil {
			c.done = closed
		} else {
			c.done = make(chan struct{})
		}
	}
	return c.done
}

func (c *callContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *callContext) Deadline() (time.Time, bool) { return c.deadline, true }

func (c *callContext) Value(key any) any {
	switch key.(type) {
	case callKey:
		return c.call
	case record.Key:
		return &c.call.ids
	case onceNamesKey:
		return &c.once
	}
	return c.cause.Value(key)
}

// AfterFunc runs f in a goroutine of its own once the context has ended. The function that
// it gives prevents that, and reports whether it came in time. The context package looks
// for this method when a context is derived; without it each would cost a goroutine.
func (c *callContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = make(map[*func()]struct{})
	}
	key := &f
	c.after[key] = struct{}{}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[key]
		delete(c.after, key)
		return waiting
	}
}

// String names the context where it is printed, which shows nothing of the call.
func (c *callContext) String() string { return "pack.callContext" }

// values has the values of a request's context, and does not end with it.
type values struct{ context.Context }

func (*values) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*values) Done() <-chan struct{}       { return nil }
func (*values) Err() error                  { return nil }
