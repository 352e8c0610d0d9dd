package protocol

import "github.com/go-json-experiment/json/jsontext"

// Sandbox is the isolation that a tool or a check asks the runtime for. The runtime enforces it around
// the handler; a pack service passes the word on and isolates nothing.
type Sandbox string

// The sandboxes.
const (
	SandboxNone            Sandbox = "none"
	SandboxContextIsolated Sandbox = "context-isolated"
	SandboxStrict          Sandbox = "strict"
)

// Limits caps what a call may use: the runtime's sandbox enforces it, a pack service does not. Both are
// to be set.
type Limits struct {
	MemMB int // memory, in MiB
	CPUMs int // processor time, in milliseconds

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the limits as a manifest carries them.
func (l Limits) MarshalJSON() ([]byte, error) { return marshalObject(&l) }

// UnmarshalJSON reads limits.
func (l *Limits) UnmarshalJSON(data []byte) error { return unmarshalObject(data, l, true) }

func (l *Limits) visit(v *visitor) {
	v.open(&l.Unknown, &l.zeros)
	integer(v, "memMB", &l.MemMB, required)
	integer(v, "cpuMs", &l.CPUMs, required)
}

// NetworkKind says which hosts a sandboxed call may reach.
type NetworkKind string

// The kinds of network access.
const (
	NetworkNone         NetworkKind = "none"
	NetworkUnrestricted NetworkKind = "unrestricted"
	NetworkAllowlist    NetworkKind = "allowlist" // only Network.Hosts
)

// Network is the network access a tool or a check needs.
type Network struct {
	Kind  NetworkKind
	Hosts []string // for an allowlist; left out when nil

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the access as a manifest carries it.
func (n Network) MarshalJSON() ([]byte, error) { return marshalObject(&n) }

// UnmarshalJSON reads network access.
func (n *Network) UnmarshalJSON(data []byte) error { return unmarshalObject(data, n, true) }

func (n *Network) visit(v *visitor) {
	v.open(&n.Unknown, &n.zeros)
	text(v, "kind", &n.Kind, required)
	v.texts("hosts", &n.Hosts, optional)
}
