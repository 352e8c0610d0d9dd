package protocol

import "github.com/go-json-experiment/json/jsontext"

// IndexGuardrail is a guardrail's entry in an index.
type IndexGuardrail struct {
	ID       string
	Name     string // for a person; left out when ""
	Kind     string
	Severity Severity // left out when ""
	Scope    *Scope   // when it applies; left out when nil
	Action   Action   // what a runtime does when the check does not pass
	CheckID  string   // the check's id; left out when "", which means ID
	// CheckModulePath is the source file that declares the check, like IndexTool.ModulePath.
	CheckModulePath string
	ConfigSchema    jsontext.Value // a JSON Schema; left out when nil
	Config          jsontext.Value // the config the check is called with; left out when nil
	Sandbox         Sandbox        // left out when ""
	Limits          *Limits        // left out when nil
	Network         *Network       // left out when nil

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// Check gives the id a runtime calls the check by.
func (g *IndexGuardrail) Check() string {
	if g.CheckID != "" {
		return g.CheckID
	}
	return g.ID
}

// MarshalJSON gives the entry as an index carries it.
func (g IndexGuardrail) MarshalJSON() ([]byte, error) { return marshalObject(&g) }

// UnmarshalJSON reads an entry.
func (g *IndexGuardrail) UnmarshalJSON(data []byte) error { return unmarshalObject(data, g, true) }

func (g *IndexGuardrail) visit(v *visitor) {
	v.open(&g.Unknown, &g.zeros)
	text(v, "id", &g.ID, required)
	text(v, "name", &g.Name, optional)
	text(v, "kind", &g.Kind, required)
	text(v, "severity", &g.Severity, optional)
	one(v, "scope", &g.Scope, optional)
	part(v, "action", &g.Action, required)
	text(v, "checkId", &g.CheckID, optional)
	text(v, "checkModulePath", &g.CheckModulePath, required)
	v.rawObject("configSchema", &g.ConfigSchema, optional)
	v.rawObject("config", &g.Config, optional)
	text(v, "sandbox", &g.Sandbox, optional)
	one(v, "limits", &g.Limits, optional)
	one(v, "network", &g.Network, optional)
}

// Severity is how bad a violation is.
type Severity string

// The severities.
const (
	SeverityInfo     Severity = "info"
	SeverityWarn     Severity = "warn"
	SeverityError    Severity = "error"
	SeverityCritical Severity = "critical"
)

// The values of [Action.OnViolation] that runtimes know. Any other name that is not empty is one of a
// runtime's own.
const (
	ActionHalt       = "halt"       // the run stops
	ActionRetry      = "retry"      // the run tries again, Retry.MaxAttempts times at most
	ActionEscalate   = "escalate"   // a person decides: EscalateTo
	ActionLogOnly    = "log-only"   // the run goes on
	ActionCompensate = "compensate" // what was done is undone: CompensateWith
)

// Action is what a runtime does when a check does not pass.
type Action struct {
	OnViolation    string
	Retry          *Retry // for [ActionRetry]; left out when nil
	EscalateTo     string // for [ActionEscalate]; left out when ""
	CompensateWith string // for [ActionCompensate]; left out when ""

	// Unknown has further members, and escalateTo or compensateWith that are not texts.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the action as an index carries it.
func (a Action) MarshalJSON() ([]byte, error) { return marshalObject(&a) }

// UnmarshalJSON reads an action.
func (a *Action) UnmarshalJSON(data []byte) error { return unmarshalObject(data, a, true) }

func (a *Action) visit(v *visitor) {
	v.open(&a.Unknown, &a.zeros)
	text(v, "on-violation", &a.OnViolation, required)
	one(v, "retry", &a.Retry, optional)
	text(v, "escalateTo", &a.EscalateTo, loose)
	text(v, "compensateWith", &a.CompensateWith, loose)
}

// Retry bounds how often a run tries again.
type Retry struct {
	MaxAttempts int

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the bound as an index carries it.
func (r Retry) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a bound.
func (r *Retry) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, true) }

func (r *Retry) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	integer(v, "maxAttempts", &r.MaxAttempts, required)
}

// The values of [Scope.When].
const (
	WhenAlways      = "always"
	WhenCIOnly      = "ci-only"
	WhenRuntimeOnly = "runtime-only"
)

// Scope says which runs a guardrail watches.
type Scope struct {
	When    string
	Agents  []string // agent ids; left out when nil, which means all
	Flows   []string // flow ids; left out when nil, which means all
	Tenants []string // tenant ids; left out when nil, which means all

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the scope as an index carries it.
func (s Scope) MarshalJSON() ([]byte, error) { return marshalObject(&s) }

// UnmarshalJSON reads a scope.
func (s *Scope) UnmarshalJSON(data []byte) error { return unmarshalObject(data, s, true) }

func (s *Scope) visit(v *visitor) {
	v.open(&s.Unknown, &s.zeros)
	text(v, "when", &s.When, required)
	v.texts("agents", &s.Agents, optional)
	v.texts("flows", &s.Flows, optional)
	v.texts("tenants", &s.Tenants, optional)
}
