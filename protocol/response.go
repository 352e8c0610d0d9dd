package protocol

import "github.com/go-json-experiment/json/jsontext"

// Error is the message that answers a call without a result.
type Error struct {
	Code    Code
	Message string
	ToolID  string
	CheckID string
	Cause   *Cause
	Issues  []Issue
}

// Cause is a serialized throw.
type Cause struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitzero"`
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// AppendTo appends the message's JSON to b.
func (e *Error) AppendTo(b []byte) []byte { panic("not written yet") }

// AppendToolResult appends the message that carries a tool's output, which is
// valid JSON.
func AppendToolResult(b []byte, output jsontext.Value) []byte { panic("not written yet") }

// AppendCheckResult appends the message that carries a check's result, which is
// a valid JSON object.
func AppendCheckResult(b []byte, result jsontext.Value) []byte { panic("not written yet") }

// CheckResult is a check's verdict.
type CheckResult struct {
	Passed        bool
	Reason        string
	JudgeResponse string
	Attributes    map[string]jsontext.Value
	Unknown       map[string]jsontext.Value
}
