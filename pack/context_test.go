package pack_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

// ending is what a handler sees of the end of its context, or of one derived from it.
type ending struct {
	name       string
	err, cause error
}

type ctxKey struct{}

// watch derives contexts from a handler's in all ways, waits for the end of each, and tells
// what they say.
func watch(ctx context.Context, ends chan<- ending) {
	derived := map[string]context.Context{"itself": ctx}
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	derived["a child"] = child
	grandchild, cancel := context.WithTimeout(child, time.Hour)
	defer cancel()
	derived["a grandchild with a later deadline"] = grandchild
	valued, cancel := context.WithCancel(context.WithValue(ctx, ctxKey{}, 1))
	defer cancel()
	derived["a child with a value between"] = valued
	called := make(chan struct{})
	context.AfterFunc(ctx, func() { close(called) })
	var stopped atomic.Bool
	stop := context.AfterFunc(ctx, func() { stopped.Store(true) })
	inTime := stop()
	if !inTime && ctx.Err() == nil {
		ends <- ending{"a function could not be stopped", nil, nil}
	}
	for name, c := range derived {
		<-c.Done()
		ends <- ending{name, c.Err(), context.Cause(c)}
	}
	<-called
	// What is derived after the end has ended, and what does not end with it has not.
	late, cancel := context.WithCancel(ctx)
	defer cancel()
	ends <- ending{"a late child", late.Err(), context.Cause(late)}
	ran := make(chan struct{})
	if stop := context.AfterFunc(ctx, func() { close(ran) }); stop() {
		ends <- ending{"a late function was stopped", nil, nil}
	} else {
		<-ran
	}
	if err := context.WithoutCancel(ctx).Err(); err != nil {
		ends <- ending{"a context without an end", err, nil}
	}
	if inTime && stopped.Load() {
		ends <- ending{"a stopped function ran", nil, nil}
	}
	close(ends)
}

func checkEndings(t *testing.T, ends <-chan ending, err, cause error) {
	t.Helper()
	n := 0
	for e := range ends {
		n++
		if e.err != err || !errors.Is(e.cause, cause) || !errors.Is(e.cause, err) {
			t.Errorf("%s: the error is %v and the cause %v, want %v and %v", e.name, e.err, e.cause, err, cause)
		}
	}
	if n != 5 {
		t.Errorf("%d contexts, want 5", n)
	}
}

// TestContextEnds ends a handler's context in each way, and looks at it and at what is
// derived from it.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	prepare := func(t *testing.T) (s *running, started chan struct{}, ends chan ending) {
		started, ends = make(chan struct{}), make(chan ending, 16)
		b := pack.New("t", "1.0.0")
		pack.AddTool(b, pack.Tool{ID: "t.watch"}, func(ctx context.Context, _ struct{}) (string, error) {
			deadline, ok := ctx.Deadline()
			if !ok || time.Until(deadline) > time.Minute {
				t.Errorf("the deadline is %v, %v", deadline, ok)
			}
			if err := ctx.Err(); err != nil && time.Now().Before(deadline) {
				t.Errorf("it has ended before it began: %v", err)
			}
			close(started)
			watch(ctx, ends)
			return "", nil
		})
		return start(t, b, pack.Options{}), started, ends
	}
	t.Run("deadline", func(t *testing.T) {
		t.Parallel()
		// On a busy machine a short deadline passes before the handler begins.
		for timeout := 500; ; timeout *= 4 {
			s, started, ends := prepare(t)
			wantError(t, s.call(t, "t.watch", `{}`, timeoutMs(strconv.Itoa(timeout))), "deadline-exceeded", "t.watch passed its deadline")
			select {
			case <-started:
				checkEndings(t, ends, context.DeadlineExceeded, pack.ErrDeadlineExceeded)
				return
			default:
			}
		}
	})
	t.Run("the caller goes", func(t *testing.T) {
		t.Parallel()
		s, started, ends := prepare(t)
		ctx, leave := context.WithCancel(t.Context())
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			if response, err := http.DefaultClient.Do(s.request(ctx, t, strings.NewReader(toolMessage("t.watch", `{}`)), timeoutMs("50000"))); err == nil {
				response.Body.Close()
			}
		}()
		<-started
		leave()
		<-gone
		checkEndings(t, ends, context.Canceled, pack.ErrCancelled)
	})
	t.Run("drain", func(t *testing.T) {
		t.Parallel()
		s, started, ends := prepare(t)
		answered := make(chan string)
		go func() { answered <- s.call(t, "t.watch", `{}`, timeoutMs("50000")).Code }()
		<-started
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Drain(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Drain gave %v", err)
		}
		if code := <-answered; code != "cancelled" {
			t.Errorf("answered %q", code)
		}
		checkEndings(t, ends, context.Canceled, pack.ErrDraining)
	})
}

// TestContextEndsWithItsCall: a context that a handler leaves behind is over.
func TestContextEndsWithItsCall(t *testing.T) {
	t.Parallel()
	left := make(chan context.Context, 1)
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.leave"}, func(ctx context.Context, _ struct{}) (string, error) {
		left <- ctx
		return "left", nil
	})
	s := start(t, b, pack.Options{})
	wantOutput(t, s.call(t, "t.leave", `{}`), `"left"`)
	ctx := <-left
	<-ctx.Done()
	if err, cause := ctx.Err(), context.Cause(ctx); err != context.Canceled || cause != context.Canceled {
		t.Errorf("the error is %v and the cause %v", err, cause)
	}
	if call, ok := pack.CallFromContext(ctx); !ok || call.ToolID != "t.leave" {
		t.Errorf("its call is %v, %v", call, ok)
	}
}
