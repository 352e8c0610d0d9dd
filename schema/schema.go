package schema

import "github.com/kindgi/kindgi-go/protocol"

// Schema is a compiled JSON Schema. It is immutable and safe for concurrent use.
type Schema struct{ document []byte }

// Compile compiles a JSON Schema document, Draft 2020-12.
func Compile(document []byte) (*Schema, error) { panic("not written yet") }

// Strict reports every reason for which the reference validator's strict mode refuses the schema.
func (s *Schema) Strict() error { panic("not written yet") }

// JSON gives the document, canonical.
func (s *Schema) JSON() []byte { panic("not written yet") }

// Validate checks a JSON value.
func (s *Schema) Validate(value []byte) ([]protocol.Issue, error) { panic("not written yet") }

// FillDefaults gives value with every default in place.
func (s *Schema) FillDefaults(value []byte) ([]byte, error) { panic("not written yet") }
