package protocol

import "github.com/go-json-experiment/json/jsontext"

// Info is the answer to GET /v1/info: what a pack service serves.
type Info struct {
	Protocol        int // 0 is written as [Version]
	PackID          string
	PackVersion     string
	ArtifactVersion string
	IndexHash       string     // [Hash] of the index file; left out when ""
	Tools           []InfoTool // every version of every tool, in the index's order; nil is written as []
	Checks          []string   // check ids, in the index's order; nil is written as []
	MissingEnv      []string   // required env names the process lacks, sorted; nil is written as []

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the answer's body.
func (i Info) MarshalJSON() ([]byte, error) { return marshalObject(&i) }

// UnmarshalJSON reads an answer's body.
func (i *Info) UnmarshalJSON(data []byte) error { return unmarshalObject(data, i, false) }

func (i *Info) visit(v *visitor) {
	v.open(&i.Unknown, &i.zeros)
	v.version("protocol", &i.Protocol, Version)
	text(v, "packId", &i.PackID, always)
	text(v, "packVersion", &i.PackVersion, always)
	text(v, "artifactVersion", &i.ArtifactVersion, always)
	text(v, "indexHash", &i.IndexHash, optional)
	list(v, "tools", &i.Tools, always)
	v.texts("checks", &i.Checks, always)
	v.texts("missingEnv", &i.MissingEnv, always)
}

// InfoTool is one version of a tool in an [Info].
type InfoTool struct {
	ID      string
	Version string // left out when ""

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the tool as an [Info] carries it.
func (t InfoTool) MarshalJSON() ([]byte, error) { return marshalObject(&t) }

// UnmarshalJSON reads a tool.
func (t *InfoTool) UnmarshalJSON(data []byte) error { return unmarshalObject(data, t, false) }

func (t *InfoTool) visit(v *visitor) {
	v.open(&t.Unknown, &t.zeros)
	text(v, "id", &t.ID, always)
	text(v, "version", &t.Version, optional)
}
