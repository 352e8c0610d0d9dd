package protocol

import (
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// RunTrace is the run that a check evaluates: what the agent was asked, what it did, what it answered.
//
// Optional members that a trace lacks are zero here. No member makes a trace unreadable: one of an
// unexpected type leaves its field zero and is kept in Unknown, under its name.
type RunTrace struct {
	RunID     string
	TenantID  string
	ProjectID string // "" when the run has none
	AgentID   string // "" when no agent ran
	FlowID    string // "" when no flow ran

	Output      string // the run's answer, as text; "" when it has none yet
	ToolCalls   []TraceToolCall
	ToolResults []TraceToolResult
	ModelCalls  []TraceModelCall

	UserInput        string   // what the person or the system that started the turn wrote
	RetrievedFactIDs []string // nil when nothing was retrieved
	ConversationID   string
	TurnNumber       int64
	TotalCostUSD     float64 // US dollars
	DurationMs       float64 // milliseconds
	Mode             Mode
	Attributes       map[string]jsontext.Value // the runtime's own; nil when there are none

	// Unknown has the members beyond these, by name.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// Mode says where a check runs.
type Mode string

// The modes of a run.
const (
	ModeCI      Mode = "ci"      // an evaluation, before anything is published
	ModeRuntime Mode = "runtime" // a live run
)

// MarshalJSON gives the trace as a JSON object. It fails when a raw value in it is not JSON.
func (t RunTrace) MarshalJSON() ([]byte, error) { return marshalObject(&t) }

// UnmarshalJSON reads a trace. Only what is no JSON object, or no JSON, is an error.
func (t *RunTrace) UnmarshalJSON(data []byte) error { return unmarshalObject(data, t, false) }

func (t *RunTrace) visit(v *visitor) {
	v.open(&t.Unknown, &t.zeros)
	text(v, "runId", &t.RunID, always)
	text(v, "tenantId", &t.TenantID, always)
	text(v, "projectId", &t.ProjectID, optional)
	text(v, "agentId", &t.AgentID, optional)
	text(v, "flowId", &t.FlowID, optional)
	text(v, "output", &t.Output, optional)
	list(v, "toolCalls", &t.ToolCalls, always)
	list(v, "toolResults", &t.ToolResults, always)
	list(v, "modelCalls", &t.ModelCalls, always)
	text(v, "userInput", &t.UserInput, optional)
	v.texts("retrievedFactIds", &t.RetrievedFactIDs, optional)
	text(v, "conversationId", &t.ConversationID, optional)
	integer(v, "turnNumber", &t.TurnNumber, optional)
	v.number("totalCostUsd", &t.TotalCostUSD, optional)
	v.number("durationMs", &t.DurationMs, optional)
	text(v, "mode", &t.Mode, always)
	v.values("attributes", &t.Attributes, optional)
}

// TraceToolCall is a call of a tool that a model or a flow asked for.
type TraceToolCall struct {
	ToolID    string
	ToolName  string         // the name under which the model knows the tool
	Arguments jsontext.Value // as they were sent
	At        Moment

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the call as a trace carries it.
func (c TraceToolCall) MarshalJSON() ([]byte, error) { return marshalObject(&c) }

// UnmarshalJSON reads a call.
func (c *TraceToolCall) UnmarshalJSON(data []byte) error { return unmarshalObject(data, c, false) }

func (c *TraceToolCall) visit(v *visitor) {
	v.open(&c.Unknown, &c.zeros)
	text(v, "toolId", &c.ToolID, always)
	text(v, "toolName", &c.ToolName, always)
	v.raw("arguments", &c.Arguments, optional)
	v.moment("at", &c.At)
}

// TraceToolResult is what a tool call gave. ToolCallID is the model's name for the call. The protocol gives
// a [TraceToolCall] no such id: whether one stands in its Unknown is the runtime's to say.
type TraceToolResult struct {
	ToolCallID string
	Output     jsontext.Value
	At         Moment

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the result as a trace carries it.
func (r TraceToolResult) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a result.
func (r *TraceToolResult) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, false) }

func (r *TraceToolResult) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	text(v, "toolCallId", &r.ToolCallID, always)
	v.raw("output", &r.Output, optional)
	v.moment("at", &r.At)
}

// TraceModelCall is one call of a model.
type TraceModelCall struct {
	ProviderID       string
	Model            string
	PromptTokens     int64
	CompletionTokens int64
	At               Moment

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the call as a trace carries it.
func (c TraceModelCall) MarshalJSON() ([]byte, error) { return marshalObject(&c) }

// UnmarshalJSON reads a call.
func (c *TraceModelCall) UnmarshalJSON(data []byte) error { return unmarshalObject(data, c, false) }

func (c *TraceModelCall) visit(v *visitor) {
	v.open(&c.Unknown, &c.zeros)
	text(v, "providerId", &c.ProviderID, always)
	text(v, "model", &c.Model, always)
	integer(v, "promptTokens", &c.PromptTokens, always)
	integer(v, "completionTokens", &c.CompletionTokens, always)
	v.moment("at", &c.At)
}

// Moment is a point in time in whichever form a trace carries it: a date and time as text, or
// milliseconds since 1970. It keeps that form, to the last digit. The zero Moment is absent.
type Moment struct{ json string }

// At gives t as a Moment, in UTC with milliseconds, the form of JavaScript's toISOString.
func At(t time.Time) Moment {
	return Moment{`"` + t.UTC().Format("2006-01-02T15:04:05.000Z07:00") + `"`}
}

// Time gives the point in time; it is false when the Moment is absent or in a form this package does
// not read, which are RFC 3339 and numbers of milliseconds.
func (m Moment) Time() (time.Time, bool) {
	switch {
	case m.json == "":
		return time.Time{}, false
	case m.json[0] == '"':
		t, err := time.Parse(time.RFC3339Nano, string(scan.Unquote([]byte(m.json))))
		return t, err == nil
	}
	ms, err := strconv.ParseFloat(m.json, 64)
	if err != nil || math.Abs(ms) > 8.64e15 { // the range of an ECMA-262 Date
		return time.Time{}, false
	}
	whole, fraction := math.Modf(ms)
	return time.UnixMilli(int64(whole)).Add(time.Duration(fraction * float64(time.Millisecond))).UTC(), true
}

// JSON gives the Moment as the trace carries it, nil when absent.
func (m Moment) JSON() jsontext.Value {
	if m.json == "" {
		return nil
	}
	return jsontext.Value(m.json)
}

// String gives the Moment as the trace carries it, "" when absent.
func (m Moment) String() string { return m.json }

// MarshalJSON gives the Moment as the trace carries it, null when absent.
func (m Moment) MarshalJSON() ([]byte, error) { return appendRaw(nil, m.JSON()), nil }

// UnmarshalJSON takes any JSON value.
func (m *Moment) UnmarshalJSON(data []byte) error {
	m.json = string(data)
	return nil
}

func (v *visitor) moment(name string, p *Moment) {
	raw := p.JSON()
	v.raw(name, &raw, optional)
	if v.reading {
		p.json = string(raw)
	}
}
