package schema

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The methods by which a type says what its schema is, as invopop/jsonschema knows them. Those whose
// signatures have that package's Schema in them are found by their names: only a program that has such a
// method links the package, which brings a YAML parser, Go's own and much more along, and every start of
// a program pays for what it links.
type (
	aliaser     interface{ JSONSchemaAlias() any }
	propertied  interface{ JSONSchemaProperty(name string) any }
	fieldTexter interface{ GetFieldDocString(field string) string }
)

// hook reports whether a type of pointers has a hook's method.
type hook func(pointer reflect.Type) bool

func schemaHook(p reflect.Type) bool {
	m, ok := p.MethodByName("JSONSchema")
	return ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 && isInvopop(m.Type.Out(0))
}

func extendHook(p reflect.Type) bool {
	m, ok := p.MethodByName("JSONSchemaExtend")
	return ok && m.Type.NumIn() == 2 && m.Type.NumOut() == 0 && isInvopop(m.Type.In(1))
}

func aliasHook(p reflect.Type) bool    { return p.Implements(reflect.TypeFor[aliaser]()) }
func propertyHook(p reflect.Type) bool { return p.Implements(reflect.TypeFor[propertied]()) }
func textHook(p reflect.Type) bool     { return p.Implements(reflect.TypeFor[fieldTexter]()) }

// isInvopop reports whether t is *jsonschema.Schema.
func isInvopop(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "Schema" && t.Elem().PkgPath() == "github.com/invopop/jsonschema"
}

const hookAdvice = "give it a method JSONSchema() *jsonschema.Schema (github.com/invopop/jsonschema), " +
	"or use a type that has one; a type of another package can be embedded in one of yours that has it"

// hasHook reports whether a value of type t, or a pointer to one, has a hook's method.
func hasHook(t reflect.Type, has hook) bool {
	return t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && has(reflect.PointerTo(t))
}

// hook gives the schema that a type states itself, by JSONSchema or JSONSchemaAlias.
func (d *deriver) hook(t reflect.Type, path string) (object, bool) {
	switch {
	case hasHook(t, schemaHook):
		text, err := callHook(t)
		if err != nil {
			d.refuse(path, "make it return a schema for the zero value", "the JSONSchema method of %v %v", t, err)
			return object{}, true
		}
		if inner, promoted := promotedFrom(t, schemaHook, func(inner reflect.Type) bool {
			other, err := callHook(inner)
			return err == nil && bytes.Equal(text, other)
		}); promoted {
			if !d.speaksFor(inner, t, "JSONSchema", path) {
				return nil, false
			}
		}
		s, err := d.foreign(text, t)
		if err != nil {
			d.refuse(path, "make it return one that stands alone", "the JSONSchema method of %v returns a schema that %v", t, err)
			return object{}, true
		}
		if err := d.compiles(s); err != nil {
			d.refuse(path, "correct the method", "the JSONSchema method of %v returns a schema that is none: %v", t, err)
			return object{}, true
		}
		if want := writtenAs(t); want != "" && !mayBe(s, want) {
			d.refuse(path, "correct the method, or give the type JSON methods that write what the schema says",
				"the JSONSchema method of %v gives the type %s, and the values are written as %s", t, appendDocument(nil, s["type"]), plurals(want)[0])
			return object{}, true
		}
		d.noteValues(s, t, path)
		return s, true
	case hasHook(t, aliasHook):
		alias, err := callAlias(t)
		if err != nil {
			d.refuse(path, "make it return a value of the type to describe", "the JSONSchemaAlias method of %v %v", t, err)
			return object{}, true
		}
		if inner, promoted := promotedFrom(t, aliasHook, func(inner reflect.Type) bool {
			other, err := callAlias(inner)
			return err == nil && alias == other
		}); promoted {
			if !d.speaksFor(inner, t, "JSONSchemaAlias", path) {
				return nil, false
			}
		}
		if alias = pointedTo(alias); alias == t {
			return nil, false
		}
		return d.schemaOf(alias, path), true
	}
	return nil, false
}

// writtenAs gives the JSON type that all values of t are written as, "" if its own methods decide, or nothing is
// known.
func writtenAs(t reflect.Type) string {
	switch {
	case hasMethods(t, jsonMethods) || t.Kind() == reflect.Interface:
		return ""
	case hasMethods(t, textMethods):
		return "string"
	}
	return jsonTypeOf(t)
}

