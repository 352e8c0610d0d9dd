package schema

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// field is a member of the object that a struct is written as.
type field struct {
	name     string // of the member
	goName   string // with the embedded structs it comes through, such as Base.ID
	index    []int
	typ      reflect.Type
	named    bool // the json tag gives the name
	empty    bool // omitempty
	zero     bool // omitzero
	quoted   bool // the option string: a number in a string
	optional bool // it comes through an embedded pointer, and a nil one has no members
	tag      reflect.StructTag
	owner    reflect.Type // the struct that declares it
}

// fieldset is what a struct is written as.
type fieldset struct {
	fields   []field
	fallback *field  // holds the members that no field names
	embedded []field // the structs whose fields are among these
}

// fieldsOf finds a struct's fields as json v2 does: breadth first through embedded structs; of
// several with one name the shallowest wins, then the one whose tag gives the name; two that nothing
// tells apart hide each other. A problem is handed to refuse, with the field's path below t.
func fieldsOf(t reflect.Type, refuse func(path, advice, reason string, args ...any)) fieldset {
	type level struct {
		typ      reflect.Type
		index    []int
		path     string
		optional bool
		visit    bool // false the second time a type is embedded: it only hides what has its names
	}
	var set fieldset
	found := make([]field, 0, t.NumField())
	var fallbacks []field
	seen := map[reflect.Type]bool{t: true}
	for queue := []level{{typ: t, visit: true}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		names := make(map[string]string)
		for i := range at.typ.NumField() {
			sf := at.typ.Field(i)
			path := at.path + sf.Name
			tag, hasTag := sf.Tag.Lookup("json")
			if tag == "-" {
				continue
			}
			if !sf.IsExported() && !sf.Anonymous {
				if hasTag || hasSchemaTag(sf) && sf.Name != "_" {
					refuse(path, "begin its name with a capital letter, or remove the tag",
						"the field is not exported, so its tag does nothing")
				}
				continue
			}
			f := field{
				name: sf.Name, goName: path, typ: sf.Type, tag: sf.Tag, owner: at.typ, optional: at.optional,
				index: append(slices.Clip(slices.Clone(at.index)), i),
			}
			embeds, ok := f.parse(tag, path, refuse)
			if !ok {
				continue
			}
			inner := sf.Type
			if inner.Kind() == reflect.Pointer && inner.Name() == "" {
				inner = inner.Elem()
			}
			if sf.Anonymous && !f.named {
				if inner.Kind() != reflect.Struct {
					refuse(path, `give it a name with a json tag, such as json:"`+strings.ToLower(sf.Name)+`"`,
						"an embedded %v is not a struct, so it has no fields to embed", inner)
					continue
				}
				embeds = true
			}
			if !embeds {
				if !sf.IsExported() {
					refuse(path, "export the type", "the embedded type %v is not exported, so it cannot be a member", inner)
					continue
				}
				if other, taken := names[f.name]; taken {
					refuse(path, "give one of them another name", "%s has the same name in JSON, %q", other, f.name)
					continue
				}
				names[f.name] = path
				found = append(found, f)
				continue
			}
			if f.omits() || f.quoted {
				refuse(path, "remove the other options", "the fields of %v are written in place of the field, so options say nothing", inner)
				continue
			}
			if hasSchemaTag(sf) {
				refuse(path, "write them on the fields of "+typeName(inner)+", or give the field a name with a json tag",
					"its members are written in place of the field, so its jsonschema tags say nothing")
				continue
			}
			switch {
			case inner.Kind() == reflect.Struct:
				pointer := sf.Type.Kind() == reflect.Pointer
				if pointer && !sf.IsExported() {
					refuse(path, "embed it by value, or export the type",
						"a pointer to the unexported struct %v cannot be set when a value is decoded", inner)
					continue
				}
				if hasMethods(inner, jsonMethods) || hasMethods(inner, textMethods) {
					refuse(path, "give it a name with a json tag",
						"the embedded %v has methods of its own for JSON, so its fields are not written", inner)
					continue
				}
				set.embedded = append(set.embedded, f)
				if at.visit {
					queue = append(queue, level{
						typ: inner, index: f.index, path: path + ".",
						optional: at.optional || pointer, visit: !seen[inner],
					})
				}
				seen[inner] = true
			case isFallback(inner) && sf.IsExported():
				f.typ = inner
				fallbacks = append(fallbacks, f)
			default:
				refuse(path, "use a struct, a map[string]T or a jsontext.Value", "%v cannot be embedded", sf.Type)
			}
		}
	}

	slices.SortStableFunc(found, func(a, b field) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), compareBool(b.named, a.named))
	})
	for rest := found; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].name == rest[0].name {
			n++
		}
		if n == 1 || len(rest[0].index) != len(rest[1].index) || rest[0].named != rest[1].named {
			set.fields = append(set.fields, rest[0])
		}
		rest = rest[n:]
	}
	slices.SortFunc(set.fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	if n := len(fallbacks); n == 1 || n > 1 && len(fallbacks[0].index) != len(fallbacks[1].index) {
		set.fallback = &fallbacks[0]
	} else if n > 1 {
		refuse(fallbacks[1].goName, "keep one of them", "%s takes the further members already", fallbacks[0].goName)
	}
	return set
}

func hasSchemaTag(f reflect.StructField) bool {
	for _, name := range []string{"jsonschema", "jsonschema_description", "jsonschema_extras"} {
		if _, ok := f.Tag.Lookup(name); ok {
			return true
		}
	}
	return false
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// isFallback reports whether a type can hold the members that no field names.
func isFallback(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String &&
		!hasMethods(t.Key(), jsonMethods) && !hasMethods(t.Key(), textMethods) ||
		t == rawValueType
}

// omits reports whether the encoder may leave the field out.
func (f *field) omits() bool { return f.empty || f.zero }

// parse reads the json tag of a field.
func (f *field) parse(tag, path string, refuse func(path, advice, reason string, args ...any)) (embeds, ok bool) {
	name, rest, hasOptions := strings.Cut(tag, ",")
	if name != "" {
		if strings.ContainsAny(name, "\\'\"`") {
			refuse(path, "use a name without them", "the json tag has quotes or a backslash in the name %q", name)
			return false, false
		}
		f.name, f.named = name, true
	}
	ok = true
	if !hasOptions {
		return false, true
	}
	misnamed := false // the option has the name that it has for another version of json v2
	for option := range strings.SplitSeq(rest, ",") {
		switch key, _, _ := strings.Cut(option, ":"); key {
		case "omitempty", "omitzero":
			f.empty = f.empty || key == "omitempty"
			f.zero = f.zero || key == "omitzero"
		case "string":
			f.quoted = true
		case "embed", "inline":
			embeds = embeds || key == embedOption()
			misnamed = misnamed || key != embedOption()
		case "":
			advice := "remove it"
			if f.name == "-" { // without the comma it would say something else
				advice = `give the member another name, or write json:"-" to leave the field out`
			}
			refuse(path, advice, "the json tag has an empty option")
			ok = false
		case "format", "case":
			refuse(path, "remove it", "the json option %q changes what is written or read in a way that no schema can state", option)
			ok = false
		default:
			advice := "remove it"
			if near := nearest(key, []string{"omitempty", "omitzero", "string", embedOption()}); near != "" {
				advice = "write " + near
			}
			refuse(path, advice, "the json tag has the unknown option %q", option)
			ok = false
		}
	}
	if misnamed && !embeds {
		refuse(path, `write json:",embed,inline", which both understand`,
			"the JSON package that this program is built with calls the option %s", embedOption())
		ok = false
	}
	return embeds, ok
}
