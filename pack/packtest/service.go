package packtest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// Service is a pack that is served over a loopback connection until its test ends. It is
// safe for concurrent use.
type Service struct {
	*pack.Service

	url    string
	token  string
	client *http.Client
	calls  *calls
	// builder is the pack's, for hints; nil for one that needs none.
	builder *pack.Builder
	// patience bounds the wait for a call's records.
	patience time.Duration
}

// Start serves a pack until the test ends; a pack that cannot be served fails the test.
// The options are those of [pack.Builder.Service], at most one of them. What is not set is
// set for a test: a random token, the warn env check, and records into the test's log, where those
// of a [Call] or [CallCheck] stand before it returns. What [pack.Builder.OnStart] registered runs
// first, and closes when the test ends.
func Start(t testing.TB, b *pack.Builder, options ...pack.Options) *Service {
	t.Helper()
	var o pack.Options
	switch len(options) {
	case 0:
	case 1:
		o = options[0]
	default:
		t.Fatal("packtest.Start takes one pack.Options at most")
	}
	if o.Token == "" {
		o.Token = rand.Text()
	}
	if o.EnvCheck == "" {
		o.EnvCheck = pack.EnvWarn
	}
	if o.Log == nil {
		o.Log = &pack.LogOptions{Output: t.Output(), Pretty: true}
	}
	service, err := b.Service(o)
	if err != nil {
		t.Fatalf("the pack cannot be served:\n%v", err)
	}
	stop, err := b.Start(t.Context())
	if err != nil {
		t.Fatalf("the pack does not start: %v", err)
	}
	s, server := serve(service, o.Token)
	if o.OnCall != nil {
		s.patience = recordsTimeOnCall
	}
	s.builder = b
	t.Cleanup(func() {
		server.Close()
		if err := stop(context.Background()); err != nil {
			t.Errorf("what the pack's OnStart opened could not be closed: %v", err)
		}
		// The records go to the test's log, which ends with it.
		if err := service.Flush(context.Background()); err != nil {
			t.Errorf("the service's records: %v", err)
		}
	})
	s.awaitRecords(nil) // those of the start
	return s
}

// serve puts a service behind a server of its own.
func serve(service *pack.Service, token string) (*Service, *httptest.Server) {
	s := &Service{Service: service, token: token, calls: new(calls), patience: recordsTime}
	server := httptest.NewServer(s.calls.watch(service))
	s.url, s.client = server.URL, server.Client()
	return s, server
}

// URL is the service's base URL, such as "http://127.0.0.1:40123".
func (s *Service) URL() string { return s.url }

// Token is the service's token, for requests that a test makes itself.
func (s *Service) Token() string { return s.token }

// CallOption changes one call of [Call] or [CallCheck].
type CallOption func(*callOptions)

type callOptions struct {
	context protocol.CallContext
	version string
	header  http.Header
}

// WithContext sends a call context. An empty TenantID or RunID becomes "test". A check's
// call has no context: there it does nothing.
func WithContext(c protocol.CallContext) CallOption {
	return func(o *callOptions) { o.context = c }
}

// WithVersion names the version of the tool.
func WithVersion(version string) CallOption {
	return func(o *callOptions) { o.version = version }
}

// WithTimeout sets the call's deadline, in whole milliseconds, at least one.
func WithTimeout(d time.Duration) CallOption {
	return WithHeader(protocol.HeaderTimeout, strconv.FormatInt(max(1, d.Milliseconds()), 10))
}

// WithHeader sets a header of the request, such as traceparent, or a token that is wrong.
func WithHeader(name, value string) CallOption {
	return func(o *callOptions) { o.header.Set(name, value) }
}

