package schema

import (
	"reflect"
	"strings"
)

// TypeError says why the schema of a Go type cannot be derived. [For] joins one for every problem of
// the type with [errors.Join].
type TypeError struct {
	Type   reflect.Type // the type that the schema was asked for
	Path   string       // the field with the problem, in Go's names, such as Lines[].Price; "" for Type itself
	Reason string       // what is wrong
	Advice string       // what to write instead

	cause error
}

// Unwrap gives the reason as the error it was, if it was one: what [Compile] or [Schema.Strict] says of
// a schema that hooks and tags make.
func (e *TypeError) Unwrap() error { return e.cause }

// Error gives the type, the field and what is wrong with it.
func (e *TypeError) Error() string {
	var b strings.Builder
	b.WriteString(typeName(e.Type))
	if e.Path != "" {
		b.WriteString(": field ")
		b.WriteString(e.Path)
	}
	b.WriteString(": ")
	b.WriteString(e.Reason)
	if e.Advice != "" {
		b.WriteString("; ")
		b.WriteString(e.Advice)
	}
	return b.String()
}

// typeName names a type in a message: one without a name by what it is made of, if that is short.
func typeName(t reflect.Type) string {
	name := strings.ReplaceAll(t.String(), "interface {}", "any")
	if t.Name() == "" && len(name) > 60 {
		if i := strings.IndexByte(name, '{'); i >= 0 {
			name = name[:i] + "{…}"
		}
	}
	return name
}
