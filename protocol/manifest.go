package protocol

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// ToolManifest is what a runtime keeps of one version of a tool: the answer to
// GET /v1/tools/{toolId}/versions/{version}.
//
// It is typed for the fields whose names the runtime's documentation gives, and open for the rest:
// reading one and writing it loses nothing, a number's last digit included. A member of an unexpected
// type leaves its field zero and is in Unknown, so a newer runtime's manifest is readable too.
type ToolManifest struct {
	ID          string
	Version     string
	Description string
	Input       jsontext.Value // a JSON Schema, Draft 2020-12
	Output      jsontext.Value // a JSON Schema, Draft 2020-12

	Effects   []Effect
	Needs     []Need
	NeedsSpec *NeedsSpec
	Sandbox   Sandbox
	Limits    *Limits
	Network   *Network
	Mutating  *bool // nil means true
	// Spec is set for a tool that the runtime runs itself by an HTTP request. A spec of another kind
	// is in Unknown.
	Spec *HTTPSpec

	Transport       string           // how the runtime reaches the tool: "auto"
	CodeArtifactRef *CodeArtifactRef // where the tool's code is
	// SecretScopes says, by the name of each secret the tool names, where it is read. A nil entry:
	// nowhere it could be used from. A nil map: the runtime did not record it.
	SecretScopes map[string]*SecretScope

	// Unknown has the members beyond these, by name.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the manifest as JSON.
func (m ToolManifest) MarshalJSON() ([]byte, error) { return marshalObject(&m) }

// UnmarshalJSON reads a manifest. Only what is no JSON object, or no JSON, is an error.
func (m *ToolManifest) UnmarshalJSON(data []byte) error { return unmarshalObject(data, m, false) }

func (m *ToolManifest) visit(v *visitor) {
	v.open(&m.Unknown, &m.zeros)
	text(v, "id", &m.ID, optional)
	text(v, "version", &m.Version, optional)
	text(v, "description", &m.Description, optional)
	v.raw("input", &m.Input, optional)
	v.raw("output", &m.Output, optional)
	list(v, "effects", &m.Effects, optional)
	list(v, "needs", &m.Needs, optional)
	one(v, "needsSpec", &m.NeedsSpec, optional)
	text(v, "sandbox", &m.Sandbox, optional)
	one(v, "limits", &m.Limits, optional)
	one(v, "network", &m.Network, optional)
	v.choice("mutating", &m.Mutating, optional)
	v.httpSpec("spec", &m.Spec)
	text(v, "transport", &m.Transport, optional)
	one(v, "codeArtifactRef", &m.CodeArtifactRef, optional)
	dict(v, "secretScopes", &m.SecretScopes, optional)
}

// httpSpec visits a spec that may be of another kind.
func (v *visitor) httpSpec(name string, p **HTTPSpec) {
	if v.reading {
		for i := range v.members {
			if m := &v.members[i]; string(m.name) == name && !isHTTPSpec(m.value) {
				v.bit++
				return
			}
		}
	}
	one(v, name, p, optional)
}

func isHTTPSpec(value []byte) bool {
	members, ok := openObject(value)
	for ok {
		var name, kind []byte
		if name, kind, ok = members.next(); ok && string(name) == "kind" {
			return isString(kind) && string(scan.Unquote(kind)) == "http"
		}
	}
	return false
}

// CodeArtifactRef says where a tool's code is.
type CodeArtifactRef struct {
	Kind string // "oci"

	// Unknown has the rest of the reference.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the reference as a manifest carries it.
func (r CodeArtifactRef) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a reference.
func (r *CodeArtifactRef) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, false) }

func (r *CodeArtifactRef) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	text(v, "kind", &r.Kind, optional)
}

// SecretScope says where a secret is read.
type SecretScope struct {
	Kind string // "tenant"

	// Unknown has the rest of the scope.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the scope as a manifest carries it.
func (s SecretScope) MarshalJSON() ([]byte, error) { return marshalObject(&s) }

// UnmarshalJSON reads a scope.
func (s *SecretScope) UnmarshalJSON(data []byte) error { return unmarshalObject(data, s, false) }

func (s *SecretScope) visit(v *visitor) {
	v.open(&s.Unknown, &s.zeros)
	text(v, "kind", &s.Kind, optional)
}
