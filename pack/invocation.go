package pack

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
)

// The causes ([context.Cause]) with which the context of a handler ends while the handler
// still runs. What [context.Context.Err] gives follows them: context.DeadlineExceeded for
// the first, context.Canceled for the others.
var (
	// ErrDeadlineExceeded: the call's deadline passed.
	ErrDeadlineExceeded error = &ending{"the call passed its deadline", context.DeadlineExceeded}
	// ErrCancelled: the caller closed its connection.
	ErrCancelled error = &ending{"the caller has gone", context.Canceled}
	// ErrDraining: the service stops, and the time it gives to calls in flight is over.
	ErrDraining error = &ending{"the service is stopping", context.Canceled}
)

// ending is an error that is also one of the context package's.
type ending struct {
	text string
	is   error
}

func (e *ending) Error() string       { return e.text }
func (e *ending) Is(other error) bool { return other == e.is }

// invocation is one POST /v1/invoke from its arrival to its answer. It and its Call, which a
// handler may keep, are two allocations for nearly all that a call needs.
type invocation struct {
	service  *Service
	arrival  time.Time
	deadline time.Time

	// request ends when the caller goes. values is request without its end.
	request context.Context
	values  values
	ctx     callContext
	timer   *time.Timer // ends ctx at its deadline, while the handler runs
	wake    chan struct{}
	outcome outcome // of the handler, when it decided the call

	control  http.ResponseController
	reading  atomic.Pointer[http.ResponseController] // of control, while the body is read
	pace     pace                                    // of the answer
	reserved int64                                   // bytes of the body that count as in flight
	// handedOver: the slot and the bytes are the handler's goroutine's, or free already.
	handedOver bool
	// decided: the handler has ended, or the call was given up (at givenUp), whichever came
	// first.
	decided atomic.Bool
	givenUp time.Time

	// What the handler's goroutine runs: a tool's handler, or code.
	tool    *boundTool
	handler toolCall
	input   []byte // not decoded yet, else nil
	// unchecked: nor is it checked.
	unchecked bool
	output    *buffer // lent for the output, nil when none is
	code      func(context.Context) ([]byte, error)

	// What the call is about, for its record; empty as long as it is not known.
	target  string // "tool" or "check"
	id      string
	version string
	bytesIn int
	ids     *record.IDs // of call; nil until the headers are read

	call    *Call     // filled in as its parts become known
	headers [2]string // the values of headers of the answer
}

// The targets of a call.
const (
	targetTool  = "tool"
	targetCheck = "check"
)

// newInvocation starts the clock of a call.
func (s *Service) newInvocation(w http.ResponseWriter, r *http.Request, arrival time.Time) *invocation {
	c := &invocation{
		service: s, arrival: arrival, deadline: arrival.Add(timeout(header(r.Header, protocol.HeaderTimeout))),
		call: new(Call),
	}
	c.control = *http.NewResponseController(w)
	// The request's context ends with the connection, which says nothing of why; and it
	// carries the values of the middleware, which handlers want.
	c.request = r.Context()
	c.values.Context = c.request
	c.ctx.begin(&c.values, c.deadline, c.call)
	return c
}

// release ends the call's context, with the call.
func (c *invocation) release() {
	if c.timer != nil {
		c.timer.Stop()
	}
	c.ctx.end(nil)
}

// ended reports whether the call's context has ended. While the handler runs, the end of
// the request and the deadline are waited for; before, they are asked for here.
func (c *invocation) ended() bool {
	switch {
	case c.ctx.Err() != nil:
	case c.request.Err() != nil:
		c.ctx.end(ErrCancelled)
	case !time.Now().Before(c.deadline):
		c.ctx.end(ErrDeadlineExceeded)
	default:
		return false
	}
	return true
}

// maxTimeout keeps a deadline within what a time.Duration holds.
const maxTimeout = 24 * 365 * time.Hour