// Call calls a tool and decodes its output. When the call does not succeed, the error is
// or wraps a [*protocol.Error]; any other error is one of the transport, such as a 503, or
// says that the output does not fit Out, which is the handler's type or one like it.
// Use a jsontext.Value (github.com/go-json-experiment/json/jsontext) for In to send what no
// Go value encodes to, and for Out to see the output's bytes.
func Call[In, Out any](ctx context.Context, s *Service, tool string, in In, options ...CallOption) (Out, error) {
	var out Out
	o := newOptions(options)
	input, err := schema.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("the input of %s: %w", tool, err)
	}
	request := &protocol.ToolInvoke{ToolID: tool, Version: o.version, Input: input, Context: withIDs(o.context)}
	response, err := s.invoke(ctx, request, o)
	if err != nil {
		return out, s.hint(tool, err)
	}
	result, ok := response.(*protocol.ToolResult)
	if !ok {
		return out, fmt.Errorf("calling %s: the answer is a %T", tool, response)
	}
	if err := fits[Out](result.Output); err != nil {
		return out, fmt.Errorf("the output of %s does not fit %T, which must be the type that the handler returns: %w", tool, out, err)
	}
	if err := schema.Unmarshal(result.Output, &out); err != nil {
		return out, fmt.Errorf("the output of %s does not fit %T: %w", tool, out, err)
	}
	return out, nil
}

// fits reports what a value lacks of T, or has beside it: decoding would leave out either. A T
// that has no schema is not a handler's, and takes what it can.
func fits[T any](value []byte) error {
	s, err := schema.For[T]()
	if err != nil {
		return nil
	}
	issues, err := s.Validate(value)
	if err != nil || len(issues) == 0 {
		return err
	}
	return fmt.Errorf("%s %s (%d issues in all)", cmp.Or(issues[0].InstancePath, "the whole value"), issues[0].Message, len(issues))
}

// CallCheck calls a check with its configuration and the run it is to see; a nil trace is
// an empty run. As a runtime does, it names the check and not its guardrail: by [pack.Check]'s
// CheckID, when that is set. Errors are those of [Call].
func CallCheck[Config any](ctx context.Context, s *Service, check string, config Config, trace *protocol.RunTrace, options ...CallOption) (*protocol.CheckResult, error) {
	o := newOptions(options)
	raw, err := schema.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("the config of %s: %w", check, err)
	}
	if trace == nil {
		trace = &protocol.RunTrace{RunID: "test", TenantID: "test", Mode: protocol.ModeCI}
	}
	run, err := trace.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("the trace for %s: %w", check, err)
	}
	response, err := s.invoke(ctx, &protocol.CheckInvoke{CheckID: check, Config: raw, Trace: run}, o)
	if err != nil {
		return nil, s.hint(check, err)
	}
	result, ok := response.(*protocol.CheckResult)
	if !ok {
		return nil, fmt.Errorf("calling %s: the answer is a %T", check, response)
	}
	return result, nil
}

func newOptions(options []CallOption) *callOptions {
	o := &callOptions{header: http.Header{}}
	for _, option := range options {
		option(o)
	}
	return o
}

// StatusError is an answer that is not of status 200: the call did not run.
type StatusError struct {
	Status int    // the HTTP status
	Body   string // the answer's body
}

// Error gives both.
func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Body) }

// invoke sends a message. An error message is the error.
func (s *Service) invoke(ctx context.Context, m protocol.Request, o *callOptions) (protocol.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+protocol.PathInvoke, bytes.NewReader(m.AppendTo(nil)))
	if err != nil {
		return nil, err
	}
	call, ended := s.calls.begin()
	defer s.calls.forget(call)
	r.Header = o.header
	r.Header.Set(callHeader, call)
	r.Header.Set("Content-Type", "application/json")
	if r.Header.Get(protocol.HeaderToken) == "" {
		r.Header.Set(protocol.HeaderToken, s.token)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	s.awaitRecords(ended)
	if answer.StatusCode != http.StatusOK {
		return nil, &StatusError{answer.StatusCode, string(body)}
	}
	response, err := protocol.ParseResponse(body)
	if err != nil {
		return nil, err
	}
	if e, ok := response.(*protocol.Error); ok {
		return nil, e
	}
	return response, nil
}

// Code gives the protocol's code of an error of [Call] or [CallCheck]; "" for nil and for
// an error of another kind.
func Code(err error) protocol.Code {
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		return e.Code
	}
	return ""
}
