package pack_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// awkward is an error, or a panic's value, whose methods are as the functions say.
type awkward struct {
	text   func() string
	unwrap func() error
}

func (a *awkward) Error() string { return a.text() }

func (a *awkward) Unwrap() error {
	if a.unwrap == nil {
		return nil
	}
	return a.unwrap()
}

// unprintable panics with itself when it is printed, which package fmt does not survive.
type unprintable struct{}

func (u unprintable) String() string { panic(u) }

// exiting ends the goroutine that prints it.
type exiting struct{}

func (exiting) String() string { runtime.Goexit(); return "" }

func plainText() string { return "odd" }

// endless wraps itself.
func endless() error {
	e := &awkward{text: plainText}
	e.unwrap = func() error { return e }
	return e
}

// Nothing that an author's error or panic does when it is looked at reaches the service:
// the call is answered, and gives its slot back.
func TestAwkwardThrows(t *testing.T) {
	t.Parallel()
	const threw = `Handler for tool "test.throw" threw: `
	for name, test := range map[string]struct {
		throw func() error
		want  string // the message's beginning
	}{
		"a nil pointer as an error": {func() error { return (*awkward)(nil) }, threw + "TypeError: the handler returned a nil *pack_test.awkward as its error"},
		"Error panics":              {func() error { return &awkward{text: func() string { panic("no text") }} }, threw + "panic: no text"},
		"Error exits":               {func() error { return &awkward{text: func() string { runtime.Goexit(); return "" }} }, threw + "Goexit: "},
		"Unwrap panics":             {func() error { return &awkward{plainText, func() error { panic("no cause") }} }, threw + "panic: no cause"},
		"wraps itself":              {endless, threw + "awkward: odd"},
		"wraps what wraps itself":   {func() error { return fmt.Errorf("outer: %w", endless()) }, threw + "Error: outer: odd"},
		"panic with a nil pointer":  {func() error { panic((*awkward)(nil)) }, threw + "panic: a value of type *pack_test.awkward that cannot be printed"},
		"panic, Error panics":       {func() error { panic(&awkward{text: func() string { panic("no text") }}) }, threw + "panic: a value of type *pack_test.awkward that cannot be printed"},
		"panic, String panics":      {func() error { panic(unprintable{}) }, threw + "panic: a value of type pack_test.unprintable that cannot be printed"},
		"panic, wraps itself":       {func() error { panic(endless()) }, threw + "panic: odd"},
		"panic, String exits":       {func() error { panic(exiting{}) }, threw + "Goexit: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := pack.New("test", "1.0.0")
			pack.AddTool(b, pack.Tool{ID: "test.throw"}, fails(test.throw))
			pack.AddTool(b, pack.Tool{ID: "test.fine"}, same[openMessage])
			s := start(t, b, pack.Options{MaxConcurrency: 1})
			got := s.call(t, "test.throw", `{}`, timeoutMs("20000"))
			if got.status != 200 || got.Code != "handler-throw" || !strings.HasPrefix(got.Message, test.want) || got.Cause.Stack == "" {
				t.Errorf("got %d %s\nwant handler-throw %q…", got.status, got.body, test.want)
			}
			wantOutput(t, s.call(t, "test.fine", `{"message":"hi"}`), `{"message":"hi"}`)
		})
	}
}

// unendingInput is an input whose own validation fails with an error that wraps itself.
type unendingInput struct{}

func (unendingInput) Validate() error { return fmt.Errorf("refused: %w", endless()) }

// What a type's own validation returns is looked at as far as it can be.
func TestValidationWithoutAnEnd(t *testing.T) {
	t.Parallel()
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.refuses"}, same[unendingInput])
	s := start(t, b, pack.Options{MaxConcurrency: 1})
	for range 2 { // the second finds the slot free
		got := s.call(t, "test.refuses", `{}`, timeoutMs("20000"))
		if got.Code != "input-validation-failed" || len(got.Issues) != 1 || got.Issues[0].Message != "refused: odd" {
			t.Errorf("got %d %s", got.status, got.body)
		}
	}
}

// stuck is an output whose MarshalJSON fails with an error that wraps itself, until released.
type stuck struct{ released *atomic.Bool }

