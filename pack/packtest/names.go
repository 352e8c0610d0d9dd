package packtest

import (
	"cmp"
	"fmt"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// names are the ids of a pack, for hints: a runtime is told that there is no such tool or check,
// and a test's author wants to know what there is.
type names struct {
	tools      map[string]bool
	checks     map[string]bool
	guardrails map[string]string // the id of each one's check
}

func namesOf(b *pack.Builder) (names, error) {
	n := names{map[string]bool{}, map[string]bool{}, map[string]string{}}
	tools, err := b.Tools()
	if err != nil {
		return n, err
	}
	for t := range tools {
		n.tools[t.ID] = true
	}
	checks, err := b.Checks()
	if err != nil {
		return n, err
	}
	for k := range checks {
		n.guardrails[k.ID] = cmp.Or(k.CheckID, k.ID)
		n.checks[n.guardrails[k.ID]] = true
	}
	return n, nil
}

// hint adds to a call's error what an id is that is not one of what was called.
func (s *Service) hint(id string, err error) error {
	code := Code(err)
	if code != protocol.ToolNotInPack && code != protocol.CheckNotInPack {
		return err
	}
	n, problem := namesOf(s.builder)
	if problem != nil {
		return err // what has been registered since keeps the pack from being asked
	}
	switch check := n.guardrails[id]; {
	case code == protocol.CheckNotInPack && check != "":
		return fmt.Errorf("%w; %s is the id of a guardrail, whose check has the CheckID %s: call that", err, id, check)
	case code == protocol.CheckNotInPack && n.tools[id]:
		return fmt.Errorf("%w; %s is a tool: call it with packtest.Call", err, id)
	case code == protocol.ToolNotInPack && (n.checks[id] || check != ""):
		return fmt.Errorf("%w; %s is a check: call it with packtest.CallCheck", err, cmp.Or(check, id))
	}
	return err
}
