package pack

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// OnViolation names what the runtime does when a check does not pass. Beside the names
// below, any other non-empty name is handed on for a runtime that knows it.
type OnViolation string

// The actions every runtime knows.
const (
	Halt       OnViolation = "halt"       // end the run
	Retry      OnViolation = "retry"      // try again, Check.MaxAttempts times
	Escalate   OnViolation = "escalate"   // ask Check.EscalateTo
	LogOnly    OnViolation = "log-only"   // note it and go on
	Compensate OnViolation = "compensate" // undo by Check.CompensateWith
)

// Severity says how bad it is when a check does not pass.
type Severity = protocol.Severity

// The severities.
const (
	SeverityInfo     = protocol.SeverityInfo
	SeverityWarn     = protocol.SeverityWarn
	SeverityError    = protocol.SeverityError
	SeverityCritical = protocol.SeverityCritical
)

// Check is a guardrail: a check on what a run does, and what follows when it does not
// pass. ID and OnViolation are required; the zero value of every other field means what
// its comment says.
type Check struct {
	// ID names the guardrail, as in "acme.orders.not-empty".
	ID string
	// CheckID names the check that a runtime calls. Empty: ID.
	CheckID string
	// Name is the guardrail's name for people. Empty: it has none.
	Name string
	// Kind is the guardrail's kind in the index. Empty: "check".
	Kind string
	// OnViolation is what the runtime does when the check does not pass.
	OnViolation OnViolation
	// MaxAttempts is how often a run is tried again, at least 1; for Retry only.
	MaxAttempts int
	// EscalateTo names who is asked; for Escalate only.
	EscalateTo string
	// CompensateWith names what undoes the run's work; for Compensate only.
	CompensateWith string
	// Severity says how bad a violation is. Empty: not said.
	Severity Severity
	// Scope says when and where the guardrail applies. Nil: always and everywhere.
	Scope *protocol.Scope
	// Config is the configuration the guardrail is declared with: a value of the check's
	// Config type, or anything that encodes to JSON its schema admits. Nil: none.
	Config any
	// Sandbox is the isolation the runtime is asked for. Empty: the runtime's default.
	Sandbox protocol.Sandbox
	// Limits caps a call's memory and processor time. Nil: no cap is asked for.
	Limits *protocol.Limits
	// Network says which hosts the check talks to. Nil: not said.
	Network *protocol.Network
}

// checkID is the id a runtime calls the check by.
func (c *Check) checkID() string {
	if c.CheckID != "" {
		return c.CheckID
	}
	return c.ID
}

// registeredCheck is a check with its function behind a shape without type parameters.
type registeredCheck struct {
	Check
	source source

	configType reflect.Type
	function   string // the name of the check's function, "" for a function literal
	// schemas derives the configuration's schema; nil for a check without one.
	schemas *derivedSchemas
	// run decodes the configuration, calls the check and encodes its verdict. Like a
	// tool's, it runs the author's code.
	run func(ctx context.Context, config []byte, run *protocol.RunTrace) (result []byte, err error)

	once         sync.Once
	found        findings       // set by derive, as what follows is
	configSchema *schema.Schema // nil for a check without configuration
	config       jsontext.Value // of Check.Config
}

