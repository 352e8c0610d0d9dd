package protocol

import "github.com/go-json-experiment/json/jsontext"

// IndexTool is a tool's entry in an index.
type IndexTool struct {
	ID          string // dotted: the pack's id, then the tool's name
	Version     string // semver; left out when ""
	Description string // what the tool does, as a model reads it; left out when ""
	Input       jsontext.Value
	Output      jsontext.Value
	// ModulePath is the source file that declares the tool, relative to the pack's root, with forward
	// slashes and no leading "./".
	ModulePath string

	Effects   []Effect   // left out when nil
	Needs     []Need     // left out when nil
	NeedsSpec *NeedsSpec // left out when nil
	Sandbox   Sandbox    // left out when ""
	Limits    *Limits    // left out when nil
	Network   *Network   // left out when nil
	Mutating  *bool      // whether a call changes anything; nil is left out, which means true
	Spec      *HTTPSpec  // for a tool the runtime runs itself; nil for one with a handler

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the entry as an index carries it.
func (t IndexTool) MarshalJSON() ([]byte, error) { return marshalObject(&t) }

// UnmarshalJSON reads an entry.
func (t *IndexTool) UnmarshalJSON(data []byte) error { return unmarshalObject(data, t, true) }

func (t *IndexTool) visit(v *visitor) {
	v.open(&t.Unknown, &t.zeros)
	text(v, "id", &t.ID, required)
	text(v, "version", &t.Version, optional)
	text(v, "description", &t.Description, optional)
	v.rawObject("input", &t.Input, required)
	v.rawObject("output", &t.Output, required)
	text(v, "modulePath", &t.ModulePath, required)
	list(v, "effects", &t.Effects, optional)
	list(v, "needs", &t.Needs, optional)
	one(v, "needsSpec", &t.NeedsSpec, optional)
	text(v, "sandbox", &t.Sandbox, optional)
	one(v, "limits", &t.Limits, optional)
	one(v, "network", &t.Network, optional)
	v.choice("mutating", &t.Mutating, optional)
	one(v, "spec", &t.Spec, optional)
}
