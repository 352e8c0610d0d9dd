package protocol

// Info is the answer to GET /v1/info.
type Info struct {
	Protocol        int        `json:"protocol"`
	PackID          string     `json:"packId"`
	PackVersion     string     `json:"packVersion"`
	ArtifactVersion string     `json:"artifactVersion"`
	IndexHash       string     `json:"indexHash,omitzero"`
	Tools           []InfoTool `json:"tools"`
	Checks          []string   `json:"checks"`
	MissingEnv      []string   `json:"missingEnv"`
}

// InfoTool is one tool of [Info].
type InfoTool struct {
	ID      string `json:"id"`
	Version string `json:"version,omitzero"`
}
