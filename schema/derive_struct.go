package schema

import (
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
)

// structOf gives the schema of a struct: an object of its fields, closed unless the struct says
// otherwise.
func (d *deriver) structOf(t reflect.Type, path string) object {
	prefix := ""
	if path != "" {
		prefix = path + "."
	}
	before := len(d.problems)
	set := fieldsOf(t, func(field, advice, reason string, args ...any) {
		d.refuse(prefix+field, advice, reason, args...)
	})
	if len(d.problems) == before {
		// json v2 has the last word on what it can write and read.
		if err := json.Unmarshal([]byte("{}"), reflect.New(t).Interface(), options); err != nil {
			d.refuse(path, "", "%v", errors.Unwrap(err))
		}
	}

	properties, required := object{}, []string{}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	for i := range set.fields {
		f := &set.fields[i]
		property, optional := d.fieldOf(f, prefix+f.goName)
		properties[f.name] = property
		if !optional {
			required = append(required, f.name)
		}
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if f := set.fallback; f != nil {
		delete(s, "additionalProperties")
		if f.typ.Kind() == reflect.Map {
			if values := d.elementOf(f.typ.Elem(), prefix+f.goName+"[]"); len(values) > 0 {
				s["additionalProperties"] = values
			}
		}
	}
	d.structTags(s, t, set, path)
	return s
}

// fieldOf gives the schema of a field, and whether the member may be absent.
func (d *deriver) fieldOf(f *field, path string) (s object, optional bool) {
	optional = f.omits || f.optional
	base := f.typ
	for base.Kind() == reflect.Pointer && !hasPointerHook(base) {
		base = base.Elem()
	}
	s = d.schemaOf(base, path)
	if f.quoted {
		s = d.quote(s, base, path)
	}
	t := d.parseTags(f, path)
	hasDefault := d.apply(t, s, base, path)
	switch pointer := base != f.typ; {
	case pointer && (!f.omits || t.nullable):
		s = nullable(s)
	case t.nullable:
		if len(s) > 0 {
			d.refuse(path, "make it a pointer", "nullable admits null, and %v has no value for it", f.typ)
		}
	}
	if t.required && optional {
		d.refuse(path, "remove omitempty and omitzero, or remove required",
			"required asks for a member that the encoder may leave out")
	}
	return s, optional || hasDefault
}

// quote gives the schema of a number that is written in a string, as the json option string asks.
func (d *deriver) quote(s object, t reflect.Type, path string) object {
	if !isIntegerKind(t.Kind()) || s["type"] != "integer" {
		d.refuse(path, "remove it", "the json option string is for integers, and this is %v", t)
		return s
	}
	low, high := integerBounds(t)
	q := object{"type": "string", "pattern": "^(?:" + rangePattern(low, high) + ")$"}
	if text, ok := s["description"]; ok {
		q["description"] = text
	}
	return q
}