// AddCheck registers a guardrail and the function that evaluates it.
//
// The configuration's schema is derived from Config; with struct{} the check takes no
// configuration. A call's configuration is validated as the runtime sent it, then its
// defaults are filled in and it is decoded into Config. Contexts, errors and panics are
// as in [AddTool].
func AddCheck[Config any](b *Builder, c Check, check func(context.Context, Config, *protocol.RunTrace) (protocol.CheckResult, error)) {
	takesNone := reflect.TypeFor[Config]() == reflect.TypeFor[struct{}]()
	r := &registeredCheck{
		Check:      c,
		source:     callerSource(0),
		configType: reflect.TypeFor[Config](),
		function:   functionName(check),
		run: func(ctx context.Context, config []byte, run *protocol.RunTrace) ([]byte, error) {
			var cfg Config
			if !takesNone {
				if err := decode(config, &cfg); err != nil {
					return nil, err
				}
				if err := validate(&cfg); err != nil {
					return nil, err
				}
			}
			result, err := check(ctx, cfg, run)
			if err != nil {
				return nil, threw(err)
			}
			return encode(&result)
		},
	}
	if !takesNone {
		r.schemas = &b.schemas
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if check == nil {
		b.problem(r.source, "check %s: the function is nil", c.ID)
	}
	b.addCheck(r)
}

// addCheck notes a check. The caller holds b.mu.
func (b *Builder) addCheck(r *registeredCheck) {
	switch {
	case r.ID == "":
		b.problem(r.source, "a check needs an ID, such as %s.not-empty", b.id)
		return
	case !b.claim(r.source, entry{kind: "guardrail", name: r.ID}):
		return
	}
	// Guardrails may share one check, as long as the check is the same function: a
	// runtime names only the check, so it could not tell two apart.
	for _, other := range b.checks {
		if other.checkID() == r.checkID() && (r.function == "" || r.function != other.function || r.configType != other.configType) {
			b.problem(r.source, "check id %s is registered already at %s with another function; give one of them a CheckID of its own", r.checkID(), other.source)
		}
	}
	b.checks = append(b.checks, r)
}

// functionName names a declared function; a function literal, which may hold values that
// another use of the same literal does not, has no name.
func functionName(f any) string {
	v := reflect.ValueOf(f)
	if v.IsNil() {
		return ""
	}
	fn := runtime.FuncForPC(v.Pointer())
	if fn == nil || strings.Contains(fn.Name(), ".func") || strings.HasSuffix(fn.Name(), "-fm") {
		return ""
	}
	return fn.Name()
}

// derive sets the check's schema and its declared configuration and checks its manifest.
func (c *registeredCheck) derive(packID string) *findings {
	c.once.Do(func() {
		f := &c.found
		f.at, f.subject = c.source, entry{kind: "check", name: c.ID}
		f.guardrail(&c.Check, packID)
		c.deriveConfig(f)
		if len(f.problems) == 0 {
			f.writable(c.entry())
		}
	})
	return &c.found
}

func (c *registeredCheck) deriveConfig(f *findings) {
	if c.schemas != nil {
		s, err := c.schemas.of(c.configType)
		if err != nil {
			for _, problem := range unjoin(err) {
				f.problem("config: %w", problem)
			}
			return
		}
		c.configSchema = s
		f.typeWarnings("config", s, true)
	}
	if c.Config == nil {
		if c.configSchema != nil {
			if issues, err := c.configSchema.Validate([]byte("{}")); err == nil && len(issues) > 0 {
				f.warn("it declares no Config, and its schema refuses an empty one%s", describe(issues[0]))
			}
		}
		return
	}
	config, err := schema.Marshal(c.Config)
	switch {
	case err != nil:
		f.problem("Config is not JSON: %w", err)
		return
	case c.configSchema == nil:
		f.problem("it declares a Config, but its function takes none (struct{})")
		return
	}
	issues, err := c.configSchema.Validate(config)
	if err != nil {
		f.problem("Config is not JSON: %w", err)
	}
	for _, issue := range issues {
		f.problem("Config does not fit its schema%s", describe(issue))
	}
	c.config = config
}

// references checks what the check's scope says of the pack's agents and flows.
func (c *registeredCheck) references(refs *references) *findings {
	f := &findings{at: c.source, subject: entry{kind: "check", name: c.ID}}
	if c.Scope != nil {
		for i, id := range c.Scope.Agents {
			missing(f, refs, fmt.Sprintf("Scope.Agents[%d]", i), "agent", id, refs.agents)
		}
		for i, id := range c.Scope.Flows {
			missing(f, refs, fmt.Sprintf("Scope.Flows[%d]", i), "flow", id, refs.flows)
		}
	}
	return f
}

// entry is the check's entry in the pack's index.
func (c *registeredCheck) entry() protocol.IndexGuardrail {
	e := protocol.IndexGuardrail{
		ID:              c.ID,
		Kind:            cmp.Or(c.Kind, "check"),
		Name:            c.Name,
		CheckID:         c.CheckID,
		Severity:        c.Severity,
		Scope:           c.Scope,
		Config:          c.config,
		CheckModulePath: c.source.module,
		Sandbox:         c.Sandbox,
		Limits:          c.Limits,
		Network:         c.Network,
		Action: protocol.Action{
			OnViolation:    string(c.OnViolation),
			EscalateTo:     c.EscalateTo,
			CompensateWith: c.CompensateWith,
		},
	}
	if c.MaxAttempts != 0 {
		e.Action.Retry = &protocol.Retry{MaxAttempts: c.MaxAttempts}
	}
	if c.configSchema != nil {
		e.ConfigSchema = c.configSchema.JSON()
	}
	return e
}

// describe says where an issue is and what it is, as a message's ending.
func describe(issue protocol.Issue) string {
	if issue.InstancePath == "" {
		return ": " + issue.Message
	}
	return fmt.Sprintf(" at %s: %s", issue.InstancePath, issue.Message)
}
