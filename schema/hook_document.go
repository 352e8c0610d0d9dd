package schema

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Where a schema has other schemas.
var (
	schemaKeywords = []string{
		"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties", "contentSchema",
	}
	falseKeywords      = []string{"additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties"}
	schemaListKeywords = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaMapKeywords  = []string{"properties", "patternProperties", "dependentSchemas"}
)

// foreign reads a schema that a hook wrote and makes it a part of the document: a reference to a
// definition becomes that definition, unless it contains itself; then it joins the document's
// definitions, under a name that is free. A boolean true becomes an empty schema.
func (d *deriver) foreign(text []byte, t reflect.Type) (object, error) {
	var v any
	if err := Unmarshal(text, &v); err != nil {
		return nil, err
	}
	f := &foreigner{d: d, owner: t, names: make(map[string]string)}
	if root, ok := v.(map[string]any); ok {
		delete(root, "$schema")
		delete(root, "$id")
		f.definitions, _ = root["$defs"].(map[string]any)
		delete(root, "$defs")
	}
	return f.schema(v)
}

// foreigner makes the schemas of a hook fit the document.
type foreigner struct {
	d           *deriver
	owner       reflect.Type
	definitions map[string]any
	names       map[string]string // in the document, of the definitions that contain themselves
}

func (f *foreigner) schema(v any) (object, error) {
	switch v := v.(type) {
	case bool:
		if v {
			return object{}, nil
		}
		return object{"not": object{}}, nil
	case map[string]any:
		if _, ok := v["$ref"]; ok {
			return f.reference(v)
		}
		return f.object(v)
	}
	return nil, fmt.Errorf("has %s where a schema belongs", appendDocument(nil, v))
}

// reference resolves a $ref.
func (f *foreigner) reference(s map[string]any) (object, error) {
	ref, _ := s["$ref"].(string)
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	definition, defined := f.definitions[name]
	rest := maps.Clone(s)
	delete(rest, "$ref")
	switch {
	case !ok || !defined && f.d.defs[name] == nil && !f.d.isDefName(name):
		return nil, fmt.Errorf("refers to %q, which is not in it", ref)
	case !defined: // the deriver's own
		return f.object(s)
	case f.recursive(name):
		free, known := f.names[name]
		if !known {
			free = f.d.foreignName(f.owner, name)
			f.names[name] = free
			made, err := f.schema(definition)
			if err != nil {
				return nil, err
			}
			f.d.defs[free] = made
		}
		made, err := f.object(rest)
		if err != nil {
			return nil, err
		}
		made["$ref"] = "#/$defs/" + free
		return made, nil
	}
	if f.d.size++; f.d.size > maxSchemas {
		return nil, errors.New("is too large")
	}
	made, err := f.schema(cloneDocument(definition))
	if err != nil || len(rest) == 0 {
		return made, err
	}
	over, err := f.object(rest)
	if err != nil {
		return nil, err
	}
	for keyword := range over {
		if !slices.Contains(annotations, keyword) {
			over["allOf"] = append([]object{made}, asList(over["allOf"])...)
			return over, nil
		}
	}
	maps.Copy(made, over)
	return made, nil
}

// annotations are the keywords that refuse nothing.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}

func asList(v any) []object {
	list, _ := v.([]object)
	return list
}

// recursive reports whether a definition contains itself.
func (f *foreigner) recursive(name string) bool {
	seen := make(map[string]bool)
	var reaches func(v any) bool
	reaches = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, reaches)
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				to := strings.TrimPrefix(ref, "#/$defs/")
				if to == name {
					return true
				}
				if !seen[to] {
					seen[to] = true
					if reaches(f.definitions[to]) {
						return true
					}
				}
			}
			for _, sub := range v {
				if reaches(sub) {
					return true
				}
			}
		case object:
			return reaches(map[string]any(v))
		}
		return false
	}
	return reaches(f.definitions[name])
}

func cloneDocument(v any) any {
	switch v := v.(type) {
	case map[string]any:
		clone := make(map[string]any, len(v))
		for name, sub := range v {
			clone[name] = cloneDocument(sub)
		}
		return clone
	case []any:
		clone := make([]any, len(v))
		for i, sub := range v {
			clone[i] = cloneDocument(sub)
		}
		return clone
	}
	return v
}