func (s stuck) MarshalJSON() ([]byte, error) {
	e := &awkward{text: plainText}
	e.unwrap = func() error {
		if s.released.Load() {
			return nil
		}
		return e
	}
	return nil, e
}

// Some versions of package json search the error of a MarshalJSON to its end, so that one without an
// end is like a handler that never returns: answered at its deadline. Others just give it.
func TestMarshalWithoutAnEnd(t *testing.T) {
	t.Parallel()
	var released atomic.Bool
	defer released.Store(true)
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.stuck"}, returns(jsonAny{Value: stuck{&released}}))
	pack.AddTool(b, pack.Tool{ID: "test.fine"}, same[openMessage])
	s := start(t, b, pack.Options{})
	if got := s.call(t, "test.stuck", `{}`, timeoutMs("2000")); got.Code != "deadline-exceeded" && got.Message != `Tool "test.stuck" handler produced output that is not JSON: at /value: odd` {
		t.Errorf("got %d %s", got.status, got.body)
	}
	wantOutput(t, s.call(t, "test.fine", `{"message":"hi"}`), `{"message":"hi"}`)
}

// An error whose text never comes is like a handler that never returns.
func TestThrowWithoutAnEnd(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.throw"}, fails(func() error {
		return &awkward{text: func() string { <-release; return "late" }}
	}))
	s := start(t, b, pack.Options{})
	wantError(t, s.call(t, "test.throw", `{}`, timeoutMs("2000")), "deadline-exceeded", "test.throw passed its deadline")
}

// An error of the protocol that a handler returns, such as one that another pack answered
// it with, is thrown as any other: it does not stand for this call's outcome, and its
// secrets are hidden.
func TestThrowOfAProtocolError(t *testing.T) {
	t.Parallel()
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.throw"}, func(ctx context.Context, _ struct{}) (struct{}, error) {
		call, _ := pack.CallFromContext(ctx)
		secret, _ := call.Secret("key")
		foreign := &protocol.Error{Code: protocol.Cancelled, Message: "refused " + secret, ToolID: "other.tool"}
		return struct{}{}, fmt.Errorf("ask the other pack: %w", errors.Join(foreign))
	})
	s := start(t, b, pack.Options{})
	got := s.post(t, `{"v":2,"kind":"invoke","tool":{"id":"test.throw"},"input":{},"ctx":{"tenantId":"t1","runId":"r1","secrets":{"key":"hunter2-hunter2"}}}`)
	if got.Code != "handler-throw" || got.ToolID != "test.throw" || strings.Contains(got.body, "hunter2") {
		t.Errorf("got %s", got.body)
	}
}

// What a MarshalJSON returns as its error is no outcome of the call either.
func TestMarshalThatFailsWithAProtocolError(t *testing.T) {
	t.Parallel()
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.out"}, returns(jsonAny{Value: refusing{&protocol.Error{Code: protocol.Cancelled, Message: "foreign"}}}))
	s := start(t, b, pack.Options{})
	if got := s.call(t, "test.out", `{}`); got.Code != "output-validation-failed" || got.ToolID != "test.out" {
		t.Errorf("got %s", got.body)
	}
}

type refusing struct{ err error }

func (r refusing) MarshalJSON() ([]byte, error) { return nil, r.err }

// nilError has a method that a nil pointer does not survive; fitError's does.
type (
	nilError struct{ text string }
	fitError struct{}
)

func (e *nilError) Error() string { return e.text }
func (e *fitError) Error() string { return "fit for nil" }

// TestNilPointerAsError tells an author what the trap is that a typed nil is.
func TestNilPointerAsError(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.nil"}, func(context.Context, struct{}) (string, error) {
		var e *nilError
		return "fine", e
	})
	pack.AddTool(b, pack.Tool{ID: "t.fit"}, func(context.Context, struct{}) (string, error) {
		var e *fitError
		return "", e
	})
	s := start(t, b, pack.Options{})
	want := "the handler returned a nil *pack_test.nilError as its error: return a plain nil when there is none"
	if got := s.call(t, "t.nil", `{}`); got.Code != "handler-throw" || got.Cause.Message != want {
		t.Errorf("got %s", got.body)
	}
	if got := s.call(t, "t.fit", `{}`); got.Code != "handler-throw" || got.Cause.Message != "fit for nil" {
		t.Errorf("got %s", got.body)
	}
}
