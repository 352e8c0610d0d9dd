package protocol

import "github.com/go-json-experiment/json/jsontext"

// The ends of every flow, for the edges that begin and finish it.
const (
	Start = "$start"
	End   = "$end"
)

// KernelPayloadVersion is the version of a flow's payload that this package writes.
const KernelPayloadVersion = 1

// Flow is a flow as a pack declares it and as the index carries it.
//
//	protocol.Flow{
//		ID:      "acme.orders.intake",
//		Version: "1.0.0",
//		Nodes:   []protocol.Node{{ID: "lookup", Kind: protocol.NodeTool, Ref: "acme.orders.lookup"}},
//		Edges: []protocol.Edge{
//			{ID: "in", From: protocol.Start, To: "lookup"},
//			{ID: "out", From: "lookup", To: protocol.End},
//		},
//	}
type Flow struct {
	ID      string
	Version string // semver
	Nodes   []Node // nil is written as []
	Edges   []Edge // nil is written as []
	// KernelPayloadVersion is the version of the payload; 0 is written as [KernelPayloadVersion].
	KernelPayloadVersion int
	// ModulePath is the source file that declares the flow, like IndexTool.ModulePath. A pack fills
	// it in.
	ModulePath string

	Name           string         // for a person; left out when ""
	Description    string         // left out when ""
	MaxParallelism int            // how many nodes run at once; left out when 0
	Metadata       jsontext.Value // the pack's own; left out when nil
	Output         jsontext.Value // the runtime's own; left out when nil

	// Unknown has the members beyond these, by name.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the flow as an index carries it.
func (f Flow) MarshalJSON() ([]byte, error) { return marshalObject(&f) }

// UnmarshalJSON reads a flow.
func (f *Flow) UnmarshalJSON(data []byte) error { return unmarshalObject(data, f, true) }

func (f *Flow) visit(v *visitor) {
	v.open(&f.Unknown, &f.zeros)
	text(v, "id", &f.ID, required)
	text(v, "version", &f.Version, required)
	list(v, "nodes", &f.Nodes, required)
	list(v, "edges", &f.Edges, required)
	v.version("kernelPayloadVersion", &f.KernelPayloadVersion, KernelPayloadVersion)
	text(v, "modulePath", &f.ModulePath, required)
	text(v, "name", &f.Name, optional)
	text(v, "description", &f.Description, optional)
	integer(v, "maxParallelism", &f.MaxParallelism, optional)
	v.raw("metadata", &f.Metadata, optional)
	v.raw("output", &f.Output, optional)
}

// version visits a version number, 0 standing for the one that this package writes.
func (v *visitor) version(name string, p *int, current int) {
	n := *p
	if !v.reading && n == 0 && (v.zeros == nil || *v.zeros&(1<<v.bit) == 0) {
		n = current
	}
	integer(v, name, &n, required)
	if v.reading {
		*p = n
	}
}

// The kinds of nodes that name something of a pack. A runtime has further ones.
const (
	NodeTool  = "tool"  // Ref is a tool's id
	NodeAgent = "agent" // Ref is an agent's id
)

// Node is one step of a flow. What becomes of one node's output in the next is the runtime's to say:
// the protocol gives nodes and edges no member for it.
type Node struct {
	ID   string
	Kind string
	Ref  string // the id of what the node runs; left out when ""

	// Unknown has further members, such as a kind's own settings, and a ref that is no text.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the node as an index carries it.
func (n Node) MarshalJSON() ([]byte, error) { return marshalObject(&n) }

// UnmarshalJSON reads a node.
func (n *Node) UnmarshalJSON(data []byte) error { return unmarshalObject(data, n, true) }

func (n *Node) visit(v *visitor) {
	v.open(&n.Unknown, &n.zeros)
	text(v, "id", &n.ID, required)
	text(v, "kind", &n.Kind, required)
	text(v, "ref", &n.Ref, loose)
}

// Edge leads from one node of a flow to the next.
type Edge struct {
	ID   string
	From string // a node's id, or [Start]
	To   string // a node's id, or [End]

	// Unknown has further members, such as a condition.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the edge as an index carries it.
func (e Edge) MarshalJSON() ([]byte, error) { return marshalObject(&e) }

// UnmarshalJSON reads an edge.
func (e *Edge) UnmarshalJSON(data []byte) error { return unmarshalObject(data, e, true) }

func (e *Edge) visit(v *visitor) {
	v.open(&e.Unknown, &e.zeros)
	text(v, "id", &e.ID, required)
	text(v, "from", &e.From, required)
	text(v, "to", &e.To, required)
}
