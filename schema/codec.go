package schema

import "github.com/kindgi/kindgi-go/protocol"

// Marshal encodes v as the JSON that the schema of its type describes.
func Marshal(v any) ([]byte, error) { panic("not written yet") }

// Unmarshal decodes data, one JSON value that the schema of v's type admits, into v.
func Unmarshal(data []byte, v any) error { panic("not written yet") }

// FieldError is a problem at one place of a value, for a type's own Validate method.
type FieldError struct {
	Path    string // a JSON Pointer (RFC 6901), "" for the whole value
	Message string
}

func (e *FieldError) Error() string { panic("not written yet") }

// Issues turns an error of [Unmarshal] or of a type's own Validate method into issues.
func Issues(err error) []protocol.Issue { panic("not written yet") }
