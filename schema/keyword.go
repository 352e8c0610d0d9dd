package schema

import (
	"slices"
	"strings"
)

// isAnchorName reports whether a text is [A-Za-z_][-A-Za-z0-9._]*, as the metaschema asks of an anchor.
func isAnchorName(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case isAlpha(c) || c == '_':
		case i > 0 && (isDigit(c) || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return text != ""
}

var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// checkKeywords holds one subschema against the metaschema of Draft 2020-12.
func (l *library) checkKeywords(v *value, path *trail) {
	if v.kind == kindBoolean {
		return
	}
	if v.kind != kindObject {
		l.problem(path, "%s is not a schema: an object or a boolean", v.show())
		return
	}
	for _, m := range v.members {
		if wanted := keywordWants(m.name, m.value); wanted != "" {
			l.problem(path.to(m.name), "%s is not %s", m.value.show(), wanted)
		}
	}
}

// keywordWants says what a keyword's value must be, when it is not; "" when it is.
func keywordWants(keyword string, v *value) string {
	is := func(ok bool, wanted string) string {
		if ok {
			return ""
		}
		return wanted
	}
	switch keyword {
	case "$id":
		hash := strings.IndexByte(v.text, '#')
		return is(v.kind == kindString && (hash < 0 || hash == len(v.text)-1), "a URI reference without a fragment")
	case "$schema", "$ref", "$dynamicRef", "$comment", "title", "description", "format", "pattern", "contentEncoding", "contentMediaType",
		"$recursiveRef":
		return is(v.kind == kindString, "a string")
	case "$anchor", "$dynamicAnchor", "$recursiveAnchor":
		return is(v.kind == kindString && isAnchorName(v.text), "a name of letters, digits, '-', '_' and '.'")
	case "$vocabulary":
		return is(v.kind == kindObject && !slices.ContainsFunc(v.members, func(m member) bool { return m.value.kind != kindBoolean }), "an object of booleans")
	case "type":
		return is(isTypes(v), "one of array, boolean, integer, null, number, object, string, or an array of different ones")
	case "enum", "examples":
		return is(v.kind == kindArray, "an array")
	case "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum":
		return is(v.kind == kindNumber, "a number")
	case "multipleOf":
		return is(v.kind == kindNumber && compareNumbers(v.raw, []byte("0")) > 0, "a number above 0")
	case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties", "maxContains", "minContains":
		return is(isCount(v), "an integer of 0 or more")
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		return is(v.kind == kindBoolean, "a boolean")
	case "required":
		return is(isStrings(v), "an array of different strings")
	case "dependentRequired":
		return is(v.kind == kindObject && !slices.ContainsFunc(v.members, func(m member) bool { return !isStrings(m.value) }), "an object of arrays of different strings")
	case "dependencies":
		return is(v.kind == kindObject && !slices.ContainsFunc(v.members, func(m member) bool { return m.value.kind == kindArray && !isStrings(m.value) }), "an object of schemas or arrays of different strings")
	}
	switch {
	case contains(schemaLists, keyword):
		return is(v.kind == kindArray && len(v.items) > 0, "an array of at least one schema")
	case contains(schemaTables, keyword):
		return is(v.kind == kindObject, "an object of schemas")
	}
	return ""
}

func isTypes(v *value) bool {
	if v.kind == kindString {
		return contains(typeNames, v.text)
	}
	return v.kind == kindArray && len(v.items) > 0 && isStrings(v) &&
		!slices.ContainsFunc(v.items, func(t *value) bool { return !contains(typeNames, t.text) })
}

// isStrings reports whether v is an array of strings, none twice.
func isStrings(v *value) bool {
	if v.kind != kindArray {
		return false
	}
	if len(v.items) <= 8 { // without a map
		for i, item := range v.items {
			if item.kind != kindString || slices.ContainsFunc(v.items[:i], func(other *value) bool { return other.text == item.text }) {
				return false
			}
		}
		return true
	}
	seen := make(map[string]bool, len(v.items))
	for _, item := range v.items {
		if item.kind != kindString || seen[item.text] {
			return false
		}
		seen[item.text] = true
	}
	return true
}

func isCount(v *value) bool {
	if v.kind != kindNumber {
		return false
	}
	d := readDecimal(v.raw)
	return d.isInteger() && (!d.negative || d.zero())
}

// count reads a value that isCount; one past what a text can hold is as good as the largest int.
func count(v *value) int {
	const most = 1 << 40
	d := readDecimal(v.raw)
	if d.digits != nil || d.compare(&decimal{mantissa: most}) >= 0 {
		return most
	}
	n := d.mantissa
	for range d.exponent {
		n *= 10
	}
	return int(n)
}
