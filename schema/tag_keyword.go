package schema

import (
	stdjson "encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// tagKind is what the value of a keyword is.
type tagKind int

const (
	_          tagKind = iota
	textKind           // any text
	countKind          // a whole number, not negative
	numberKind         // a JSON number
	boolKind           // true or false
	valueKind          // a value that the schema describes
)

// tagKinds are the keywords that a tag may have, in invopop/jsonschema's vocabulary.
var tagKinds = map[string]tagKind{
	"title": textKind, "description": textKind, "pattern": textKind, "format": textKind,
	"minLength": countKind, "maxLength": countKind,
	"minItems": countKind, "maxItems": countKind,
	"minProperties": countKind, "maxProperties": countKind,
	"minimum": numberKind, "maximum": numberKind,
	"exclusiveMinimum": numberKind, "exclusiveMaximum": numberKind, "multipleOf": numberKind,
	"uniqueItems": boolKind, "readOnly": boolKind, "writeOnly": boolKind, "deprecated": boolKind,
	"default": valueKind, "example": valueKind, "enum": valueKind,
}

var keywordNames = slices.Sorted(maps.Keys(tagKinds))

// apply adds to s, the schema of a field of type t, what the field's tags say, and reports whether
// that includes a default.
func (d *deriver) apply(tags tags, s object, t reflect.Type, path string) (hasDefault bool) {
	if tags.description != "" {
		s["description"] = tags.description
	}
	for _, k := range tags.keywords {
		switch tagKinds[k.name] {
		case textKind:
			s[k.name] = k.value
		case countKind:
			n, err := strconv.ParseUint(k.value, 10, 31)
			if err != nil {
				d.refuse(path, "write "+k.name+"=N with a whole number that is not negative", "%s=%s is no length", k.name, k.value)
				continue
			}
			s[k.name] = int(n)
		case numberKind:
			s[k.name] = stdjson.Number(k.value)
		case boolKind:
			b, err := strconv.ParseBool(k.value)
			if err != nil {
				d.refuse(path, "write "+k.name+"=true", "%s=%s is neither true nor false", k.name, k.value)
				continue
			}
			s[k.name] = b
		case valueKind:
			value := tagValue(k.value, s)
			switch k.name {
			case "default":
				s["default"], hasDefault = value, true
			case "example":
				list, _ := s["examples"].([]any)
				s["examples"] = append(list, value)
			case "enum":
				list, _ := s["enum"].([]any)
				s["enum"] = append(list, value)
			}
		}
	}
	return hasDefault
}

func tagValue(text string, s object) any {
	if s["type"] == "string" {
		return text
	}
	return jsontext.Value(text)
}
