package protocol

import "github.com/go-json-experiment/json/jsontext"

// Issue is one validation issue, in Ajv's shape.
type Issue struct {
	InstancePath string         `json:"instancePath"`
	SchemaPath   string         `json:"schemaPath,omitzero"`
	Keyword      string         `json:"keyword,omitzero"`
	Params       jsontext.Value `json:"params,omitzero"`
	Message      string         `json:"message"`
	PropertyName string         `json:"propertyName,omitzero"`
}