// mayBe reports whether the type that a schema gives, if any, admits values of a JSON type.
func mayBe(s object, jsonType string) bool {
	list, ok := s["type"].([]any)
	if !ok {
		list = []any{s["type"]}
	}
	return slices.ContainsFunc(list, func(t any) bool {
		return t == nil || t == jsonType || t == "number" && jsonType == "integer" || t == "integer" && jsonType == "number"
	})
}

// noteValues notes the values that a hook names, which the type has to read.
func (d *deriver) noteValues(s object, t reflect.Type, path string) {
	bare := maps.Clone(s)
	for _, keyword := range []string{"default", "examples"} {
		delete(bare, keyword)
	}
	if v, ok := s["default"]; ok {
		d.checks = append(d.checks, valueCheck{path, "default", v, bare, t})
	}
	if v, ok := s["const"]; ok {
		d.checks = append(d.checks, valueCheck{path, "const", v, bare, t})
	}
	for _, keyword := range []string{"enum", "examples"} {
		list, _ := s[keyword].([]any)
		for _, v := range list {
			d.checks = append(d.checks, valueCheck{path, keyword, v, bare, t})
		}
	}
}

// promotedFrom finds the embedded field that a struct has a hook from, if the struct does not
// declare the hook itself: same reports whether a type's hook says the same as the struct's, which is
// all that tells a promoted method from one that only calls it.
func promotedFrom(t reflect.Type, has hook, same func(reflect.Type) bool) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if f.Anonymous && hasHook(inner, has) && same(inner) {
			return inner, true
		}
	}
	return nil, false
}

// speaksFor reports whether the hook of an embedded type describes the struct that embeds it. It does
// if the struct is written by methods that it has from there too; it does not if the struct is
// written field by field.
func (d *deriver) speaksFor(inner, t reflect.Type, hook, path string) bool {
	if !hasMethods(t, jsonMethods) && !hasMethods(t, textMethods) {
		return false
	}
	if !hasMethods(inner, jsonMethods) && !hasMethods(inner, textMethods) {
		d.refuse(path, fmt.Sprintf("give %v a %s method of its own", t, hook),
			"the %s method of %v is that of the embedded %v, but %v writes JSON by methods of its own", hook, t, inner, t)
	}
	return true
}

// callHook gives the text of the schema that a type's JSONSchema method returns.
func callHook(t reflect.Type) (text []byte, err error) {
	defer recoverAs(&err)
	s := reflect.New(t).MethodByName("JSONSchema").Call(nil)[0]
	if s.IsNil() {
		return nil, errors.New("returns nil")
	}
	if text, err = stdjson.Marshal(s.Interface()); err != nil {
		return nil, fmt.Errorf("returns a schema that is not JSON: %w", err)
	}
	return text, nil
}

func callAlias(t reflect.Type) (alias reflect.Type, err error) {
	defer recoverAs(&err)
	v := reflect.New(t).Interface().(aliaser).JSONSchemaAlias()
	if v == nil {
		return nil, errors.New("returns nil")
	}
	return reflect.TypeOf(v), nil
}

func recoverAs(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panics: %v", r)
	}
}

// extend lets a type's JSONSchemaExtend method change the schema that was derived for it.
func (d *deriver) extend(t reflect.Type, s object, path string) object {
	if !hasHook(t, extendHook) {
		return s
	}
	text, err := callExtend(t, s)
	if err == nil {
		var extended object
		if extended, err = d.foreign(text, t); err == nil {
			if err = d.compiles(extended); err == nil {
				return extended
			}
			err = fmt.Errorf("is none: %w", err)
		}
	}
	d.refuse(path, "change the method", "the JSONSchemaExtend method of %v makes a schema that %v", t, err)
	return s
}

func callExtend(t reflect.Type, s object) (text []byte, err error) {
	defer recoverAs(&err)
	extend := reflect.New(t).MethodByName("JSONSchemaExtend")
	extended, err := toInvopop(extend.Type().In(0), s)
	if err != nil {
		return nil, err
	}
	extend.Call([]reflect.Value{extended})
	return stdjson.Marshal(extended.Interface())
}

// compiles reports what is wrong with a schema that the author wrote.
func (d *deriver) compiles(s object) error {
	whole := maps.Clone(s)
	if len(d.defs) > 0 || d.survey {
		defs := maps.Clone(d.defs)
		for _, name := range d.names { // those being written at this moment
			if defs[name] == nil {
				defs[name] = object{}
			}
		}
		whole["$defs"] = defs
	}
	compiled, err := Compile(appendDocument(nil, whole))
	if err != nil {
		return err
	}
	return compiled.Strict()
}
