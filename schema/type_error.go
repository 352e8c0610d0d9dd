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
}

func (e *TypeError) Error() string {
	var b strings.Builder
	b.WriteString(e.Type.String())
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
