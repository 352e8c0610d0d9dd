package protocol

import "github.com/go-json-experiment/json/jsontext"

// Request is a message a runtime sends: a [*ToolInvoke] or a [*CheckInvoke].
type Request interface{ request() }

// ToolInvoke asks to run a tool handler.
type ToolInvoke struct {
	ToolID  string
	Version string         // "" when the caller named none
	Input   jsontext.Value // as sent, nil when absent; aliases the body
	Context CallContext
}

// CheckInvoke asks to run a guardrail check.
type CheckInvoke struct {
	CheckID string
	Config  jsontext.Value // as sent; aliases the body
	Trace   jsontext.Value // as sent, nil when absent; aliases the body
}

func (*ToolInvoke) request()  {}
func (*CheckInvoke) request() {}

// ParseRequest decodes a request message. The error is always a [*Error].
func ParseRequest(body []byte) (Request, error) { panic("not written yet") }
