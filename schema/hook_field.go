package schema

import (
	"maps"
	"reflect"
	"slices"
)

// embeddedHook is the schema that an embedded struct states of its members, which are written in
// place of it.
type embeddedHook struct {
	index      []int
	typ        reflect.Type
	properties object
	required   []any
}

// embeddedHooks finds the embedded structs that state their schema. A hook beats what would be derived
// of their fields.
func (d *deriver) embeddedHooks(set fieldset, prefix string) []embeddedHook {
	var hooks []embeddedHook
	for _, e := range set.embedded {
		t := e.typ
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		path := prefix + e.goName
		if !hasHook(t, schemaHook) {
			continue
		}
		s, ok := d.hook(t, path)
		if !ok || len(s) == 0 {
			continue
		}
		h := embeddedHook{index: e.index, typ: t}
		h.properties, _ = s["properties"].(object)
		h.required, _ = s["required"].([]any)
		known := append([]string{"type", "properties", "required", "additionalProperties"}, annotations...)
		for keyword := range s {
			if !slices.Contains(known, keyword) {
				d.refuse(path, "give the field a name with a json tag, or give the outer type a method JSONSchema",
					"the JSONSchema method of the embedded %v has %s, which says more than what its members are", t, keyword)
			}
		}
		if s["type"] != "object" {
			d.refuse(path, "give the field a name with a json tag, or give the outer type a method JSONSchema",
				"the JSONSchema method of the embedded %v does not describe an object, but its fields are written as members", t)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(h.properties)) {
			if !slices.ContainsFunc(set.fields, func(f field) bool { return f.name == name }) {
				d.refuse(path, "name only fields that it has", "the JSONSchema method of the embedded %v has the member %q, and no field is written as it", t, name)
			}
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// member gives the schema of a field that the hook describes, and whether it is required.
func (h embeddedHook) member(d *deriver, f *field, path string) (object, bool) {
	s, ok := h.properties[f.name].(object)
	if !ok {
		d.refuse(path, `add it, or leave the field out with json:"-"`,
			"the JSONSchema method of the embedded %v does not have the member %q, and the field is written as it", h.typ, f.name)
		return object{}, false
	}
	return s, slices.Contains(h.required, any(f.name))
}

// propertyAlias gives the type that describes a field: its own, or the one that the struct's
// JSONSchemaProperty method names.
func (d *deriver) propertyAlias(f *field, path string) (base reflect.Type) {
	base = f.typ
	if hasHook(f.owner, propertyHook) {
		var alias any
		err := func() (err error) {
			defer recoverAs(&err)
			alias = reflect.New(f.owner).Interface().(propertied).JSONSchemaProperty(f.name)
			return nil
		}()
		if err != nil {
			d.refuse(path, "change the method", "the JSONSchemaProperty method of %v %v", f.owner, err)
		}
		if alias != nil {
			base = reflect.TypeOf(alias)
		}
	}
	return base
}

// fieldText gives the description of a field that the struct's GetFieldDocString method has.
func (d *deriver) fieldText(f *field, path string) (text string) {
	if !hasHook(f.owner, textHook) {
		return ""
	}
	name := f.goName
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			name = name[i+1:]
			break
		}
	}
	err := func() (err error) {
		defer recoverAs(&err)
		text = reflect.New(f.owner).Interface().(fieldTexter).GetFieldDocString(name)
		return nil
	}()
	if err != nil {
		d.refuse(path, "change the method", "the GetFieldDocString method of %v %v", f.owner, err)
	}
	return text
}
