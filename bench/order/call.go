package order

import "encoding/json"

// ToolID is the tool that is called, ToolVersion its version.
const (
	ToolID      = "acme.orders.quote"
	ToolVersion = "1.0.0"
)

// Call is the message of a pack call, for the programs that decode it with a JSON package alone. In is
// the type of the input: Order to decode all at once, json.RawMessage to validate first.
type Call[In any] struct {
	V     int     `json:"v"`
	Kind  string  `json:"kind"`
	Tool  Tool    `json:"tool"`
	Input In      `json:"input"`
	Ctx   Context `json:"ctx"`
}

// Tool names the tool of a call.
type Tool struct {
	ID      string `json:"id"`
	Version string `json:"version,omitempty"`
}

// Context is what a call carries beside its input.
type Context struct {
	TenantID       string                     `json:"tenantId"`
	RunID          string                     `json:"runId"`
	ProjectID      string                     `json:"projectId,omitempty"`
	OrgID          string                     `json:"orgId,omitempty"`
	RequestID      string                     `json:"requestId,omitempty"`
	IdempotencyKey string                     `json:"idempotencyKey,omitempty"`
	Env            map[string]string          `json:"env,omitempty"`
	Secrets        map[string]json.RawMessage `json:"secrets,omitempty"`
}

// Result is the message of an answer.
type Result[Out any] struct {
	V      int    `json:"v"`
	Kind   string `json:"kind"`
	Output Out    `json:"output"`
}
