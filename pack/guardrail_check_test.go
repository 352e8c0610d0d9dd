package pack_test

import (
	"context"
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// guardrail registers a check that is "acme.c" unless it says otherwise.
func guardrail(c pack.Check) func(*pack.Builder) {
	if c.ID == "" {
		c.ID = "acme.c"
	}
	return func(b *pack.Builder) { pack.AddCheck(b, c, pass) }
}

type limitConfig struct {
	Limit int    `json:"limit" jsonschema:"minimum=1,default=3"`
	Word  string `json:"word,omitempty"`
}

func withConfig(config any) func(*pack.Builder) {
	return func(b *pack.Builder) {
		pack.AddCheck(b, pack.Check{ID: "acme.c", OnViolation: pack.Halt, Config: config},
			func(context.Context, limitConfig, *protocol.RunTrace) (protocol.CheckResult, error) {
				return protocol.CheckResult{}, nil
			})
	}
}

func TestGuardrailIDs(t *testing.T) {
	t.Parallel()
	checkRegistrations(t, []registration{
		{name: "own", register: guardrail(pack.Check{CheckID: "acme.checks.c", OnViolation: pack.Halt})},
		{name: "not prefixed", register: guardrail(pack.Check{ID: "not-empty", OnViolation: pack.Halt}),
			warnings: []string{`check not-empty: its id does not begin with the pack's; another pack may have a guardrail of that name, so call it acme.NAME`}},
		{name: "check id not prefixed", register: guardrail(pack.Check{CheckID: "shared.not-empty", OnViolation: pack.Halt}),
			warnings: []string{`check acme.c: CheckID "shared.not-empty" does not begin with the pack's id; call it acme.NAME`}},
		{name: "not dotted words", register: guardrail(pack.Check{ID: "acme..c", CheckID: "acme c", OnViolation: pack.Halt}), problems: []string{
			`check acme..c: its id "acme..c" is not dotted words of letters, digits, - and _`,
			`check acme..c: CheckID "acme c" is not dotted words of letters, digits, - and _`,
		}, warnings: []string{`check acme..c: CheckID "acme c" does not begin with the pack's id; call it acme.NAME`}},
	})
}

func TestActions(t *testing.T) {
	t.Parallel()
	checkRegistrations(t, []registration{
		{name: "halt", register: guardrail(pack.Check{OnViolation: pack.Halt})},
		{name: "log-only", register: guardrail(pack.Check{OnViolation: pack.LogOnly})},
		{name: "retry", register: guardrail(pack.Check{OnViolation: pack.Retry, MaxAttempts: 1})},
		{name: "escalate", register: guardrail(pack.Check{OnViolation: pack.Escalate, EscalateTo: "duty"})},
		{name: "compensate", register: guardrail(pack.Check{OnViolation: pack.Compensate, CompensateWith: "acme.undo"})},
		{name: "one of a runtime's own", register: guardrail(pack.Check{OnViolation: "quarantine", MaxAttempts: 2, EscalateTo: "duty", CompensateWith: "x"})},
		{name: "none", register: guardrail(pack.Check{}),
			problems: []string{`check acme.c: OnViolation is required: pack.Halt, pack.Retry, pack.Escalate, pack.LogOnly, pack.Compensate or another name`}},
		{name: "misspelt", register: guardrail(pack.Check{OnViolation: "Log-Only"}),
			warnings: []string{`check acme.c: OnViolation "Log-Only" is none of the actions every runtime knows (did you mean "log-only"?)`}},
		{name: "retry without attempts", register: guardrail(pack.Check{OnViolation: pack.Retry}),
			problems: []string{`check acme.c: pack.Retry needs MaxAttempts of 1 or more, it is 0`}},
		{name: "retry with a negative number", register: guardrail(pack.Check{OnViolation: pack.Retry, MaxAttempts: -1}),
			problems: []string{`check acme.c: pack.Retry needs MaxAttempts of 1 or more, it is -1`}},
		{name: "own with a negative number", register: guardrail(pack.Check{OnViolation: "quarantine", MaxAttempts: -1}),
			problems: []string{`check acme.c: MaxAttempts is -1: it cannot be negative`}},
		{name: "escalate to nobody", register: guardrail(pack.Check{OnViolation: pack.Escalate}),
			problems: []string{`check acme.c: pack.Escalate needs EscalateTo: who is asked`}},
		{name: "compensate with nothing", register: guardrail(pack.Check{OnViolation: pack.Compensate}),
			problems: []string{`check acme.c: pack.Compensate needs CompensateWith: what undoes the run's work`}},
		{name: "what does not belong", register: guardrail(pack.Check{OnViolation: pack.Halt, MaxAttempts: 1, EscalateTo: "duty", CompensateWith: "x"}), problems: []string{
			`check acme.c: MaxAttempts belongs to pack.Retry, but OnViolation is "halt"`,
			`check acme.c: EscalateTo belongs to pack.Escalate, but OnViolation is "halt"`,
			`check acme.c: CompensateWith belongs to pack.Compensate, but OnViolation is "halt"`,
		}},
		{name: "retry with an escalation", register: guardrail(pack.Check{OnViolation: pack.Retry, MaxAttempts: 1, EscalateTo: "duty"}),
			problems: []string{`check acme.c: EscalateTo belongs to pack.Escalate, but OnViolation is "retry"`}},
	})
}

func TestSeverityAndScope(t *testing.T) {
	t.Parallel()
	scope := func(s protocol.Scope) func(*pack.Builder) {
		return func(b *pack.Builder) {
			b.AddAgent(agentOf("acme.clerk"))
			b.AddFlow(line("acme.intake"))
			tool(pack.Tool{ID: "acme.step"})(b)
			guardrail(pack.Check{OnViolation: pack.Halt, Scope: &s})(b)
		}
	}
	checkRegistrations(t, []registration{
		{name: "severity", register: guardrail(pack.Check{OnViolation: pack.Halt, Severity: "fatal"}),
			problems: []string{`check acme.c: Severity "fatal" is not known; it is info, warn, error or critical`}},
		{name: "severities", register: func(b *pack.Builder) {
			for _, s := range []pack.Severity{pack.SeverityInfo, pack.SeverityWarn, pack.SeverityError, pack.SeverityCritical} {
				guardrail(pack.Check{ID: "acme." + string(s), CheckID: "acme.checks.same", OnViolation: pack.Halt, Severity: s})(b)
			}
		}},
		{name: "isolation", register: guardrail(pack.Check{OnViolation: pack.Halt, Sandbox: "x", Limits: &protocol.Limits{MemMB: 1}, Network: &protocol.Network{}}), problems: []string{
			`check acme.c: Sandbox "x" is not known; it is none, context-isolated or strict`,
			`check acme.c: Limits has MemMB without CPUMs; a runtime takes both or none`,
			`check acme.c: Network.Kind is empty; it is none, unrestricted or allowlist`,
		}},
		{name: "scope", register: scope(protocol.Scope{When: "ci-only", Agents: []string{"acme.clerk", "other.clerk"}, Flows: []string{"acme.intake"}, Tenants: []string{"t1"}})},
		{name: "scope without when", register: scope(protocol.Scope{}), problems: []string{`check acme.c: Scope.When is empty; it is always, ci-only or runtime-only`}},
		{name: "scope at another time", register: scope(protocol.Scope{When: "ci"}), problems: []string{`check acme.c: Scope.When "ci" is not known; it is always, ci-only or runtime-only`}},
		{name: "scope of nothing", register: scope(protocol.Scope{When: "always", Agents: []string{}}), problems: []string{`check acme.c: Scope.Agents is an empty list, which no run is in; leave it nil for all`}},
		{name: "scope of strangers", register: scope(protocol.Scope{When: "always", Agents: []string{"acme.clark"}, Flows: []string{"acme.outtake"}, Tenants: []string{"", "a", "a"}}), problems: []string{
			`check acme.c: Scope.Tenants[0] is empty`,
			`check acme.c: Scope.Tenants[2] is "a", which Scope.Tenants[1] is already`,
			`check acme.c: Scope.Agents[0] names "acme.clark", and this pack has no such agent (did you mean "acme.clerk"?)`,
			`check acme.c: Scope.Flows[0] names "acme.outtake", and this pack has no such flow (did you mean "acme.intake"?)`,
		}},
	})
}

func TestDeclaredConfig(t *testing.T) {
	t.Parallel()
	checkRegistrations(t, []registration{
		{name: "of its type", register: withConfig(limitConfig{Limit: 5})},
		{name: "of another type that fits", register: withConfig(map[string]any{"word": "x"})},
		{name: "none", register: withConfig(nil)},
		{name: "below the minimum", register: withConfig(limitConfig{}),
			problems: []string{`check acme.c: Config does not fit its schema at /limit: must be >= 1`}},
		{name: "with unknown members", register: withConfig(map[string]any{"wrod": "x", "limit": "3"}), problems: []string{
			`check acme.c: Config does not fit its schema: must NOT have additional properties`,
			`check acme.c: Config does not fit its schema at /limit: must be integer`,
		}},
		{name: "of a check without configuration", register: guardrail(pack.Check{OnViolation: pack.Halt, Config: limitConfig{Limit: 1}}),
			problems: []string{`check acme.c: it declares a Config, but its function takes none (struct{})`}},
		{name: "that is no JSON", register: withConfig(math.NaN()),
			problems: []string{`check acme.c: Config is not JSON: NaN is not a number in JSON`}},
		{name: "beyond a number's range", register: withConfig(jsontext.Value(`{"limit":1e999}`)),
			problems: []string{`check acme.c: Config is not JSON: number beyond the range of a 64-bit float at byte 9`}},
		{name: "missing where one is required", register: func(b *pack.Builder) {
			pack.AddCheck(b, pack.Check{ID: "acme.c", OnViolation: pack.Halt}, func(context.Context, word, *protocol.RunTrace) (protocol.CheckResult, error) {
				return protocol.CheckResult{}, nil
			})
		}, warnings: []string{`check acme.c: it declares no Config, and its schema refuses an empty one: must have required property 'word'`}},
	})
}
