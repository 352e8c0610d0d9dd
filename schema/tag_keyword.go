package schema

import (
	stdjson "encoding/json"
	"slices"
	"strconv"
	"strings"
)

// word is a keyword that a tag may have.
type word struct {
	name    string
	kind    wordKind
	sample  string // a value of the right kind, for advice
	fits    string // the JSON types it is for, "" for all
	repeats bool   // it may be given several times
}

// wordKind is what the value of a word is, and what becomes of it.
type wordKind int

const (
	textWord     wordKind = iota // any text, which replaces what the type says
	onceWord                     // any text
	patternWord                  // a regular expression
	formatWord                   // one of ajv-formats
	countWord                    // a whole number from 0 on
	limitWord                    // a number
	boolWord                     // true or false
	defaultWord                  // a value, or an item of one
	exampleWord                  // a value, or an item of one
	enumWord                     // a value, or an item of one
	constWord                    // a value
	typeWord                     // the JSON type
	typesWord                    // JSON types
	requiredWord                 // the name of a group
	refWord                      // not for us
	openWord                     // true or false, about the struct
)

// vocabulary is what a tag may say: the words of invopop/jsonschema, and those keywords of Draft
// 2020-12 that take one value. It is a list, and not a map, because a program makes a map at every
// start.
var vocabulary = [...]word{
	{name: "title", kind: textWord, sample: "TEXT"},
	{name: "description", kind: textWord, sample: "TEXT"},
	{name: "$comment", kind: textWord, sample: "TEXT"},
	{name: "deprecated", kind: boolWord, sample: "true"},
	{name: "readOnly", kind: boolWord, sample: "true"},
	{name: "writeOnly", kind: boolWord, sample: "true"},
	{name: "default", kind: defaultWord, sample: "VALUE", repeats: true},
	{name: "example", kind: exampleWord, sample: "VALUE", repeats: true},
	{name: "enum", kind: enumWord, sample: "VALUE", repeats: true},
	{name: "const", kind: constWord, sample: "VALUE"},
	{name: "minLength", kind: countWord, sample: "1", fits: "string"},
	{name: "maxLength", kind: countWord, sample: "100", fits: "string"},
	{name: "pattern", kind: patternWord, sample: "^[a-z]+$", fits: "string"},
	{name: "format", kind: formatWord, sample: "email", fits: "string integer number"},
	{name: "contentEncoding", kind: onceWord, sample: "base64", fits: "string"},
	{name: "contentMediaType", kind: onceWord, sample: "text/html", fits: "string"},
	{name: "minimum", kind: limitWord, sample: "0", fits: "integer number"},
	{name: "maximum", kind: limitWord, sample: "100", fits: "integer number"},
	{name: "exclusiveMinimum", kind: limitWord, sample: "0", fits: "integer number"},
	{name: "exclusiveMaximum", kind: limitWord, sample: "100", fits: "integer number"},
	{name: "multipleOf", kind: limitWord, sample: "5", fits: "integer number"},
	{name: "minItems", kind: countWord, sample: "1", fits: "array"},
	{name: "maxItems", kind: countWord, sample: "100", fits: "array"},
	{name: "uniqueItems", kind: boolWord, sample: "true", fits: "array"},
	{name: "minProperties", kind: countWord, sample: "1", fits: "object"},
	{name: "maxProperties", kind: countWord, sample: "100", fits: "object"},
	{name: "type", kind: typeWord, sample: "string"},
	{name: "oneof_type", kind: typesWord, sample: "string;integer"},
	{name: "anyof_type", kind: typesWord, sample: "string;integer"},
	{name: "oneof_required", kind: requiredWord, sample: "GROUP", repeats: true},
	{name: "anyof_required", kind: requiredWord, sample: "GROUP", repeats: true},
	{name: "oneof_ref", kind: refWord},
	{name: "anyof_ref", kind: refWord},
	{name: "anchor", kind: refWord},
	{name: "additionalProperties", kind: openWord, sample: "true"},
}

// wordOf finds a word of the vocabulary.
func wordOf(name string) (word, bool) {
	for i := range vocabulary {
		if vocabulary[i].name == name {
			return vocabulary[i], true
		}
	}
	return word{}, false
}

// words lists all words of a tag, sorted.
func words() []string {
	list := make([]string, len(vocabulary), len(vocabulary)+2)
	for i := range vocabulary {
		list[i] = vocabulary[i].name
	}
	slices.Sort(list)
	return append(list, "nullable", "required")
}