func (f *foreigner) object(s map[string]any) (object, error) {
	for _, keyword := range []string{"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$schema", "$vocabulary", "$defs"} {
		if _, ok := s[keyword]; ok {
			return nil, fmt.Errorf("has %s in a part of it", keyword)
		}
	}
	made := object{}
	for keyword, sub := range s {
		var err error
		switch list, _ := sub.([]any); {
		case slices.Contains(schemaKeywords, keyword):
			if sub == false && slices.Contains(falseKeywords, keyword) {
				made[keyword] = false
				continue
			}
			made[keyword], err = f.schema(sub)
		case slices.Contains(schemaListKeywords, keyword) && list != nil:
			schemas := make([]object, len(list))
			for i := range list {
				if schemas[i], err = f.schema(list[i]); err != nil {
					return nil, err
				}
			}
			made[keyword] = schemas
		case slices.Contains(schemaMapKeywords, keyword):
			subs, ok := sub.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("has a %s that is no object", keyword)
			}
			schemas := object{}
			for name, sub := range subs {
				if schemas[name], err = f.schema(sub); err != nil {
					return nil, err
				}
			}
			made[keyword] = schemas
		default:
			made[keyword] = sub
		}
		if err != nil {
			return nil, err
		}
	}
	return made, nil
}

// toInvopop gives a schema as the type that hooks take, *jsonschema.Schema.
func toInvopop(t reflect.Type, s object) (reflect.Value, error) {
	plain, extras := object{}, make(map[string]any)
	var later []string // what is not read from JSON
	for keyword, v := range s {
		_, isText := v.(string)
		switch {
		case slices.Contains(schemaKeywords, keyword) || slices.Contains(schemaListKeywords, keyword) ||
			slices.Contains(schemaMapKeywords, keyword),
			keyword == "default", keyword == "const", keyword == "enum", keyword == "examples":
			later = append(later, keyword)
		case keyword == "type" && !isText:
			extras[keyword] = stdjson.RawMessage(appendDocument(nil, v))
		default:
			plain[keyword] = v
		}
	}
	made := reflect.New(t.Elem())
	if err := stdjson.Unmarshal(appendDocument(nil, plain), made.Interface()); err != nil {
		return made, fmt.Errorf("cannot be read: %w", err)
	}
	fields := make(map[string]reflect.Value) // by keyword
	for i := range t.Elem().NumField() {
		f := t.Elem().Field(i)
		keyword, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[keyword] = made.Elem().Field(i)
	}
	for _, keyword := range later {
		f, ok := fields[keyword]
		if !ok { // unevaluatedItems, unevaluatedProperties: the type has no field for them
			extras[keyword] = stdjson.RawMessage(appendDocument(nil, s[keyword]))
			continue
		}
		v, err := invopopKeyword(t, f.Type(), s[keyword])
		if err != nil {
			return made, err
		}
		f.Set(v)
	}
	if len(extras) > 0 {
		made.Elem().FieldByName("Extras").Set(reflect.ValueOf(extras))
	}
	return made, nil
}

// invopopKeyword gives the value of a keyword as the type of its field: schemas, or values that keep
// every digit.
func invopopKeyword(t, field reflect.Type, v any) (reflect.Value, error) {
	made := reflect.New(field).Elem()
	switch {
	case field.Kind() == reflect.Interface:
		made.Set(reflect.ValueOf(stdjson.RawMessage(appendDocument(nil, v))))
	case field == t:
		if sub, ok := v.(object); ok && len(sub) > 0 {
			return toInvopop(t, sub)
		}
		made.Set(reflect.New(t.Elem()))
		truth := []byte("false")
		if _, ok := v.(object); ok {
			truth = []byte("true")
		}
		return made, stdjson.Unmarshal(truth, made.Interface())
	case field.Kind() == reflect.Slice:
		var items []any
		switch list := v.(type) {
		case []any:
			items = list
		case []object:
			for _, sub := range list {
				items = append(items, sub)
			}
		}
		for _, item := range items {
			sub, err := invopopKeyword(t, field.Elem(), item)
			if err != nil {
				return made, err
			}
			made.Set(reflect.Append(made, sub))
		}
	default: // a map, or, for properties, one that keeps the order, which has an Unmarshaler and Set
		set := made.SetMapIndex
		if field.Kind() == reflect.Pointer {
			made.Set(reflect.New(field.Elem()))
			if err := stdjson.Unmarshal([]byte("{}"), made.Interface()); err != nil {
				return made, err
			}
			add := made.MethodByName("Set")
			set = func(name, sub reflect.Value) { add.Call([]reflect.Value{name, sub}) }
		} else {
			made.Set(reflect.MakeMap(field))
		}
		subs, _ := v.(object)
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			sub, err := toInvopop(t, subs[name].(object))
			if err != nil {
				return made, err
			}
			set(reflect.ValueOf(name), sub)
		}
	}
	return made, nil
}
