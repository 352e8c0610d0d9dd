package pack

import (
	"fmt"
	"strings"

	"github.com/kindgi/kindgi-go/protocol"
)

// guardrail checks what a check declares, its configuration apart.
func (f *findings) guardrail(c *Check, packID string) {
	checked := f.id(c.ID)
	if c.CheckID != "" && c.CheckID != c.ID && !isDottedID(c.CheckID) {
		f.problem("CheckID %q is not dotted words of letters, digits, - and _", c.CheckID)
	}
	if isDottedID(packID) {
		if checked && !strings.HasPrefix(c.ID, packID+".") {
			f.warn("its id does not begin with the pack's; another pack may have a guardrail of that name, so call it %s.NAME", packID)
		}
		if c.CheckID != "" && c.CheckID != c.ID && !strings.HasPrefix(c.CheckID, packID+".") {
			f.warn("CheckID %q does not begin with the pack's id; call it %s.NAME", c.CheckID, packID)
		}
	}
	f.action(c)
	if c.Severity != "" {
		f.oneOf("Severity", string(c.Severity), names(SeverityInfo, SeverityWarn, SeverityError, SeverityCritical))
	}
	if c.Scope != nil {
		f.scope(c.Scope)
	}
	f.isolation(c.Sandbox, c.Limits, c.Network)
}

// action checks what is to follow a violation: each action has what it needs, and nothing
// that belongs to another. An action that is none of the known ones may use any field.
func (f *findings) action(c *Check) {
	known := names(Halt, Retry, Escalate, LogOnly, Compensate)
	switch c.OnViolation {
	case "":
		f.problem("OnViolation is required: pack.Halt, pack.Retry, pack.Escalate, pack.LogOnly, pack.Compensate or another name")
	case Halt, Retry, Escalate, LogOnly, Compensate:
		if c.MaxAttempts != 0 && c.OnViolation != Retry {
			f.problem("MaxAttempts belongs to pack.Retry, but OnViolation is %q", c.OnViolation)
		}
		if c.EscalateTo != "" && c.OnViolation != Escalate {
			f.problem("EscalateTo belongs to pack.Escalate, but OnViolation is %q", c.OnViolation)
		}
		if c.CompensateWith != "" && c.OnViolation != Compensate {
			f.problem("CompensateWith belongs to pack.Compensate, but OnViolation is %q", c.OnViolation)
		}
	default:
		if near := nearest(string(c.OnViolation), known); near != "" {
			f.warn("OnViolation %q is none of the actions every runtime knows (did you mean %q?)", c.OnViolation, near)
		}
		if c.MaxAttempts < 0 {
			f.problem("MaxAttempts is %d: it cannot be negative", c.MaxAttempts)
		}
	}
	switch {
	case c.OnViolation == Retry && c.MaxAttempts < 1:
		f.problem("pack.Retry needs MaxAttempts of 1 or more, it is %d", c.MaxAttempts)
	case c.OnViolation == Escalate && c.EscalateTo == "":
		f.problem("pack.Escalate needs EscalateTo: who is asked")
	case c.OnViolation == Compensate && c.CompensateWith == "":
		f.problem("pack.Compensate needs CompensateWith: what undoes the run's work")
	}
}

func (f *findings) scope(s *protocol.Scope) {
	f.oneOf("Scope.When", s.When, []string{protocol.WhenAlways, protocol.WhenCIOnly, protocol.WhenRuntimeOnly})
	for _, list := range []struct {
		field string
		ids   []string
	}{{"Agents", s.Agents}, {"Flows", s.Flows}, {"Tenants", s.Tenants}} {
		if list.ids != nil && len(list.ids) == 0 {
			f.problem("Scope.%s is an empty list, which no run is in; leave it nil for all", list.field)
		}
		f.texts(fmt.Sprintf("Scope.%s", list.field), list.ids)
	}
}