// add adds a keyword to the schema.
func (t *tagger) add(name, value string) {
	about, _ := wordOf(name)
	switch about.kind {
	case textWord:
		t.addText(name, value)
	case onceWord:
		if s, ok := t.target(name); ok {
			t.set(s, name, value)
		}
	case patternWord:
		t.addPattern(name, value)
	case formatWord:
		t.addFormat(name, value)
	case countWord:
		t.addCount(name, value)
	case limitWord:
		t.addLimit(name, value)
	case boolWord:
		t.addBool(name, value)
	case defaultWord:
		t.addDefault(name, value)
	case exampleWord:
		t.addExample(name, value)
	case enumWord:
		t.addEnum(name, value)
	case constWord:
		if v, ok := t.parseValue(name, value, t.s); ok {
			t.set(t.s, name, v)
		}
	case typeWord:
		t.addType(value)
	case typesWord:
		t.addTypes(name, value)
	case requiredWord:
		keyword := map[string]string{"oneof_required": "oneOf", "anyof_required": "anyOf"}[name]
		t.groups = append(t.groups, group{keyword, value})
	case refWord:
		t.refuse(hookAdvice, "%s names a part of a document that is not written by hand", name)
	case openWord:
		t.addOpen(name, value)
	}
}

// sample gives a value of the kind that a word takes.
func sample(name string) string {
	about, _ := wordOf(name)
	return about.sample
}

// typeOf gives the JSON type of what a schema admits beside null, or "" if it is not one type.
func typeOf(s object) string {
	switch t := s["type"].(type) {
	case string:
		return t
	case []string:
		return t[0]
	}
	return ""
}

// target finds the schema that a keyword is for: the field's, or that of the items of a list.
func (t *tagger) target(name string) (object, bool) {
	k, _ := wordOf(name)
	if _, ok := t.s["$ref"]; ok {
		t.refuse("give the type a method JSONSchemaExtend(*jsonschema.Schema)",
			"%v contains itself, so its schema is shared, and %s for one field of it says nothing", t.typ, name)
		return nil, false
	}
	if k.is(typeOf(t.s)) {
		return t.s, true
	}
	if items, ok := t.s["items"].(object); ok && typeOf(t.s) == "array" && k.is(typeOf(items)) {
		return items, true
	}
	t.refuse("remove it, or change the field's type", "%s is for %s, and %v is %s in JSON",
		name, strings.Join(plurals(k.fits), " and "), t.typ, withArticle(typeOf(t.s)))
	return nil, false
}

func (k word) is(jsonType string) bool {
	for fit := range strings.SplitSeq(k.fits, " ") {
		if fit == jsonType && fit != "" {
			return true
		}
	}
	return false
}

func plurals(types string) []string {
	names := strings.Fields(types)
	for i := range names {
		names[i] += "s"
	}
	return names
}

func withArticle(jsonType string) string {
	if jsonType == "" {
		return "a value of any type"
	}
	if strings.ContainsRune("aio", rune(jsonType[0])) {
		return "an " + jsonType
	}
	return "a " + jsonType
}

// set sets a keyword that the type does not set itself.
func (t *tagger) set(s object, name string, value any) {
	if old, ok := s[name]; ok {
		t.refuse("remove it", "%v has a %s of its own, %s", t.typ, name, appendDocument(nil, old))
		return
	}
	s[name] = value
}

func (t *tagger) addText(name, value string) {
	if value == "" {
		t.refuse("remove it", "the %s is empty", name)
		return
	}
	if name == "description" && t.typ == durationType && !strings.Contains(value, "nanosecond") {
		text, stop := strings.CutSuffix(value, ".")
		value = text + " (nanoseconds)"
		if stop {
			value += "."
		}
	}
	t.s[name] = value
}

func (t *tagger) addBool(name, value string) {
	if value != "true" && value != "false" {
		t.refuse("write "+name+"=true", "%s=%s is neither true nor false", name, value)
		return
	}
	s := t.s
	if about, _ := wordOf(name); about.fits != "" {
		var ok bool
		if s, ok = t.target(name); !ok {
			return
		}
	}
	t.set(s, name, value == "true")
}

func (t *tagger) addCount(name, value string) {
	n, err := strconv.ParseUint(value, 10, 31)
	if err != nil {
		t.refuse("write "+name+"="+sample(name), "%s=%s is not a whole number from 0 on", name, value)
		return
	}
	if s, ok := t.target(name); ok {
		t.set(s, name, int(n))
	}
}

