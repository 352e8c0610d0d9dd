package schema

import (
	"encoding"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	byteType     = reflect.TypeFor[byte]()
	anyType      = reflect.TypeFor[any]()

	jsonMethods = []reflect.Type{
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.MarshalerTo](),
		reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[json.UnmarshalerFrom](),
	}
	textMethods = []reflect.Type{
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextAppender](),
		reflect.TypeFor[encoding.TextUnmarshaler](),
	}
)

// hasMethods reports whether a value of type t has the methods of one of the interfaces; the codec
// always has an address to call them on.
func hasMethods(t reflect.Type, interfaces []reflect.Type) bool {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	for _, i := range interfaces {
		if p.Implements(i) {
			return true
		}
	}
	return false
}

// known gives the schema of a type that says itself what it is, or whose form is known by name.
func (d *deriver) known(t reflect.Type, path string) (object, bool) {
	if s, ok := d.hook(t, path); ok {
		return s, true
	}
	if known, ok := knownTypes()[t]; ok {
		if known.schema == nil {
			d.refuse(path, known.advice, "%s", known.reason)
			return object{}, true
		}
		return known.schema(), true
	}
	switch {
	case hasMethods(t, jsonMethods):
		d.refuse(path, hookAdvice, "%v has its own JSON methods, and nothing says what they write and read", t)
		return object{}, true
	case hasMethods(t, textMethods):
		if why := notAnyText(t); why != "" {
			d.refuse(path, hookAdvice, "%v is text in JSON, but not any text: %s", t, why)
			return object{}, true
		}
		return object{"type": "string"}, true
	}
	return nil, false
}

// plain gives the schema of a type by its kind.
func (d *deriver) plain(t reflect.Type, path string) object {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return object{"type": "boolean"}
	case k == reflect.String:
		return object{"type": "string"}
	case isIntegerKind(k):
		return integerSchema(t)
	case k == reflect.Float32 || k == reflect.Float64:
		return floatSchema(t)
	case k == reflect.Slice && t.Elem() == byteType:
		return bytesSchema()
	case k == reflect.Array && t.Elem() == byteType:
		return byteArraySchema(t.Len())
	case k == reflect.Slice:
		return object{"type": "array", "items": d.elementOf(t.Elem(), path+"[]")}
	case k == reflect.Array:
		return object{
			"type": "array", "items": d.elementOf(t.Elem(), path+"[]"),
			"minItems": t.Len(), "maxItems": t.Len(),
		}
	case k == reflect.Map:
		return d.mapOf(t, path)
	case k == reflect.Struct:
		return d.structOf(t, path)
	case k == reflect.Pointer:
		d.refuse(path, "let it point to a struct", "%v points to pointers only, and to no value", t)
		return object{}
	case t == anyType:
		return object{}
	}
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() == 0 {
			d.refuse(path, "use any itself", "%v is an interface, and only any is known to hold JSON", t)
			break
		}
		d.refuse(path, "use a struct, or any for a value of any kind",
			"%v is an interface: nothing says which type to decode into", t)
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128:
		d.refuse(path, leaveOut+`, or use a type that JSON has`,
			"%v has no form in JSON, which has no %s", t, goKindWord(t))
	default:
		d.refuse(path, leaveOut, "%v has no form in JSON", t)
	}
	return object{}
}

// elementOf gives the schema of a type where a nil pointer is written as null.
func (d *deriver) elementOf(t reflect.Type, path string) object {
	if t.Kind() != reflect.Pointer {
		return d.schemaOf(t, path)
	}
	if t = pointedTo(t); t.Kind() == reflect.Pointer {
		return d.schemaOf(t, path) // which refuses it
	}
	return nullable(d.schemaOf(t, path))
}

// pointedTo gives what a pointer, or a pointer to a pointer, points to in the end: a pointer still if it has no
// end, as that of type P *P.
func pointedTo(t reflect.Type) reflect.Type {
	const steps = 100
	for range steps {
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}

// nullable admits null beside what s admits.
func nullable(s object) object {
	if len(s) == 0 {
		return s
	}
	compound := slices.ContainsFunc(compoundKeywords, func(keyword string) bool { return s[keyword] != nil })
	if kind, ok := s["type"].(string); ok && !compound {
		if kind == "null" {
			return s
		}
		s["type"] = []string{kind, "null"}
		if values, ok := s["enum"].([]any); ok {
			s["enum"] = append(slices.Clip(values), nil)
		}
		if value, ok := s["const"]; ok {
			delete(s, "const")
			s["enum"] = []any{value, nil}
		}
		return s
	}
	// What is said about the value stays outside: in a branch a default would be ignored.
	outer := object{"anyOf": []object{s, {"type": "null"}}}
	for _, keyword := range annotations {
		if v, ok := s[keyword]; ok {
			outer[keyword] = v
			delete(s, keyword)
		}
	}
	return outer
}

// compoundKeywords are those that apply other schemas to the same value, whatever its type.
var compoundKeywords = []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
