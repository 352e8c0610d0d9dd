package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Warning is something about a Go type that [For] takes and that is probably not meant.
type Warning struct {
	// TypeError says what. Its Type is the struct that declares the field, where that has a name.
	*TypeError
	// InputOnly: it matters only where values of the type are decoded, as a tool's input is.
	InputOnly bool
}

// Warnings gives what [For] found in the Go type that is probably not meant: omitempty on a field that it
// never leaves out, tags of other libraries that say what no jsonschema tag of their field says, and a
// method Validate that nobody calls. A schema that was compiled from a document has none. The list is a
// copy.
func (s *Schema) Warnings() []Warning { return slices.Clone(s.warnings) }

// warn records a warning about a field, once however often its struct is used.
func (d *deriver) warn(w Warning) {
	for _, other := range d.warnings {
		if w.Type == other.Type && w.Path == other.Path && w.Reason == other.Reason {
			return
		}
	}
	d.warnings = append(d.warnings, w)
}

// place names a field by the struct that declares it, or from the root if that has no name.
func (d *deriver) place(f *field, path string) (reflect.Type, string) {
	if f.owner.Name() == "" {
		return d.root, path
	}
	return f.owner, f.goName[strings.LastIndexByte(f.goName, '.')+1:]
}

// warnField warns of what a field's tags say in vain.
func (d *deriver) warnField(f *field, path string, s said, required bool) {
	if !d.survey {
		return // the first walk has seen it
	}
	if f.empty && !f.zero && neverEmpty(f.typ) {
		t, at := d.place(f, path)
		d.warn(Warning{TypeError: &TypeError{
			Type: t, Path: at, Reason: "omitempty never leaves a " + typeName(f.typ) + " out", Advice: "write omitzero",
		}})
	}
	if f.tag != "" {
		d.warnTags(f, path, s, required)
	}
}

// neverEmpty reports whether encoding/json knows no empty value of a type.
func neverEmpty(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Array && t.Len() > 0
}

// said is what the schema of a field says, and which keywords of it stand in its jsonschema tags.
type said struct {
	schema object
	given  map[string]bool
}

// says reports whether a keyword is given, or has the value anyway, as the format of a time.Time has.
func (s said) says(keyword, value string) bool {
	items, _ := s.schema["items"].(object)
	return s.given[keyword] || fmt.Sprint(s.schema[keyword]) == value || fmt.Sprint(items[keyword]) == value
}

// strayTags are the tags of a struct's fields that look like rules and are none here.
type strayTags struct {
	typ       reflect.Type
	path      string // the first field with one
	inputOnly bool
	keys      []string
	advice    []string // for each key, about the first field that has it
}

// warnTags notes the tags of a field that look like rules, for a library that is not asked here.
func (d *deriver) warnTags(f *field, path string, s said, required bool) {
	for rest := strings.TrimLeft(string(f.tag), " "); rest != ""; {
		key, quoted, next, ok := cutPair(rest)
		if !ok {
			return
		}
		rest = next
		if advice, inputOnly := d.strayTag(f, key, quoted, s, required); advice != "" {
			d.noteStray(f, path, key, advice, inputOnly)
		}
	}
}

