package protocol

import "github.com/go-json-experiment/json/jsontext"

// Need is something a tool needs, by a name that the runtime knows.
type Need struct {
	Name     string
	Optional bool // whether the tool works without it; left out when false

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the need as a manifest carries it.
func (n Need) MarshalJSON() ([]byte, error) { return marshalObject(&n) }

// UnmarshalJSON reads a need.
func (n *Need) UnmarshalJSON(data []byte) error { return unmarshalObject(data, n, true) }

func (n *Need) visit(v *visitor) {
	v.open(&n.Unknown, &n.zeros)
	text(v, "name", &n.Name, required)
	v.flag("optional", &n.Optional, optional)
}

// NeedsSpec says what a tool needs, by kind. Whatever is nil is left out. The runtime resolves it for
// each call; what it makes of Capabilities and Bindings, and which names there are, is its own to say.
type NeedsSpec struct {
	Env          map[string]jsontext.Value // env name to the JSON Schema of its value, such as {"type":"string"}
	Secrets      map[string]jsontext.Value // secret name to the JSON Schema of its value
	Config       map[string]jsontext.Value // config name to the JSON Schema of its value; no runtime sends it yet
	Capabilities []string                  // names of the runtime's, written as they are
	Bindings     []string                  // names of the runtime's, written as they are
	// Connections are the accounts at other apps that the tool acts with, by its own name for each,
	// such as "mail". The call's context carries what they are resolved to in its member connections.
	Connections map[string]*Connection

	// Unknown has further members, and capabilities or bindings that are not lists of texts.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the needs as a manifest carries them.
func (n NeedsSpec) MarshalJSON() ([]byte, error) { return marshalObject(&n) }

// UnmarshalJSON reads needs.
func (n *NeedsSpec) UnmarshalJSON(data []byte) error { return unmarshalObject(data, n, true) }

func (n *NeedsSpec) visit(v *visitor) {
	v.open(&n.Unknown, &n.zeros)
	v.values("env", &n.Env, optional)
	v.values("secrets", &n.Secrets, optional)
	v.values("config", &n.Config, optional)
	v.texts("capabilities", &n.Capabilities, loose)
	v.texts("bindings", &n.Bindings, loose)
	dict(v, "connections", &n.Connections, optional)
}

// ConnectionOwner says whose account a connection is.
type ConnectionOwner string

// The owners of connections.
const (
	ConnectionPerson  ConnectionOwner = "person"  // the run's person
	ConnectionCompany ConnectionOwner = "company" // the tenant
)

// Connection is an account at another app that a tool acts with.
type Connection struct {
	As ConnectionOwner

	// Unknown has the rest, whose members the protocol does not name: the app's entry id, such as
	// google, and the keys of the permissions the call needs, such as gmail.send.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the connection as a manifest carries it.
func (c Connection) MarshalJSON() ([]byte, error) { return marshalObject(&c) }

// UnmarshalJSON reads a connection.
func (c *Connection) UnmarshalJSON(data []byte) error { return unmarshalObject(data, c, true) }

func (c *Connection) visit(v *visitor) {
	v.open(&c.Unknown, &c.zeros)
	text(v, "as", &c.As, required)
}
