package schema

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// structOf gives the schema of a struct: an object of its fields, closed unless the struct says
// otherwise.
func (d *deriver) structOf(t reflect.Type, path string) object {
	d.done[t] = true
	prefix := ""
	if path != "" {
		prefix = path + "."
	}
	before := len(d.problems)
	set := fieldsOf(t, func(field, advice, reason string, args ...any) {
		d.refuse(prefix+field, advice, reason, args...)
	})
	if len(d.problems) == before && !isPlain(t) {
		// json v2 has the last word on what it can write and read.
		if err := json.Unmarshal([]byte("{}"), reflect.New(t).Interface(), options()); err != nil {
			d.refuse(path, leaveOut+`, or use a struct with exported fields`,
				"%v cannot be written or read field by field: %v", t, errors.Unwrap(err))
		}
	}

	properties, required := object{}, []string{}
	groups, members := []group(nil), make(map[group][]string)
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	hooked := d.embeddedHooks(set, prefix)
	for i := range set.embedded {
		d.warnValidate(pointedTo(set.embedded[i].typ), prefix+set.embedded[i].goName)
	}
	for i := range set.fields {
		f := &set.fields[i]
		property, optional, in := d.fieldOf(f, prefix+f.goName, hooked)
		for _, g := range in {
			if members[g] == nil {
				groups = append(groups, g)
			}
			members[g] = append(members[g], f.name)
		}
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
	for _, g := range groups {
		list, _ := s[g.keyword].([]object)
		// Strict mode asks for the members' names beside required.
		named := object{}
		for _, member := range members[g] {
			named[member] = object{}
		}
		s[g.keyword] = append(list, object{"title": g.name, "properties": named, "required": members[g]})
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Name == "_" {
			own := d.tagger(prefix+"_", t, s)
			own.ofStruct = true
			own.read(f.Tag)
			if own.required || own.nullable || len(own.groups) > 0 {
				own.refuse("write it on one of the fields", "required, nullable and groups are not for a struct")
			}
		}
	}
	return s
}

// isPlain reports whether a struct is surely one that json v2 can write and read: each field is exported
// and not embedded, and its json tag, if it has one, is a plain name with omitempty or omitzero after it.
// Asking json v2 makes it prepare for the type, which it is hardly ever asked to write or read later.
func isPlain(t reflect.Type) bool {
	some := false
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !f.IsExported() || f.Anonymous || options != "" && options != "omitempty" && options != "omitzero" {
			return false
		}
		for j := range len(name) {
			if !isAlnum(name[j]) && name[j] != '_' {
				return false
			}
		}
		some = true
	}
	return some
}

// fieldOf gives the schema of a field, whether the member may be absent, and the groups it is in.
func (d *deriver) fieldOf(f *field, path string, hooked []embeddedHook) (s object, optional bool, groups []group) {
	optional = f.omits() || f.optional
	for _, h := range hooked {
		if slices.Equal(f.index[:min(len(h.index), len(f.index))], h.index) {
			s, required := h.member(d, f, path)
			return s, optional || !required, nil
		}
	}
	described := d.propertyAlias(f, path)
	base := pointedTo(described)
	s = d.schemaOf(base, path)
	if f.quoted {
		s = d.quote(s, base, path)
	}
	t := d.tagger(path, base, s)
	t.read(f.tag)
	if text := d.fieldText(f, path); text != "" && !t.given["description"] {
		t.addText("description", text)
	}
	// A pointer that is omitted when it is nil is never null; a pointer to a pointer may still be.
	pointer := base != described
	twice := pointer && described.Elem() != base
	switch {
	case pointer && (!f.omits() || twice || t.nullable):
		s = nullable(s)
	case t.nullable && len(s) > 0:
		t.refuse("make it a pointer", "nullable admits null, and %v has no value for it", f.typ)
	}
	if t.nullable && s["default"] == any("null") {
		t.refuse(noNullDefault, `default=null is the text "null" here`)
	}
	_, hasDefault := s["default"]
	hasDefault = hasDefault && t.given["default"]
	switch {
	case t.required && optional:
		t.refuse("remove omitempty and omitzero, or remove required",
			"required asks for a member that the encoder may leave out")
	case t.required && hasDefault:
		t.refuse("remove one of them", "a member with a default is never missing, so required says nothing")
	case len(t.groups) > 0 && !optional:
		t.refuse("add omitempty or omitzero", "a member in a group is not always there, and the encoder always writes this one")
	}
	d.warnField(f, path, said{s, t.given}, !optional && !hasDefault)
	return s, optional || hasDefault, t.groups
}

// quote gives the schema of a number that is written in a string, as the json option string asks.
func (d *deriver) quote(s object, t reflect.Type, path string) object {
	switch {
	case !isIntegerKind(t.Kind()) || hasMethods(t, jsonMethods) || hasMethods(t, textMethods):
		d.refuse(path, "remove it", "the json option string is for integers, and this is %v", t)
		return s
	case hasHook(t, schemaHook) || hasHook(t, extendHook) || hasHook(t, aliasHook):
		d.refuse(path, "remove it, or let a type of its own write the string",
			"the json option string makes a string of %v, whose hook speaks of another form", t)
		return s
	}
	low, high := integerBounds(t)
	q := object{"type": "string", "pattern": "^(?:" + rangePattern(low, high) + ")$"}
	if text, ok := s["description"]; ok {
		q["description"] = text
	}
	return q
}
