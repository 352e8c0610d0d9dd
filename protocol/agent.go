package protocol

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// Agent is an agent as a pack declares it and as the index carries it. The fields that are raw JSON
// are the runtime's own: the pack protocol names them and does not give their shape, which is in the
// documentation of the runtime that the pack is deployed to. This package passes them on as they are,
// with the members of objects sorted in the index, and checks nothing but that they are JSON. Nil is
// left out. docs/agents-and-flows.md lists what is known of each.
//
//	protocol.Agent{
//		ID:           "acme.orders.clerk",
//		Version:      "1.0.0",
//		Name:         "Order clerk",
//		Instructions: protocol.Instructions{Text: "Answer questions about orders."},
//		Tools:        []protocol.ToolRef{{ID: "acme.orders.lookup", Version: "1.2.0"}},
//	}
type Agent struct {
	ID           string
	Version      string // semver
	Name         string // for a person
	Instructions Instructions
	Capabilities []string  // names of the runtime's, not empty, none twice; nil is written as []
	Tools        []ToolRef // nil is written as []
	// ModulePath is the source file that declares the agent, like IndexTool.ModulePath. A pack fills
	// it in.
	ModulePath string

	Description        string         // left out when ""
	Tags               []string       // left out when nil
	Guardrails         []string       // ids; left out when nil
	PreferredProvider  string         // left out when ""
	PreferredModel     string         // left out when ""
	Settings           jsontext.Value // the settings blocks it pins; a call of its tools carries their values
	ModelSettings      jsontext.Value
	Retrieval          jsontext.Value
	Budget             jsontext.Value
	Parameters         jsontext.Value
	ConversationPolicy jsontext.Value
	Output             jsontext.Value
	ToolErrors         jsontext.Value

	// Unknown has the members beyond these, by name.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the agent as an index carries it.
func (a Agent) MarshalJSON() ([]byte, error) { return marshalObject(&a) }

// UnmarshalJSON reads an agent.
func (a *Agent) UnmarshalJSON(data []byte) error { return unmarshalObject(data, a, true) }

func (a *Agent) visit(v *visitor) {
	v.open(&a.Unknown, &a.zeros)
	text(v, "id", &a.ID, required)
	text(v, "version", &a.Version, required)
	text(v, "name", &a.Name, required)
	v.instructions("instructions", &a.Instructions)
	v.texts("capabilities", &a.Capabilities, required)
	list(v, "tools", &a.Tools, required)
	text(v, "modulePath", &a.ModulePath, required)
	text(v, "description", &a.Description, optional)
	v.texts("tags", &a.Tags, optional)
	v.texts("guardrails", &a.Guardrails, optional)
	text(v, "preferredProvider", &a.PreferredProvider, loose)
	text(v, "preferredModel", &a.PreferredModel, loose)
	v.raw("settings", &a.Settings, optional)
	v.raw("modelSettings", &a.ModelSettings, optional)
	v.raw("retrieval", &a.Retrieval, optional)
	v.raw("budget", &a.Budget, optional)
	v.raw("parameters", &a.Parameters, optional)
	v.raw("conversationPolicy", &a.ConversationPolicy, optional)
	v.raw("output", &a.Output, optional)
	v.raw("toolErrors", &a.ToolErrors, optional)
}

// ToolRef names one version of a tool.
type ToolRef struct {
	ID      string
	Version string // semver

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the reference as an index carries it.
func (r ToolRef) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a reference.
func (r *ToolRef) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, true) }

func (r *ToolRef) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	text(v, "id", &r.ID, required)
	text(v, "version", &r.Version, required)
}

// Instructions tell an agent what to do: Text, or a published prompt and its version. Set one or the
// other; with a Prompt, Text is not written.
type Instructions struct {
	Text    string
	Prompt  string
	Version string

	Unknown map[string]jsontext.Value // further members beside a prompt, kept
	zeros   zeros
}

// MarshalJSON gives a text, or {prompt, version}.
func (i Instructions) MarshalJSON() ([]byte, error) {
	if i.isText() {
		return appendText(nil, i.Text), nil
	}
	return marshalObject(&i)
}

// UnmarshalJSON reads a text, or {prompt, version}.
func (i *Instructions) UnmarshalJSON(data []byte) error {
	if scan.Valid(data) == nil {
		if data = data[scan.Space(data, 0):]; isString(data) {
			*i = Instructions{Text: string(scan.Unquote(data[:scan.SkipString(data, 0)]))}
			return nil
		}
	}
	return unmarshalObject(data, i, true)
}

func (i *Instructions) isText() bool {
	return i.Prompt == "" && i.Version == "" && len(i.Unknown) == 0 && i.zeros == 0
}

func (i *Instructions) visit(v *visitor) {
	v.open(&i.Unknown, &i.zeros)
	text(v, "prompt", &i.Prompt, required)
	text(v, "version", &i.Version, required)
}

func (v *visitor) instructions(name string, p *Instructions) {
	if !v.reading {
		if p.isText() {
			text(v, name, &p.Text, required)
		} else {
			part(v, name, p, required)
		}
		return
	}
	v.read(name, required, func(value []byte) (string, bool) {
		switch {
		case isString(value):
			p.Text = string(scan.Unquote(value))
		case isObject(value):
			*p, _ = readObject[Instructions](value, v, "/"+name, v.strict, v.faults)
		default:
			return "text or an object", false
		}
		return "", false
	})
}
