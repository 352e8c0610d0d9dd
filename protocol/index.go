package protocol

import "github.com/go-json-experiment/json/jsontext"

// Index is a pack's index.
type Index struct {
	V               int              `json:"v"`
	PackID          string           `json:"packId"`
	PackVersion     string           `json:"packVersion"`
	ArtifactVersion string           `json:"artifactVersion"`
	PublishedAt     string           `json:"publishedAt"`
	Tools           []IndexTool      `json:"tools"`
	Guardrails      []IndexGuardrail `json:"guardrails"`
	Agents          []Agent          `json:"agents"`
	Flows           []Flow           `json:"flows"`
	Env             *IndexEnv        `json:"env,omitzero"`
}

// IndexEnv lists the env names a pack declares.
type IndexEnv struct {
	Optional []string `json:"optional"`
	Required []string `json:"required"`
}

// ParseIndex decodes an index.
func ParseIndex(document []byte) (*Index, error) { panic("not written yet") }

// Bytes gives the index's canonical bytes, the content of index.json.
func (x *Index) Bytes() ([]byte, error) { panic("not written yet") }

// Hash is "sha256:" and the hex SHA-256 of an index file.
func Hash(file []byte) string { panic("not written yet") }

// IndexTool is a tool's entry.
type IndexTool struct {
	ID          string         `json:"id"`
	Version     string         `json:"version,omitzero"`
	Description string         `json:"description,omitzero"`
	Input       jsontext.Value `json:"input"`
	Output      jsontext.Value `json:"output"`
	ModulePath  string         `json:"modulePath"`
}

// IndexGuardrail is a guardrail's entry.
type IndexGuardrail struct {
	ID              string `json:"id"`
	CheckModulePath string `json:"checkModulePath"`
}

// Agent is an agent's entry.
type Agent struct {
	ID string `json:"id"`
}

// Flow is a flow's entry.
type Flow struct {
	ID string `json:"id"`
}
