// Package scan reads JSON text byte by byte, without building values.
package scan

// MaxDepth is how many levels of arrays and objects a text may nest.
const MaxDepth = 10000

// Error says why a text is refused, and where.
type Error struct {
	Offset int    // in bytes
	Reason string // lower case, like: duplicate member name "a"
}

func (e *Error) Error() string { return e.Reason }

// Valid reports why text is not one JSON value that Go can hold (RFC 8259, RFC 7493): syntax,
// invalid UTF-8, a lone surrogate, a duplicate member name, nesting past MaxDepth, a number beyond
// float64's range or of more than 1,000 bytes, trailing data. The error is an *Error. It takes time
// linear in the text and memory for the names of the open objects only.
func Valid(text []byte) error { panic("not written yet") }

// Space gives the index of the first byte at or after i that is not JSON white space.
func Space(text []byte, i int) int { panic("not written yet") }

// Skip gives the index after the value that starts at text[i], which must be known to be valid.
func Skip(text []byte, i int) int { panic("not written yet") }

// Unquote gives the text of a valid JSON string (quotes included): a part of quoted itself
// when it has no escapes.
func Unquote(quoted []byte) []byte { panic("not written yet") }
