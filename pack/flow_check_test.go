package pack_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// line makes a flow of one step that calls acme.step.
func line(id string) protocol.Flow {
	return protocol.Flow{
		ID: id, Version: "1.0.0", Nodes: []protocol.Node{{ID: "a", Kind: protocol.NodeTool, Ref: "acme.step"}},
		Edges: []protocol.Edge{{ID: "in", From: protocol.Start, To: "a"}, {ID: "out", From: "a", To: protocol.End}},
	}
}

func TestFlows(t *testing.T) {
	t.Parallel()
	flow := func(edit func(*protocol.Flow)) func(*pack.Builder) {
		return func(b *pack.Builder) {
			tool(pack.Tool{ID: "acme.step"})(b)
			b.AddAgent(agentOf("acme.clerk"))
			f := line("acme.f")
			edit(&f)
			b.AddFlow(f)
		}
	}
	addNodes := func(nodes ...protocol.Node) func(*pack.Builder) {
		return flow(func(f *protocol.Flow) {
			for _, n := range nodes {
				f.Nodes = append(f.Nodes, n)
				f.Edges = append(f.Edges, protocol.Edge{ID: "to " + n.ID, From: "a", To: n.ID}, protocol.Edge{ID: "from " + n.ID, From: n.ID, To: "$end"})
			}
		})
	}
	addEdges := func(edges ...protocol.Edge) func(*pack.Builder) {
		return flow(func(f *protocol.Flow) { f.Edges = append(f.Edges, edges...) })
	}
	checkRegistrations(t, []registration{
		{name: "one step", register: flow(func(f *protocol.Flow) { f.Version = "" })},
		{name: "a cycle", register: addEdges(protocol.Edge{ID: "again", From: "a", To: "a"})},
		{name: "every kind of node", register: addNodes(
			protocol.Node{ID: "b", Kind: "agent", Ref: "acme.clerk"},
			protocol.Node{ID: "c", Kind: "tool", Ref: "other.tool"},
			protocol.Node{ID: "d", Kind: "agent", Ref: "other.agent"},
			protocol.Node{ID: "e", Kind: "branch"},
			protocol.Node{ID: "f", Kind: "tool", Unknown: map[string]jsontext.Value{"ref": jsontext.Value(`{"id":"x"}`)}},
		)},
		{name: "head", register: flow(func(f *protocol.Flow) {
			f.ID, f.Version, f.KernelPayloadVersion, f.MaxParallelism, f.ModulePath = "f", "one", 2, -1, `flows\f.go`
		}), problems: []string{
			`flow f: its id does not begin with the pack's: call it acme.NAME`,
			`flow f: version "one" is not MAJOR.MINOR.PATCH`,
			`flow f: ModulePath "flows\\f.go" is not a file's path below the pack's root, with forward slashes; leave it empty for the file of this call`,
			`flow f: KernelPayloadVersion is 2: it is 1, or 0 for that`,
			`flow f: MaxParallelism is -1: it is positive, or 0 for the runtime's choice`,
		}},
		{name: "no nodes", register: flow(func(f *protocol.Flow) {
			f.Nodes, f.Edges = nil, []protocol.Edge{{ID: "e", From: "$start", To: "$end"}}
		}), problems: []string{`flow acme.f: it has no Nodes`}},
		{name: "nodes", register: flow(func(f *protocol.Flow) {
			f.Nodes = append(f.Nodes, protocol.Node{Kind: "tool", Ref: "acme.step"}, protocol.Node{ID: "$start", Kind: "x"},
				protocol.Node{ID: "a", Kind: "tool", Ref: "acme.step"})
		}), problems: []string{
			`flow acme.f: Nodes[1] needs an ID`,
			`flow acme.f: node "$start": ids that begin with $ are the runtime's; give it another`,
			`flow acme.f: Nodes[3] has the id "a", which Nodes[0] has already`,
		}},
		{name: "kinds and refs", register: addNodes(
			protocol.Node{ID: "b"},
			protocol.Node{ID: "c", Kind: "tool"},
			protocol.Node{ID: "d", Kind: "agent", Ref: "acme.clark"},
			protocol.Node{ID: "e", Kind: "tool", Ref: "acme.clerk"},
			protocol.Node{ID: "f", Kind: "agent", Ref: "acme.step"},
			protocol.Node{ID: "g", Kind: "tools", Ref: "acme.step"},
			protocol.Node{ID: "h", Kind: "tool", Ref: "acme.stop"},
		), problems: []string{
			`flow acme.f: node "b" needs a Kind, such as tool or agent`,
			`flow acme.f: node "c" needs a Ref: the id of its tool`,
			`flow acme.f: node "d" names "acme.clark", and this pack has no such agent (did you mean "acme.clerk"?)`,
			`flow acme.f: node "e" is of the kind "tool", but acme.clerk is an agent`,
			`flow acme.f: node "f" is of the kind "agent", but acme.step is a tool`,
			`flow acme.f: node "h" names "acme.stop", and this pack has no such tool (did you mean "acme.step"?)`,
		}, warnings: []string{`flow acme.f: node "g": its kind "tools" is not one this SDK knows (did you mean "tool"?)`}},
		{name: "edges", register: addEdges(
			protocol.Edge{From: "a", To: "$end"},
			protocol.Edge{ID: "in", From: "a", To: "$end"},
			protocol.Edge{ID: "x", From: "start", To: "$start"},
			protocol.Edge{ID: "y", From: "$end", To: ""},
			protocol.Edge{ID: "z", From: "a", To: "nowhere"},
		), problems: []string{
			`flow acme.f: Edges[2] needs an ID`,
			`flow acme.f: Edges[3] has the id "in", which Edges[0] has already`,
			`flow acme.f: edge "x": its From is "start", which is no node (did you mean "$start"?); a flow begins at $start and ends at $end`,
			`flow acme.f: edge "x": its To is $start, which no edge has there`,
			`flow acme.f: edge "y": its From is $end, which no edge has there`,
			`flow acme.f: edge "y" needs a To: a node's id or $end`,
			`flow acme.f: edge "z": its To is "nowhere", which is no node; a flow begins at $start and ends at $end`,
		}},
		{name: "islands", register: flow(func(f *protocol.Flow) {
			f.Nodes = append(f.Nodes, protocol.Node{ID: "b", Kind: "branch"}, protocol.Node{ID: "c", Kind: "branch"})
			f.Edges = append(f.Edges, protocol.Edge{ID: "b out", From: "b", To: "$end"}, protocol.Edge{ID: "to c", From: "a", To: "c"})
		}), warnings: []string{
			`flow acme.f: no path of edges leads from $start to node "b"`,
			`flow acme.f: no path of edges leads from node "c" to $end`,
		}},
	})
}
