package pack

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kindgi/kindgi-go/protocol"
)

// references resolves what the entries of a pack say about each other.
type references struct {
	packID, packVersion string

	tools      map[string][]string // versions
	guardrails map[string]bool
	checks     map[string]string // check id to the id of a guardrail that uses it
	agents     map[string]bool
	flows      map[string]bool
}

func (r *registered) references() *references {
	refs := &references{
		packID: r.id, packVersion: r.version, tools: map[string][]string{}, guardrails: map[string]bool{}, checks: map[string]string{},
		agents: map[string]bool{}, flows: map[string]bool{},
	}
	for _, t := range r.tools {
		refs.tools[t.ID] = append(refs.tools[t.ID], t.Version)
	}
	for _, c := range r.checks {
		refs.guardrails[c.ID] = true
		if _, ok := refs.checks[c.checkID()]; !ok {
			refs.checks[c.checkID()] = c.ID
		}
	}
	for _, a := range r.agents {
		refs.agents[a.ID] = true
	}
	for _, f := range r.flows {
		refs.flows[f.ID] = true
	}
	return refs
}

// missing notes a reference to something of this pack that is not in it. An id that does
// not begin with the pack's is of another pack and cannot be checked; one with more than
// a word after it may be of a pack whose id begins with this one's.
func missing[V any](f *findings, refs *references, where, kind, id string, known map[string]V) bool {
	if _, ok := known[id]; ok {
		return false
	}
	name, own := strings.CutPrefix(id, refs.packID+".")
	switch {
	case !own:
	case strings.Contains(name, "."):
		f.warn("%s names %q, and this pack has no such %s%s", where, id, kind, suggestion(id, slices.Sorted(maps.Keys(known))))
	default:
		f.problem("%s names %q, and this pack has no such %s%s", where, id, kind, suggestion(id, slices.Sorted(maps.Keys(known))))
	}
	return true
}

// head checks what agents and flows have in common.
func (f *findings) head(id, version, modulePath string, refs *references) {
	if f.id(id) && isDottedID(refs.packID) && !strings.HasPrefix(id, refs.packID+".") {
		f.problem("its id does not begin with the pack's: call it %s.NAME", refs.packID)
	}
	if _, err := protocol.ParseVersion(version); err != nil && version != refs.packVersion {
		f.problem("%w", err)
	}
	if modulePath != path.Clean(modulePath) || path.IsAbs(modulePath) || strings.HasPrefix(modulePath, "../") || strings.Contains(modulePath, `\`) {
		f.problem("ModulePath %q is not a file's path below the pack's root, with forward slashes; leave it empty for the file of this call", modulePath)
	}
}

// agent checks an agent.
func (f *findings) agent(a *protocol.Agent, refs *references) {
	f.head(a.ID, a.Version, a.ModulePath, refs)
	if a.Name == "" {
		f.problem("it needs a Name for people")
	}
	switch i := a.Instructions; {
	case i.Text != "" && (i.Prompt != "" || i.Version != ""):
		f.problem("Instructions has a Text and a Prompt; give one of them")
	case i.Text == "" && i.Prompt == "" && i.Version == "" && len(i.Unknown) == 0:
		f.problem("it needs Instructions: a Text, or a Prompt and its Version")
	case i.Text == "" && (i.Prompt == "") != (i.Version == ""):
		f.problem("Instructions needs both a Prompt and its Version")
	}
	f.texts("Capabilities", a.Capabilities)
	f.texts("Tags", a.Tags)
	f.agentTools(a, refs)
	f.texts("Guardrails", a.Guardrails)
	for i, id := range a.Guardrails {
		where := fmt.Sprintf("Guardrails[%d]", i)
		if guardrail, isCheck := refs.checks[id]; isCheck && !refs.guardrails[id] {
			f.problem("%s names %q, which is the id of a check; name the guardrail, %q", where, id, guardrail)
			continue
		}
		missing(f, refs, where, "guardrail", id, refs.guardrails)
	}
	f.writable(a)
}

func (f *findings) agentTools(a *protocol.Agent, refs *references) {
	first := map[string]int{}
	for i, ref := range a.Tools {
		where := fmt.Sprintf("Tools[%d]", i)
		if ref.ID == "" {
			f.problem("%s needs an ID", where)
			continue
		}
		if j, twice := first[ref.ID]; twice {
			f.problem("%s is %s, which Tools[%d] is already; an agent has one version of a tool", where, ref.ID, j)
			continue
		}
		first[ref.ID] = i
		if missing(f, refs, where, "tool", ref.ID, refs.tools) {
			if _, err := protocol.ParseVersion(ref.Version); err != nil {
				f.problem("%s (%s): %w", where, ref.ID, err)
			}
			continue
		}
		versions := refs.tools[ref.ID]
		switch {
		case ref.Version == "":
			f.problem("%s needs a Version: %s is %s here", where, ref.ID, orList(versions))
		case !slices.Contains(versions, ref.Version):
			f.problem("%s names %s %s, but this pack has it as %s", where, ref.ID, ref.Version, orList(versions))
		}
	}
}
