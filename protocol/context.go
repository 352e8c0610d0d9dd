package protocol

import "github.com/go-json-experiment/json/jsontext"

// CallContext is what a runtime says about a call beside its input.
type CallContext struct {
	TenantID       string
	RunID          string
	ProjectID      string
	OrgID          string
	RequestID      string
	IdempotencyKey string
	Env            map[string]string
	Secrets        map[string]jsontext.Value
	Config         map[string]jsontext.Value
	Settings       map[string]jsontext.Value

	// Raw is the whole context as it came; it aliases the request's body.
	Raw jsontext.Value
}
