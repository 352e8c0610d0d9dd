package schema

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// object is a schema being made, or a part of one.
type object map[string]any

// appendDocument appends the JSON of v: a string, a bool, an int, a number, raw JSON, or a list or an
// object of these.
func appendDocument(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		b, _ = jsontext.AppendQuote(b, v) // invalid UTF-8 is replaced; no keyword takes any
		return b
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case stdjson.Number:
		return append(b, v...)
	case jsontext.Value:
		return append(b, v...)
	case []string:
		return appendList(b, v)
	case []any:
		return appendList(b, v)
	case []object:
		return appendList(b, v)
	case map[string]any:
		return appendDocument(b, object(v))
	case object:
		b = append(b, '{')
		var few [16]string
		names := few[:0]
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, name)
			b = append(b, ':')
			b = appendDocument(b, v[name])
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("schema: %T in a document", v))
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendDocument(b, v)
	}
	return append(b, ']')
}
