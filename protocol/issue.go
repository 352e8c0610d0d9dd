package protocol

import "github.com/go-json-experiment/json/jsontext"

// Issue is one reason why a value is not valid, in the shape of Ajv's error objects.
type Issue struct {
	// InstancePath is the JSON Pointer (RFC 6901) of the value at fault, "" for the whole.
	InstancePath string
	// SchemaPath is the URI fragment of the keyword that failed, like "#/properties/name/type".
	SchemaPath string
	// Keyword is the JSON Schema keyword that failed. It is "" when the refusal came from a type's
	// own validation.
	Keyword string
	// Params are the keyword's parameters, a JSON object such as {"missingProperty":"name"}.
	Params jsontext.Value
	// Message says it to a person: "must have required property 'name'".
	Message string
	// PropertyName is the member's name when propertyNames refused it.
	PropertyName string

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the issue as an error message carries it.
func (i Issue) MarshalJSON() ([]byte, error) { return marshalObject(&i) }

// UnmarshalJSON reads an issue.
func (i *Issue) UnmarshalJSON(data []byte) error { return unmarshalObject(data, i, false) }

func (i *Issue) visit(v *visitor) {
	v.open(&i.Unknown, &i.zeros)
	text(v, "instancePath", &i.InstancePath, always)
	text(v, "schemaPath", &i.SchemaPath, optional)
	text(v, "keyword", &i.Keyword, optional)
	v.rawObject("params", &i.Params, optional)
	text(v, "message", &i.Message, always)
	text(v, "propertyName", &i.PropertyName, optional)
}
