package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// Call is what a runtime says about a call beside its input. A handler finds it with
// [CallFromContext].
//
// A Call belongs to its handler and is safe for concurrent use; it may be kept after the
// call has ended. Printing one, with any verb, as JSON or in a log record, never shows a
// secret.
type Call struct {
	// ToolID and Version name the tool that is called; both are empty in a check.
	ToolID, Version string
	// ReadOnly says that the tool is registered as one that changes nothing.
	ReadOnly bool
	// CheckID names the check that is called; empty in a tool.
	CheckID string

	// TenantID and RunID are the tenant and the run the call is for. In a check they are
	// those of the run's trace.
	TenantID, RunID string
	// ProjectID and OrgID are the run's, set by the runtime. Empty when it has none.
	ProjectID, OrgID string
	// RequestID names this call, such as a model's tool-call id. Empty when not sent.
	RequestID string
	// IdempotencyKey is the same every time this call runs: after a wait, a retry or a
	// crash. Empty from a runtime that cannot name its steps.
	IdempotencyKey string

	// Trace is the place of this call in the caller's trace; zero when the caller sent
	// none.
	Trace Trace

	// Log writes records of the subsystem pack.tool (pack.check in a check) with the
	// call's ids. It is never nil.
	Log *slog.Logger

	context *protocol.CallContext // nil in a check; see Context
	input   jsontext.Value        // as the runtime sent it; nil in a check
	ids     record.IDs
	log     *record.Handler // nil in a test's call, else &handler
	handler record.Handler
	logger  slog.Logger  // what Log points to
	didOnce *atomic.Bool // of a read-only tool in a service, else nil
}

// Trace is a place in a distributed trace (W3C Trace Context).
type Trace struct {
	TraceID string // 32 lower-case hex digits
	SpanID  string // this call's own span: 16 lower-case hex digits
	Flags   string // two lower-case hex digits, as the caller sent them
}

// String gives the trace as the value of a traceparent header.
func (t Trace) String() string { return "00-" + t.TraceID + "-" + t.SpanID + "-" + t.Flags }

// callKey is the key of a *Call in a context.
type callKey struct{}

// CallFromContext gives the call that a handler's context belongs to; false for a context
// that belongs to none.
func CallFromContext(ctx context.Context) (*Call, bool) {
	call, ok := ctx.Value(callKey{}).(*Call)
	return call, ok
}

// WithCall gives a context that carries a call, for tests that run a handler without a
// service. A nil Log is replaced by one that discards.
func WithCall(ctx context.Context, call *Call) context.Context {
	if call.Log == nil {
		call.Log = slog.New(slog.DiscardHandler)
	}
	return context.WithValue(ctx, callKey{}, call)
}

// NewCall makes a call from a call context, for tests that run a handler without a
// service.
func NewCall(c protocol.CallContext) *Call {
	call := &Call{Log: slog.New(slog.DiscardHandler)}
	call.setContext(&c)
	return call
}

func (c *Call) setContext(from *protocol.CallContext) {
	c.context = from
	c.TenantID, c.RunID = from.TenantID, from.RunID
	c.ProjectID, c.OrgID = from.ProjectID, from.OrgID
	c.RequestID, c.IdempotencyKey = from.RequestID, from.IdempotencyKey
}

// ErrNotSent is wrapped by the errors of [Call.DecodeSecret] and [Call.Settings] when the
// runtime sent no such value.
var ErrNotSent = errors.New("the runtime sent none")

// Env gives the value of an env name that the tool declares (NeedsSpec.Env), as the
// runtime resolved it for this call; false when it sent none. It is not the process's
// environment.
func (c *Call) Env(name string) (string, bool) {
	v, ok := c.Context().Env[name]
	return v, ok
}

// Secret gives a secret that the runtime resolved for this call, by name; false when it
// sent none, or one that is not text (see [Call.DecodeSecret]).
func (c *Call) Secret(name string) (string, bool) {
	raw, ok := c.Context().Secrets[name]
	if !ok || raw.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}

// DecodeSecret decodes a secret of any shape into v, a pointer. The error wraps
// [ErrNotSent] when the runtime sent none; no error shows the secret.
func (c *Call) DecodeSecret(name string, v any) error {
	raw, ok := c.Context().Secrets[name]
	if !ok {
		return fmt.Errorf("secret %q: %w", name, ErrNotSent)
	}
	if err := schema.Unmarshal(raw, v); err != nil {
		// The cause may quote the value.
		return fmt.Errorf("secret %q does not fit a %T", name, v)
	}
	return nil
}

// Settings decodes the values of a settings block that the calling agent pins into v, a
// pointer. The error wraps [ErrNotSent] when it pins none of that id.
func (c *Call) Settings(block string, v any) error {
	raw, ok := c.Context().Settings[block]
	if !ok {
		return fmt.Errorf("settings block %q: %w", block, ErrNotSent)
	}
	if err := schema.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("settings block %q: %w", block, err)
	}
	return nil
}

// Field gives a field of the call context as it was sent, also one that this SDK does not
// know; false when it was not sent. The bytes must not be changed.
func (c *Call) Field(name string) (jsontext.Value, bool) { return c.Context().Field(name) }

// Context is the call context as it was sent. It holds the secrets; its maps and bytes
// must not be changed. In a check it is empty.
func (c *Call) Context() *protocol.CallContext {
	if c.context == nil {
		return new(protocol.CallContext)
	}
	return c.context
}

// summary is what printing a call shows.
func (c *Call) summary() []slog.Attr {
	all := []slog.Attr{
		slog.String("toolId", c.ToolID), slog.String("version", c.Version), slog.String("checkId", c.CheckID),
		slog.String("tenantId", c.TenantID), slog.String("runId", c.RunID), slog.String("projectId", c.ProjectID),
		slog.String("orgId", c.OrgID), slog.String("requestId", c.RequestID), slog.String("idempotencyKey", c.IdempotencyKey),
	}
	set := all[:0]
	for _, a := range all {
		if a.Value.String() != "" {
			set = append(set, a)
		}
	}
	return set
}

// Format prints the call's ids, whatever the verb: never its secrets, its env or its
// settings.
func (c Call) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "call{")
	for i, a := range c.summary() {
		if i > 0 {
			_, _ = io.WriteString(f, " ")
		}
		_, _ = fmt.Fprintf(f, "%s=%q", a.Key, a.Value.String())
	}
	_, _ = io.WriteString(f, "}")
}

// MarshalJSON writes the call's ids as an object: never its secrets, its env or its
// settings.
func (c Call) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, a := range c.summary() {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = jsontext.AppendQuote(b, a.Key); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = jsontext.AppendQuote(b, a.Value.String()); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// LogValue is the call's ids as a group: never its secrets, its env or its settings.
func (c Call) LogValue() slog.Value { return slog.GroupValue(c.summary()...) }

// secrets lists the secrets' texts, for redaction: every string and every number in them.
func (c *Call) secrets() []string {
	var texts []string
	for _, raw := range c.Context().Secrets {
		texts = appendTexts(texts, raw)
	}
	return texts
}

// appendTexts appends every string, names of members apart, and every number in a valid
// JSON value.
func appendTexts(texts []string, raw jsontext.Value) []string {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return texts
		}
		switch token.Kind() {
		case '"':
			if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 1 {
				continue // a name
			}
			texts = append(texts, token.String())
		case '0':
			texts = append(texts, token.String())
		}
	}
}