// timeout reads the kindgi-timeout-ms header: a positive integer, or it does not count.
func timeout(header string) time.Duration {
	for i := range len(header) {
		if header[i] < '0' || header[i] > '9' {
			return protocol.DefaultTimeout
		}
	}
	ms, err := strconv.ParseInt(header, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return maxTimeout
	case err != nil || ms == 0:
		return protocol.DefaultTimeout
	}
	return time.Duration(min(ms, int64(maxTimeout/time.Millisecond))) * time.Millisecond
}

// abort ends the call with a cause, also where it waits for its body, or for a caller that does not
// read its answer.
func (c *invocation) abort(cause error) {
	c.ctx.end(cause)
	c.pace.hurry(&c.control)
	if control := c.reading.Load(); control != nil {
		_ = control.SetReadDeadline(longAgo)
	}
}

// freeSlot gives back what the call holds of the service: its slot, and its bytes.
func (c *invocation) freeSlot() {
	c.service.slots.Release(1)
	c.service.bytes.Release(c.reserved)
}

// freeSlotOnce is freeSlot for a call whose handler has not run or has ended, once.
func (c *invocation) freeSlotOnce() {
	if !c.handedOver {
		c.handedOver = true
		c.freeSlot()
	}
}

// expired gives the message for a call whose context has ended.
func (c *invocation) expired() *protocol.Error {
	what := c.id
	if what == "" {
		what = "The request"
	}
	e := &protocol.Error{Code: protocol.Cancelled, Message: what + " was cancelled"}
	if errors.Is(context.Cause(&c.ctx), ErrDeadlineExceeded) {
		e = &protocol.Error{Code: protocol.DeadlineExceeded, Message: what + " passed its deadline"}
	}
	return c.about(e)
}

// about says in a message which tool or check it is about.
func (c *invocation) about(e *protocol.Error) *protocol.Error {
	switch c.target {
	case targetTool:
		e.ToolID = c.id
	case targetCheck:
		e.CheckID = c.id
	}
	return e
}

// milliseconds gives a duration as the whole number the protocol and the records use.
func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

// report writes the call's record and tells OnCall, once it is answered; e is the answer
// of a call that failed.
func (c *invocation) report(outcome string, e *protocol.Error, took time.Duration, bytesOut int) {
	s := c.service
	if s.options.quiet {
		return
	}
	if c.target != "" {
		r := record.CallRecord{Target: c.target, ID: c.id, Outcome: outcome, Duration: took, IDs: c.ids}
		r.ErrName, r.ErrMessage = why(e)
		s.log.Call(&r)
	} else if s.log.Enabled(context.Background(), slog.LevelWarn) {
		name, text := why(e)
		s.log.Event(slog.LevelWarn, "call", "call "+outcome+" "+strconv.FormatInt(milliseconds(took), 10)+"ms", c.ids,
			slog.String("outcome", outcome), slog.Int64("durationMs", milliseconds(took)),
			slog.Group("err", slog.String("name", name), slog.String("message", text)))
	}
	if s.options.OnCall == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			s.log.Event(slog.LevelError, "on-call-failed", "Options.OnCall panicked", nil, slog.Any("panic", p))
		}
	}()
	s.options.OnCall(CallReport{
		Target: c.target, ID: c.id, Version: c.version, Outcome: outcome, Duration: took,
		BytesIn: c.bytesIn, BytesOut: bytesOut,
	})
}

// why gives the name and the text that the record of a failed call says: those of what the
// author's code threw, else the answer's message, with the first issue.
func why(e *protocol.Error) (name, text string) {
	switch {
	case e == nil:
		return "", ""
	case e.Cause != nil:
		return e.Cause.Name, e.Cause.Message
	}
	text = e.Message
	if len(e.Issues) > 0 && e.CheckID == "" { // a check's message has it already
		text += describe(e.Issues[0])
	}
	return string(e.Code), text
}
