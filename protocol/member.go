package protocol

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// cursor walks the members of one object in a text that scan.Valid has accepted.
type cursor struct {
	text []byte
	i    int // of the first byte after '{', or after a member's value
}

// openObject gives a cursor over the members of value; it is false when value is not an object.
func openObject(value []byte) (cursor, bool) {
	i := scan.Space(value, 0)
	if i >= len(value) || value[i] != '{' {
		return cursor{}, false
	}
	return cursor{value, i + 1}, true
}

// next gives the next member: its name without quotes and escapes, and its value. Both are slices of
// the text (the name only when it has no escapes), their capacity cut so that appending to one copies.
func (c *cursor) next() (name, value []byte, ok bool) {
	i := scan.Space(c.text, c.i)
	if c.text[i] == ',' {
		i = scan.Space(c.text, i+1)
	}
	if c.text[i] == '}' {
		return nil, nil, false
	}
	end := scan.SkipString(c.text, i)
	name = scan.Unquote(c.text[i:end:end])
	i = scan.Space(c.text, end) // ':'
	i = scan.Space(c.text, i+1) // the value
	end = scan.Skip(c.text, i)  // after it
	value = c.text[i:end:end]
	c.i = end
	return name, value, true
}

// elements calls yield with each element of value, which scan.Valid has accepted; it is false when
// value is not an array.
func elements(value []byte, yield func(i int, element []byte)) bool {
	i := scan.Space(value, 0)
	if i >= len(value) || value[i] != '[' {
		return false
	}
	i = scan.Space(value, i+1)
	for n := 0; value[i] != ']'; n++ {
		end := scan.Skip(value, i)
		yield(n, value[i:end:end])
		i = scan.Space(value, end)
		if value[i] == ',' {
			i = scan.Space(value, i+1)
		}
	}
	return true
}

// isString reports whether value, which is valid JSON without white space around it, is a string.
func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }

// isObject reports whether value, which is valid JSON without white space around it, is an object.
func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// show names what a valid text begins with, for an error: a short scalar as it is, else its type.
func show(value []byte) string {
	const short = 40
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		if text := value[:scan.SkipString(value, 0)]; len(text) <= short {
			return string(text)
		}
		return "text"
	}
	if scalar := value[:scan.SkipScalar(value, 0)]; len(scalar) <= short {
		return string(scalar)
	}
	return "a number"
}

// appendText appends text as a JSON string, escaped where JSON.stringify escapes and nowhere else.
// What is not UTF-8 becomes U+FFFD: the result is always a valid string.
func appendText[T ~string | ~[]byte](b []byte, text T) []byte {
	b, _ = jsontext.AppendQuote(b, text) // the error only reports the replacement
	return b
}
