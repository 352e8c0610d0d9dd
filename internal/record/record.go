// Package record writes a pack service's log records.
package record

import (
	"context"
	"io"
	"log/slog"
)

// LevelTrace is below slog.LevelDebug.
const LevelTrace = slog.Level(-8)

// Format is how records are written.
type Format int

// The formats.
const (
	JSON Format = iota
	Pretty
)

// Config is what an operator sets.
type Config struct {
	Level  slog.Level            // the zero value is info
	Levels map[string]slog.Level // per subsystem; a dotted child inherits its parent's
	Format Format
	Color  bool
}

// ParseConfig reads KINDGI_LOG_LEVEL, KINDGI_LOG_LEVELS, KINDGI_LOG_FORMAT and NO_COLOR,
// and reports every problem, one error each.
func ParseConfig(getenv func(string) string, terminal bool) (Config, []error) {
	panic("not written yet")
}

// IDs are the correlation ids of a call, in the order records give them.
type IDs struct {
	TraceID, SpanID, RunTraceID, RequestID, TenantID, ProjectID, OrgID, RunID, ParentRunID string
	AgentID, AgentVersion, FlowID, FlowVersion, ToolID, ConversationID, ApprovalID         string

	// Secrets are the call's secret values, redacted wherever they appear.
	Secrets []string
	// Subsystem is the one of a handler's own records: pack.tool or pack.check.
	Subsystem string
}

// Key is the context key under which a call's *IDs are found: ctx.Value(record.Key{}).
type Key struct{}

// Handler is an slog.Handler.
type Handler struct{}

// New gives a handler that writes to w. Records are written in order, off the caller's path;
// Flush waits for them.
func New(w io.Writer, c Config) *Handler { panic("not written yet") }

// Subsystem gives a handler like h whose records are of the named subsystem.
func (h *Handler) Subsystem(name string) *Handler { panic("not written yet") }

// WithIDs gives a handler like h that binds the ids.
func (h *Handler) WithIDs(ids *IDs) *Handler { panic("not written yet") }

// Event writes a record of the handler's subsystem whatever the level, with "kind" and "event" set to name.
func (h *Handler) Event(level slog.Level, name, message string, ids *IDs, attrs ...slog.Attr) {
	panic("not written yet")
}

// Flush waits until every record handed over before it is written, or ctx ends.
func (h *Handler) Flush(ctx context.Context) error { panic("not written yet") }

// Enabled, Handle, WithAttrs and WithGroup implement slog.Handler.
func (h *Handler) Enabled(context.Context, slog.Level) bool  { panic("not written yet") }
func (h *Handler) Handle(context.Context, slog.Record) error { panic("not written yet") }
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler  { panic("not written yet") }
func (h *Handler) WithGroup(name string) slog.Handler        { panic("not written yet") }

// TraceParent is a parsed traceparent header.
type TraceParent struct{ TraceID, ParentID, Flags string }

// ParseTraceParent parses a W3C traceparent header; false when it is invalid.
func ParseTraceParent(header string) (TraceParent, bool) { panic("not written yet") }

// NewSpanID gives a fresh span id: 16 lower-case hex digits, not all zero.
func NewSpanID() string { panic("not written yet") }
