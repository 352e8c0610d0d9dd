package pack

import (
	"errors"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
)

// invoke is a call's life after its caller has shown the token: readiness, the cap, the
// content type, the body, the message, the pack's code, the answer.
func (s *Service) invoke(w http.ResponseWriter, r *http.Request, arrival time.Time) {
	if body := s.unready(); body != nil {
		unavailable(w, r, body)
		return
	}
	if !s.slots.TryAcquire(1) {
		unavailable(w, r, overloaded)
		return
	}
	c := s.newInvocation(w, r, arrival)
	refusal := s.admitted(c, w, r)
	if refusal != nil {
		refusal(w, r)
	}
	// The answer is out: a caller that has its next request here before net/http looks for
	// it is served without a pause, and would keep the others waiting for a whole time slice.
	runtime.Gosched()
}

var overloaded = []byte(`{"error":"overloaded"}`)

// unavailable answers 503: the call did not run, and may be tried again.
func unavailable(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Header()["Retry-After"] = retryAfter
	refuseSender(w, r, http.StatusServiceUnavailable, body)
}

// admitted runs a call that holds a slot. What it returns, if anything, is to be answered
// once the slot is free: it may wait for a caller that is slow to send.
func (s *Service) admitted(c *invocation, w http.ResponseWriter, r *http.Request) http.HandlerFunc {
	defer c.release()
	defer c.freeSlotOnce()
	if !s.gate.enter(c) {
		return func(w http.ResponseWriter, r *http.Request) { unavailable(w, r, errorBody("draining")) }
	}
	defer s.gate.leave(c)

	if !isJSON(header(r.Header, "Content-Type")) {
		return func(w http.ResponseWriter, r *http.Request) {
			refuseSender(w, r, http.StatusUnsupportedMediaType, errorBody("Use Content-Type: application/json"))
		}
	}
	body, err := c.readBody(r)
	c.bytesIn = len(body)
	switch {
	case errors.Is(err, errTooLarge):
		return func(w http.ResponseWriter, r *http.Request) {
			refuseSender(w, r, http.StatusRequestEntityTooLarge, errorBody("Body over 10 MiB"))
		}
	case errors.Is(err, errNoRoom):
		return func(w http.ResponseWriter, r *http.Request) { unavailable(w, r, overloaded) }
	}
	c.readHeaderIDs(r.Header)
	if err != nil {
		w.Header()["Connection"] = closeConnection
		s.finish(c, w, nil, c.unread(err))
		// What is left of the body may never come; net/http would wait for it without end.
		_ = c.control.SetReadDeadline(time.Now().Add(strangerTime))
		return nil
	}
	message, err := protocol.ParseRequest(body)
	if err != nil {
		s.finish(c, w, nil, err)
		return nil
	}
	switch m := message.(type) {
	case *protocol.ToolInvoke:
		if pinned := s.options.TenantID; pinned != "" && m.Context.TenantID != pinned {
			return func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusMisdirectedRequest, tenantMismatch) }
		}
		answer, err := s.callTool(c, m)
		s.finish(c, w, answer, err)
	case *protocol.CheckInvoke:
		answer, err := s.callCheck(c, m)
		s.finish(c, w, answer, err)
	}
	return nil
}

// unread is the outcome of a call whose body did not come.
func (c *invocation) unread(err error) *protocol.Error {
	var broken *protocol.Error
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && c.ctx.Err() == nil:
		// The connection's clock may be a moment ahead of the context's.
		c.ctx.end(ErrDeadlineExceeded)
		broken = &protocol.Error{Code: protocol.DeadlineExceeded, Message: "The request passed its deadline"}
	case c.ended():
		broken = c.expired()
	default:
		broken = &protocol.Error{Code: protocol.MalformedMessage, Message: "Request body is not valid JSON",
			Cause: &protocol.Cause{Name: "Error", Message: "the body could not be read: " + err.Error()}}
	}
	return broken
}

