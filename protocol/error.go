package protocol

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// Error is the message that answers a call which has no result. It is a Go error too: a pack service
// carries it up to the one place that writes it.
type Error struct {
	Code    Code
	Message string
	ToolID  string  // when the error is about a tool
	CheckID string  // when the error is about a check
	Cause   *Cause  // what was thrown, for [HandlerThrow]; why a body is not JSON
	Issues  []Issue // for [InputValidationFailed] and [OutputValidationFailed]

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// Error gives the code, the message and the first issues.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Message
	for i, issue := range e.Issues {
		if i == maxIssuesInText {
			return text + fmt.Sprintf("; and %d more", len(e.Issues)-i)
		}
		if i == 0 && strings.HasSuffix(e.Message, ": "+issue.Message) {
			continue // a check's message has its first issue
		}
		text += "; "
		if issue.InstancePath != "" {
			text += issue.InstancePath + " "
		}
		text += issue.Message
	}
	return text
}

// maxIssuesInText is how many issues the text of an error gives.
const maxIssuesInText = 10

// AppendTo appends the message's JSON to b. The result is valid JSON whatever the fields hold: what is
// not UTF-8 in a text is replaced, and issue parameters and unknown members that are not JSON are left
// out, all of them together.
func (e *Error) AppendTo(b []byte) []byte {
	start := len(b)
	b = appendObject(b, e)
	if scan.Valid(b[start:]) == nil {
		return b
	}
	bare := Error{Code: e.Code, Message: e.Message, ToolID: e.ToolID, CheckID: e.CheckID}
	if e.Cause != nil {
		bare.Cause = &Cause{Name: e.Cause.Name, Message: e.Cause.Message, Stack: e.Cause.Stack}
	}
	for _, issue := range e.Issues {
		issue.Params, issue.Unknown = nil, nil
		bare.Issues = append(bare.Issues, issue)
	}
	return appendObject(b[:start], &bare)
}

// MarshalJSON gives the whole message, as [Error.AppendTo] writes it.
func (e Error) MarshalJSON() ([]byte, error) { return e.AppendTo(nil), nil }

// UnmarshalJSON reads an error message.
func (e *Error) UnmarshalJSON(data []byte) error { return unmarshalObject(data, e, false) }

func (e *Error) visit(v *visitor) {
	v.open(&e.Unknown, &e.zeros)
	v.envelope("error")
	text(v, "code", &e.Code, vital)
	text(v, "message", &e.Message, vital)
	text(v, "toolId", &e.ToolID, optional)
	text(v, "checkId", &e.CheckID, optional)
	one(v, "cause", &e.Cause, optional)
	list(v, "issues", &e.Issues, optional)
}

// Cause is a serialized throw.
type Cause struct {
	Name    string // the error's kind, such as its Go type
	Message string
	Stack   string // "" when there is none to show

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the cause as an error message carries it.
func (c Cause) MarshalJSON() ([]byte, error) { return marshalObject(&c) }

// UnmarshalJSON reads a cause.
func (c *Cause) UnmarshalJSON(data []byte) error { return unmarshalObject(data, c, false) }

func (c *Cause) visit(v *visitor) {
	v.open(&c.Unknown, &c.zeros)
	text(v, "name", &c.Name, always)
	text(v, "message", &c.Message, always)
	text(v, "stack", &c.Stack, optional)
}
