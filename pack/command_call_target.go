package pack

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// callTarget is what the command call calls: a tool or a check.
type callTarget struct {
	id    string
	tool  *registeredTool // nil for a check, and for a version of a tool that the pack lacks
	check *registeredCheck
	// config is the configuration that the check's guardrail declares; nil when it declares none.
	config jsontext.Value
}

// target finds what an id names. A check is named by its own id or by a guardrail's. Its error
// says why a call cannot be meant, in the terms of the command.
func (o *callFlags) target(r *registered, id string) (callTarget, error) {
	target := callTarget{id: id}
	var ids, versions []string
	for _, t := range r.tools {
		ids = append(ids, t.ID)
		if t.ID != id {
			continue
		}
		versions = append(versions, t.Version)
		if o.version == "" || o.version == t.Version {
			target.tool = t
		}
	}
	switch {
	case len(versions) > 1 && o.version == "":
		return target, fmt.Errorf("tool %q has several versions; name one with --version: %s", id, orList(versions))
	case len(versions) > 0:
		return target, nil
	}
	var guardrails []string
	various := false
	for _, c := range r.checks {
		ids = append(ids, c.checkID(), c.ID)
		if c.checkID() == id {
			various = various || target.check != nil && !bytes.Equal(target.config, c.config)
			target.check, target.config = c, c.config
			guardrails = append(guardrails, c.ID)
		}
	}
	for _, c := range r.checks {
		if c.ID == id && (target.check == nil || various && c.checkID() == id) {
			target.check, target.config, various = c, c.config, false
		}
	}
	switch {
	case various && o.config == "":
		return target, fmt.Errorf("several guardrails share check %q, with a configuration each; name one, %s, or give --config", id, orList(guardrails))
	case target.check != nil:
		return target, nil
	}
	if slices.ContainsFunc(r.agents, func(a registeredAgent) bool { return a.ID == id }) {
		return target, fmt.Errorf("%q is an agent, which a runtime runs; call takes a tool or a check", id)
	}
	if slices.ContainsFunc(r.flows, func(f registeredFlow) bool { return f.ID == id }) {
		return target, fmt.Errorf("%q is a flow, which a runtime runs; call takes a tool or a check", id)
	}
	return target, fmt.Errorf("the pack has no tool or check %q%s; list shows what it has", id, suggestion(id, ids))
}
