package schema

import (
	"sync"
	"sync/atomic"

	"github.com/kindgi/kindgi-go/internal/scan"
	"github.com/kindgi/kindgi-go/protocol"
)

// Schema is a compiled JSON Schema. It is immutable and safe for concurrent use.
type Schema struct {
	root      *value // the document
	documents map[string][]byte
	program   *program
	warnings  []Warning // about the Go type that the document was derived from

	canonical func() []byte
	checked   atomic.Pointer[checkedType]
}

// Compile compiles a JSON Schema document, Draft 2020-12. It takes every schema of that draft, whether
// or not strict mode ([Schema.Strict]) would; what it refuses, it refuses with every reason, each a
// *[DocumentError]: a document that the draft's metaschema does not admit, a reference that cannot be
// resolved (none is ever fetched), a schema that applies itself without end, or a pattern that cannot be
// checked in linear time. Formats that are not known are annotations.
//
// The document is copied.
func Compile(document []byte) (*Schema, error) { return Compiler{}.Compile(document) }

// Compiler compiles schemas that refer to other documents. The zero value is what [Compile] uses.
type Compiler struct {
	// Documents are the schemas that a document may refer to, by the URI under which it does so.
	// Nothing else is ever loaded.
	Documents map[string][]byte
}

// Compile is like the function [Compile].
func (c Compiler) Compile(document []byte) (*Schema, error) {
	s, _, err := c.compile(append([]byte(nil), document...))
	return s, err
}

// compile is Compile for a document that nobody changes any more. It also gives what it has read for it.
func (c Compiler) compile(document []byte) (*Schema, *builder, error) {
	if err := scan.Valid(document); err != nil {
		return nil, nil, &DocumentError{Reason: "not JSON: " + err.Error()}
	}
	root := parse(document)
	b, err := compile(root, c.Documents)
	if err != nil {
		return nil, nil, err
	}
	s := &Schema{root: root, documents: c.Documents, program: b.program}
	s.canonical = sync.OnceValue(func() []byte { return appendExact(make([]byte, 0, len(document)), root) })
	return s, b, nil
}

// Strict reports every reason for which the reference validator refuses the schema in its strict mode,
// as the schema of an input: Ajv with strict, without allowUnionTypes, with ajv-formats and useDefaults.
// The reasons are joined; each is a *[DocumentError] that says where, and what to write instead. No
// error: Ajv compiles it.
func (s *Schema) Strict() error { return strict(s.root, s.documents) }

// JSON gives the document in one form, the same for the same document: members sorted by their names'
// UTF-16 code units, no white space, strings and numbers as JSON.stringify writes them. Only a number
// that a float64 does not hold keeps every digit: the greatest uint64 is 18446744073709551615, where
// JSON.stringify and [protocol.AppendCanonical] would write 18446744073709552000.
func (s *Schema) JSON() []byte { return append([]byte(nil), s.canonical()...) }

// Validate checks a JSON value. No issues and no error: it is valid. The issues are those of the
// reference validator, Ajv, in its order; the list is bounded, and a last issue without a keyword then
// says how many more there are. The error says why value is not JSON.
func (s *Schema) Validate(value []byte) ([]protocol.Issue, error) {
	if err := scan.Valid(value); err != nil {
		return nil, err
	}
	return s.Check(value), nil
}

// Check is like [Schema.Validate] for a value that is known to be valid JSON, because it was validated
// before or just encoded. Its behaviour for anything else is undefined: it may panic.
func (s *Schema) Check(value []byte) []protocol.Issue {
	if s.program.admits(value) {
		return nil
	}
	return s.program.explain(value)
}

// FillDefaults gives value with every default in place, as the reference validator's useDefaults puts
// them there: for each name that an object lacks and properties has a default for, at any depth, but not
// for the branches of a compound keyword. When nothing is missing it gives value itself, else a copy that
// differs from it only by the members added. The error says why value is not JSON, or that the defaults
// do not end.
func (s *Schema) FillDefaults(value []byte) ([]byte, error) {
	if err := scan.Valid(value); err != nil {
		return nil, err
	}
	return s.Fill(value)
}

// Fill is like [Schema.FillDefaults] for a value that is known to be valid JSON, as [Schema.Check] is.
func (s *Schema) Fill(value []byte) ([]byte, error) { return s.program.fill(value) }
