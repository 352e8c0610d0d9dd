package pack

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindgi/kindgi-go/protocol"
)

// flow checks a flow.
func (f *findings) flow(w *protocol.Flow, refs *references) {
	f.head(w.ID, w.Version, w.ModulePath, refs)
	if w.KernelPayloadVersion != protocol.KernelPayloadVersion {
		f.problem("KernelPayloadVersion is %d: it is %d, or 0 for that", w.KernelPayloadVersion, protocol.KernelPayloadVersion)
	}
	if w.MaxParallelism < 0 {
		f.problem("MaxParallelism is %d: it is positive, or 0 for the runtime's choice", w.MaxParallelism)
	}
	nodes := f.nodes(w, refs)
	if f.edges(w, nodes) {
		f.reachable(w)
	}
	f.writable(w)
}

// nodes checks a flow's nodes and gives the place of each by its id.
func (f *findings) nodes(w *protocol.Flow, refs *references) map[string]int {
	if len(w.Nodes) == 0 {
		f.problem("it has no Nodes")
	}
	place := map[string]int{}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		where := fmt.Sprintf("Nodes[%d]", i)
		if n.ID != "" {
			where = fmt.Sprintf("node %q", n.ID)
		}
		j, twice := place[n.ID]
		switch {
		case n.ID == "":
			f.problem("%s needs an ID", where)
		case strings.HasPrefix(n.ID, "$"):
			f.problem("%s: ids that begin with $ are the runtime's; give it another", where)
		case twice:
			f.problem("Nodes[%d] has the id %q, which Nodes[%d] has already", i, n.ID, j)
		default:
			place[n.ID] = i
		}
		f.nodeRef(n, where, refs)
	}
	return place
}

// nodeRef checks what a node runs.
func (f *findings) nodeRef(n *protocol.Node, where string, refs *references) {
	known := []string{protocol.NodeTool, protocol.NodeAgent}
	if n.Kind != protocol.NodeTool && n.Kind != protocol.NodeAgent {
		if n.Kind == "" {
			f.problem("%s needs a Kind, such as %s", where, orList(known))
		} else if near := nearest(n.Kind, known); near != "" {
			f.warn("%s: its kind %q is not one this SDK knows (did you mean %q?)", where, n.Kind, near)
		}
		return
	}
	if n.Ref == "" {
		if _, open := n.Unknown["ref"]; !open {
			f.problem("%s needs a Ref: the id of its %s", where, n.Kind)
		}
		return
	}
	_, isTool := refs.tools[n.Ref]
	switch {
	case n.Kind == protocol.NodeTool && refs.agents[n.Ref]:
		f.problem("%s is of the kind %q, but %s is an agent", where, n.Kind, n.Ref)
	case n.Kind == protocol.NodeAgent && isTool:
		f.problem("%s is of the kind %q, but %s is a tool", where, n.Kind, n.Ref)
	case n.Kind == protocol.NodeTool:
		missing(f, refs, where, "tool", n.Ref, refs.tools)
	default:
		missing(f, refs, where, "agent", n.Ref, refs.agents)
	}
}

// edges checks a flow's edges and reports whether every one leads from a node to a node.
func (f *findings) edges(w *protocol.Flow, nodes map[string]int) bool {
	sound := true
	first := map[string]int{}
	known := slices.Sorted(maps.Keys(nodes))
	for i, e := range w.Edges {
		where := fmt.Sprintf("Edges[%d]", i)
		j, twice := first[e.ID]
		switch {
		case e.ID == "":
			f.problem("%s needs an ID", where)
		case twice:
			f.problem("%s has the id %q, which Edges[%d] has already", where, e.ID, j)
		default:
			first[e.ID] = i
			where = fmt.Sprintf("edge %q", e.ID)
		}
		for _, end := range []struct{ field, node, always, never string }{
			{"From", e.From, protocol.Start, protocol.End},
			{"To", e.To, protocol.End, protocol.Start},
		} {
			if _, ok := nodes[end.node]; ok || end.node == end.always {
				continue
			}
			sound = false
			switch end.node {
			case "":
				f.problem("%s needs a %s: a node's id or %s", where, end.field, end.always)
			case end.never:
				f.problem("%s: its %s is %s, which no edge has there", where, end.field, end.never)
			default:
				f.problem("%s: its %s is %q, which is no node%s; a flow begins at %s and ends at %s", where, end.field, end.node,
					suggestion(end.node, append(known, protocol.Start, protocol.End)), protocol.Start, protocol.End)
			}
		}
	}
	return sound
}

// reachable warns of nodes that no path of edges from the start leads to, and of those
// that none leads on from to the end. Nodes of further kinds may hold others inside them, which
// is why these are warnings.
func (f *findings) reachable(w *protocol.Flow) {
	forth, back := map[string][]string{}, map[string][]string{}
	for _, e := range w.Edges {
		forth[e.From] = append(forth[e.From], e.To)
		back[e.To] = append(back[e.To], e.From)
	}
	reached, ending := closure(protocol.Start, forth), closure(protocol.End, back)
	for _, n := range w.Nodes {
		switch {
		case n.ID == "" || strings.HasPrefix(n.ID, "$"):
		case !reached[n.ID]:
			f.warn("no path of edges leads from %s to node %q", protocol.Start, n.ID)
		case !ending[n.ID]:
			f.warn("no path of edges leads from node %q to %s", n.ID, protocol.End)
		}
	}
}

// closure gives what can be reached from a place.
func closure(from string, edges map[string][]string) map[string]bool {
	seen := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range edges[next] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}