// readHeaderIDs takes the correlation ids that are known before the message is read.
func (c *invocation) readHeaderIDs(h http.Header) {
	ids := &c.call.ids
	ids.RunID = header(h, protocol.HeaderRunID)
	ids.RequestID = header(h, protocol.HeaderRequestID)
	ids.TenantID = header(h, protocol.HeaderTenantID)
	if parent, ok := record.ParseTraceParent(header(h, protocol.HeaderTraceParent)); ok {
		ids.TraceID, ids.SpanID = parent.TraceID, record.NewSpanID()
		c.call.Trace = Trace{TraceID: ids.TraceID, SpanID: ids.SpanID, Flags: parent.Flags}
	}
	c.ids = ids
}

// finish answers a call, with a message or what its error says, and writes its record.
func (s *Service) finish(c *invocation, w http.ResponseWriter, body []byte, err error) {
	outcome := "ok"
	var e *protocol.Error
	var b *buffer
	if err != nil {
		e = c.failure(err)
		outcome = string(e.Code)
		b = s.buffers.get()
		body = e.AppendTo(b.bytes)
		b.bytes = body
	}
	c.freeSlotOnce() // before the answer: a caller that has it may rely on the slot
	h := w.Header()
	took := time.Since(c.arrival)
	c.headers = [2]string{strconv.FormatInt(milliseconds(took), 10), strconv.Itoa(len(body))}
	h[protocol.HeaderDuration] = c.headers[0:1:1]
	h[protocol.HeaderArtifactVersion] = s.jsonArtifact
	h["Content-Length"] = c.headers[1:2:2]
	write(w, &c.control, http.StatusOK, body, &c.pace)
	c.report(outcome, e, took, len(body))
	s.buffers.put(b)
	s.buffers.put(c.output)
}

// run runs the author's code in a goroutine of its own, so that the call is answered when
// its context ends whatever the code does. The slot and the bytes are the goroutine's
// until it ends; when it ends in time they are the call's again.
func (c *invocation) run() ([]byte, error) {
	c.wake = c.ctx.waker()
	if c.ended() {
		return nil, c.expired()
	}
	c.timer = time.AfterFunc(time.Until(c.deadline), func() { c.ctx.end(ErrDeadlineExceeded) })
	c.handedOver = true
	go c.work()
	for {
		select {
		case <-c.wake:
		case <-c.request.Done():
			c.ctx.end(ErrCancelled)
		}
		// Either the code has ended or its time has; or both, and the first counts.
		switch {
		case c.decided.Load():
			return c.settle()
		case c.ctx.Err() == nil:
		default:
			c.givenUp = time.Now()
			if c.decided.CompareAndSwap(false, true) {
				return nil, c.expired()
			}
			return c.settle()
		}
	}
}

// settle decides what a call that ended by itself comes to. A handler that gives up
// because its context has ended did not throw: the call passed its deadline, or was
// cancelled.
func (c *invocation) settle() ([]byte, error) {
	c.handedOver = false
	o := c.outcome
	if o.err != nil && c.ended() {
		if thrown := o.thrown(); thrown.gaveUp {
			c.late(true, thrown) // a moment before it would have been given up
		}
		return nil, c.expired()
	}
	return o.value, o.err
}

// outcome is what the author's code came to.
type outcome struct {
	value []byte
	err   error
}

// thrown gives what the author's code threw, a zero throw when it threw nothing.
func (o outcome) thrown() throw {
	if t, ok := errors.AsType[*throw](o.err); ok {
		return *t
	}
	return throw{}
}

// work runs the author's code to its end, be that a return, a panic or a Goexit.
func (c *invocation) work() {
	o := outcome{err: errExited} // what stands unless attempt returns
	defer func() {
		c.outcome = o
		thrown := o.thrown()
		if thrown.panicked {
			c.recordPanic(thrown)
		}
		if c.decided.CompareAndSwap(false, true) {
			notify(c.wake)
			return
		}
		defer c.freeSlot() // last: a process that stops waits for it, and the record is to be out
		c.late(thrown.gaveUp && time.Since(c.givenUp) <= promptly, thrown)
	}()
	o = c.attempt()
}

// attempt runs the author's code. It does not return when that calls [runtime.Goexit], be
// it where the value of its panic is printed.
func (c *invocation) attempt() (o outcome) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if p := recover(); p != nil {
			o = outcome{err: panicked(p)}
		}
	}()
	if c.handler != nil {
		o.value, o.err = c.runTool(&c.ctx)
	} else {
		o.value, o.err = c.code(&c.ctx)
	}
	returned = true
	return o
}