func (t *tagger) addPattern(name, value string) {
	s, ok := t.target(name)
	if !ok {
		return
	}
	if _, err := Compile(appendDocument(nil, object{"type": "string", "pattern": value})); err != nil {
		t.refuse("in a tag, write each comma of a pattern as `\\\\,` and each backslash as `\\\\`", "the pattern %q is refused: %v", value, err)
		return
	}
	t.set(s, name, value)
}

// The formats of ajv-formats.
var (
	textFormats = []string{
		"date", "time", "date-time", "iso-time", "iso-date-time", "duration", "uri", "uri-reference",
		"uri-template", "url", "email", "hostname", "ipv4", "ipv6", "regex", "uuid", "json-pointer",
		"json-pointer-uri-fragment", "relative-json-pointer", "byte", "password", "binary",
	}
	numberFormats = []string{"int32", "int64", "float", "double"}
)

func (t *tagger) addFormat(name, value string) {
	s, ok := t.target(name)
	if !ok {
		return
	}
	text := slices.Contains(textFormats, value)
	switch jsonType := typeOf(s); {
	case !text && !slices.Contains(numberFormats, value):
		advice := "the formats are " + strings.Join(textFormats, ", ")
		if near := nearest(value, textFormats); near != "" {
			advice = "write format=" + near
		}
		t.refuse(advice, "the format %q is unknown", value)
	case text != (jsonType == "string"):
		t.refuse("remove it", "the format %s is not for %s", value, strings.Join(plurals(jsonType), ""))
	default:
		t.set(s, name, value)
	}
}

func (t *tagger) addLimit(name, value string) {
	s, ok := t.target(name)
	if !ok {
		return
	}
	number, ok := parseNumber(value)
	switch {
	case !ok:
		t.refuse("write "+name+"="+sample(name), "%s=%s is not a number", name, value)
	case typeOf(s) == "integer" && !number.IsInt():
		t.refuse("write a whole number", "%s=%s is not an integer, and the values are", name, value)
	case name == "multipleOf" && number.Sign() <= 0:
		t.refuse("write "+name+"="+sample(name), "multipleOf=%s is not greater than 0", value)
	default:
		if old, ok := s[name].(stdjson.Number); ok {
			limit, _ := parseNumber(string(old))
			if order := number.Cmp(limit); name == "minimum" && order < 0 || name == "maximum" && order > 0 {
				t.refuse("write "+name+"="+string(old)+" or remove it", "%s=%s is beyond what a %v holds", name, value, t.typ)
				return
			}
		}
		s[name] = stdjson.Number(value)
	}
}

// addType takes the type that the field has, or narrows an any.
func (t *tagger) addType(value string) {
	have := typeOf(t.s)
	if have == value {
		return
	}
	if _, shared := t.s["$ref"]; have != "" || shared {
		t.refuse("change the field's type", "type=%s contradicts %v, which is %s in JSON", value, t.typ, withArticle(have))
		return
	}
	branch, ok := ofType(value)
	if !ok {
		t.refuse("write type=string", "%q is not a JSON type", value)
		return
	}
	for keyword, v := range branch {
		t.set(t.s, keyword, v)
	}
}

// ofType gives a schema of a JSON type.
func ofType(jsonType string) (object, bool) {
	switch jsonType {
	case "array":
		return object{"type": jsonType, "items": object{}}, true
	case "string", "integer", "number", "boolean", "object", "null":
		return object{"type": jsonType}, true
	}
	return nil, false
}

func (t *tagger) addTypes(name, value string) {
	if len(t.s) > 0 && typeOf(t.s) != "" {
		t.refuse("make the field's type any, or remove it", "%s lists types, and %v is %s in JSON", name, t.typ, withArticle(typeOf(t.s)))
		return
	}
	var list []object
	for jsonType := range strings.SplitSeq(value, ";") {
		branch, ok := ofType(jsonType)
		if !ok {
			t.refuse("write "+name+"=string;integer", "%s lists %q, which is not a JSON type", name, jsonType)
			return
		}
		list = append(list, branch)
	}
	t.set(t.s, map[string]string{"oneof_type": "oneOf", "anyof_type": "anyOf"}[name], list)
}

// addOpen reads what the field _ says about its struct.
func (t *tagger) addOpen(name, value string) {
	switch {
	case !t.ofStruct:
		t.refuse("write it on a field of the type's own: _ struct{} `json:\"-\" jsonschema:\"additionalProperties=true\"`",
			"%s=%s is for the struct, not for one of its fields", name, value)
	case value != "true":
		t.refuse("remove it", "%s=%s says nothing new: a struct is closed", name, value)
	default:
		delete(t.s, "additionalProperties")
	}
}