// strayTag gives what to write in place of another library's tag; "" when the tag is none, or what it says
// is said otherwise.
func (d *deriver) strayTag(f *field, key, quoted string, s said, required bool) (advice string, inputOnly bool) {
	switch key {
	case "description", "doc":
		if s.given["description"] || d.describesFields(f.owner) {
			return "", false
		}
		return "jsonschema_description:" + quoted, false
	case "default", "enum", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
		"exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties":
		value, err := strconv.Unquote(quoted)
		if err != nil || value == "" || s.says(key, value) || key == "uniqueItems" && value != "true" ||
			key == "enum" && s.given["const"] || d.describesFields(f.owner) || d.describesItself(f.typ) {
			return "", false
		}
		words := []string{value}
		if key == "enum" {
			words = strings.Split(value, ",")
		}
		for i, word := range words {
			words[i] = key + "=" + strings.ReplaceAll(word, ",", `\,`)
		}
		return "jsonschema:" + strconv.Quote(strings.Join(words, ",")), true
	case "required":
		switch {
		case quoted == `"true"` && !required && !s.given["default"]:
			return "no omitempty and no omitzero, which make it optional", true
		case quoted == `"false"` && required:
			return "omitzero in the json tag", true
		}
	case "validate", "binding":
		value, err := strconv.Unquote(quoted)
		if err != nil || len(s.given) > 0 || d.describesFields(f.owner) || d.describesItself(f.typ) ||
			hasValidate(d.root) || hasValidate(f.owner) {
			return "", false
		}
		for rule := range strings.SplitSeq(value, ",") {
			switch rule {
			case "", "-", "omitempty", "omitnil", "omitzero", "dive", "structonly", "nostructlevel":
			default:
				return `the rules in a jsonschema tag, such as jsonschema:"minLength=1", or a method Validate of the input's type that asks the library`, true
			}
		}
	}
	return "", false
}

func (d *deriver) noteStray(f *field, path, key, advice string, inputOnly bool) {
	t, at := d.place(f, path)
	for _, s := range d.stray {
		if s.typ == t && s.inputOnly == inputOnly {
			if !slices.Contains(s.keys, key) {
				s.keys, s.advice = append(s.keys, key), append(s.advice, advice)
			}
			return
		}
	}
	d.stray = append(d.stray, &strayTags{typ: t, path: at, inputOnly: inputOnly, keys: []string{key}, advice: []string{advice}})
}

// warnStray makes one warning for each struct with stray tags.
func (d *deriver) warnStray() {
	for _, s := range d.stray {
		what, does := "tag ", "does"
		if len(s.keys) > 1 {
			what, does = "tags ", "do"
		}
		var advice []string
		for _, a := range s.advice {
			if !slices.Contains(advice, a) {
				advice = append(advice, a)
			}
		}
		d.warn(Warning{InputOnly: s.inputOnly, TypeError: &TypeError{
			Type: s.typ, Path: s.path,
			Reason: fmt.Sprintf("the %s%s %s nothing here", what, strings.Join(s.keys, ", "), does),
			Advice: "write " + strings.Join(advice, "; and "),
		}})
	}
}

// describesFields reports whether a struct has a hook that may say what a tag of its fields does.
func (d *deriver) describesFields(t reflect.Type) bool {
	return hasHook(t, extendHook) || hasHook(t, propertyHook) || hasHook(t, textHook)
}

// describesItself reports whether a type has a hook that may hold rules.
func (d *deriver) describesItself(t reflect.Type) bool {
	t = pointedTo(t)
	return hasHook(t, schemaHook) || hasHook(t, extendHook) || hasHook(t, aliasHook)
}

var validateType = reflect.TypeFor[interface{ Validate() error }]()

func hasValidate(t reflect.Type) bool {
	return t.Name() != "" && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer &&
		reflect.PointerTo(t).Implements(validateType)
}

// warnValidate warns of a part's method Validate, when no type around it has one that could call it. A part
// that decodes itself, or states its schema, may have seen to it.
func (d *deriver) warnValidate(t reflect.Type, path string) {
	if !d.survey || t.Name() == "" || t.PkgPath() == "" || !hasValidate(t) || d.describesItself(t) ||
		hasMethods(t, jsonMethods) || hasMethods(t, textMethods) ||
		slices.ContainsFunc(d.stack, func(outer reflect.Type) bool { return hasValidate(outer) || hasHook(outer, aliasHook) }) {
		return
	}
	reason := fmt.Sprintf("the method Validate of %s is not called", typeName(t))
	if slices.ContainsFunc(d.warnings, func(w Warning) bool { return w.Reason == reason }) {
		return // one call mends one field, and shows how to mend the others
	}
	d.warn(Warning{InputOnly: true, TypeError: &TypeError{
		Type: d.root, Path: path, Reason: reason,
		Advice: "give " + typeName(d.root) + " a method Validate that calls it",
	}})
}
