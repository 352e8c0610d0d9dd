package schema

import (
	stdjson "encoding/json"
	"maps"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func isJSON(text string) bool { return jsontext.Value(text).IsValid() }

// isCutJSON reports whether the word of a tag may be the first part of a JSON value that has commas.
func (t *tagger) isCutJSON(word, value string) bool {
	switch name, _, _ := strings.Cut(word, "="); name {
	case "default", "example", "const", "enum":
		text := typeOf(t.s) == "string"
		return !text && value != "" && strings.ContainsRune("[{\"", rune(value[0])) && !isJSON(value)
	}
	return false
}

// parseNumber reads a JSON number exactly, if it is within float64's range.
func parseNumber(text string) (*big.Rat, bool) {
	value := jsontext.Value(text)
	if value.Kind() != '0' || !value.IsValid() {
		return nil, false
	}
	if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) {
		return nil, false
	}
	if len(text) > 400 {
		return nil, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return new(big.Rat).SetInt64(n), true
	}
	return new(big.Rat).SetString(text)
}

// parseValue reads a value for a schema: any text for a string, JSON for all else.
func (t *tagger) parseValue(name, text string, s object) (any, bool) {
	jsonType := typeOf(s)
	if jsonType == "string" {
		return text, true
	}
	value := jsontext.Value(text)
	ok := value.IsValid()
	switch {
	case !ok:
	case jsonType == "integer":
		ok = value.Kind() == '0' && isInteger(value)
	case jsonType == "number":
		ok = value.Kind() == '0'
	case jsonType == "boolean":
		ok = value.Kind() == 't' || value.Kind() == 'f'
	case jsonType == "array":
		ok = value.Kind() == '['
	case jsonType == "object":
		ok = value.Kind() == '{'
	}
	if ok {
		return value, true
	}
	want, sample := "JSON", `\"text\"`
	if jsonType != "" {
		want = withArticle(jsonType)
		sample = map[string]string{"integer": "3", "number": "0.5", "boolean": "true", "array": "[]", "object": "{}"}[jsonType]
	}
	if text == "null" && name == "default" {
		t.refuse(noNullDefault, "default=null is not %s", want)
		return nil, false
	}
	if jsonType == "" && isJSON(strconv.Quote(text)) {
		sample = `\"` + text + `\"`
	}
	t.refuse("write "+name+"="+sample, "%s=%s is not %s", name, text, want)
	return nil, false
}

// noNullDefault is what to write instead of a default of null.
const noNullDefault = "write nullable, with omitempty in the json tag, instead: a pointer is nil when its member is null or not there"

// addDefault takes the default whole, or, of a list, item by item.
func (t *tagger) addDefault(name, value string) {
	items, list := t.s["items"].(object)
	old, again := t.s["default"]
	if list && !strings.HasPrefix(value, "[") {
		item, ok := t.parseValue(name, value, items)
		if !ok {
			return
		}
		whole, ok := old.([]any)
		if again && !ok {
			t.refuse("keep one of them", "the default is given whole and item by item")
			return
		}
		t.s["default"] = append(whole, item)
		return
	}
	if again {
		t.refuse("keep one of them", "default is given twice")
		return
	}
	if v, ok := t.parseValue(name, value, t.s); ok {
		t.s["default"] = v
	}
}

// addExample takes an example of the field, or of an item of a list.
func (t *tagger) addExample(name, value string) {
	s := t.s
	if items, ok := s["items"].(object); ok && !strings.HasPrefix(value, "[") {
		s = items
	}
	if v, ok := t.parseValue(name, value, s); ok {
		list, _ := s["examples"].([]any)
		s["examples"] = append(list, v)
	}
}

// addEnum takes one of the values that the field, or each item of a list, may have.
func (t *tagger) addEnum(name, value string) {
	s := t.s
	if items, ok := s["items"].(object); ok {
		s = items
	}
	v, ok := t.parseValue(name, value, s)
	if !ok {
		return
	}
	list, _ := s["enum"].([]any)
	text := string(appendDocument(nil, v))
	for _, other := range list {
		if string(appendDocument(nil, other)) == text {
			t.refuse("keep one of them", "enum lists %s twice", text)
			return
		}
	}
	s["enum"] = append(list, v)
}

// check looks for limits that leave nothing between them, and notes the values that the schema itself
// has to admit.
func (t *tagger) check() {
	schemas := []object{t.s}
	if items, ok := t.s["items"].(object); ok {
		schemas = append(schemas, items)
	}
	for i, s := range schemas {
		if len(t.given) == 0 {
			break
		}
		for _, unit := range []string{"Length", "Items", "Properties"} {
			low, isLow := s["min"+unit].(int)
			high, isHigh := s["max"+unit].(int)
			if isLow && isHigh && low > high {
				t.refuse("swap them", "nothing has min%s=%d and max%s=%d", unit, low, unit, high)
			}
		}
		t.checkLimits(s)
		typ := t.typ
		if i == 1 {
			if k := typ.Kind(); k == reflect.Slice || k == reflect.Array {
				typ = typ.Elem()
			} else {
				typ = anyType // the items of what an any or a hook says is a list
			}
		}
		if isIntegerKind(typ.Kind()) && typeOf(s) == "string" {
			typ = nil
		}
		t.note(s, typ)
	}
}

func (t *tagger) checkLimits(s object) {
	for _, low := range []string{"minimum", "exclusiveMinimum"} {
		for _, high := range []string{"maximum", "exclusiveMaximum"} {
			if !t.given[low] && !t.given[high] {
				continue
			}
			a, isLow := s[low].(stdjson.Number)
			b, isHigh := s[high].(stdjson.Number)
			if !isLow || !isHigh {
				continue
			}
			x, _ := parseNumber(string(a))
			y, _ := parseNumber(string(b))
			if order := x.Cmp(y); order > 0 || order == 0 && (low != "minimum" || high != "maximum") {
				t.refuse("change one of them", "nothing has %s=%s and %s=%s", low, a, high, b)
			}
		}
	}
}

// note notes the default, the examples and the listed values of a schema, to be checked by it.
func (t *tagger) note(s object, typ reflect.Type) {
	if !t.given["default"] && !t.given["example"] && !t.given["enum"] && !t.given["const"] {
		return
	}
	bare := object(maps.Clone(s))
	for _, name := range []string{"default", "examples"} {
		delete(bare, name)
	}
	if v, ok := s["default"]; ok && t.given["default"] {
		t.d.checks = append(t.d.checks, valueCheck{t.path, "default", v, bare, typ})
	}
	if list, ok := s["examples"].([]any); ok && t.given["example"] {
		for _, v := range list {
			t.d.checks = append(t.d.checks, valueCheck{t.path, "example", v, bare, typ})
		}
	}
	others := object(maps.Clone(bare))
	delete(others, "enum")
	delete(others, "const")
	if list, ok := s["enum"].([]any); ok && t.given["enum"] {
		for _, v := range list {
			t.d.checks = append(t.d.checks, valueCheck{t.path, "enum", v, others, typ})
		}
	}
	if v, ok := s["const"]; ok && t.given["const"] {
		t.d.checks = append(t.d.checks, valueCheck{t.path, "const", v, others, typ})
	}
}

// valueCheck is a value in a schema that the rest of that schema has to admit.
type valueCheck struct {
	path, keyword string
	value         any
	schema        object
	typ           reflect.Type // what the value has to decode into, nil for a number in a string
}

func (d *deriver) runChecks() {
	var s *Schema
	var err error
	var compiled uintptr // the schema that s is of
	for _, c := range d.checks {
		if c.isMetByAnyText() {
			continue
		}
		// The values of one enum have one schema.
		if at := reflect.ValueOf(c.schema).Pointer(); at != compiled {
			compiled = at
			if len(d.defs) > 0 {
				c.schema["$defs"] = d.defs
			}
			s, err = Compile(appendDocument(nil, c.schema))
		}
		text := appendDocument(nil, c.value)
		why := ""
		if err != nil {
			why = err.Error()
		} else {
			why = c.refusal(s, text)
		}
		if why != "" {
			d.refuse(c.path, "change the value, or what refuses it", "the schema refuses its own %s, %s: %s", c.keyword, text, why)
		}
	}
}

// isMetByAnyText reports whether the check is of a text that only has to be one: there is nothing to try.
func (c *valueCheck) isMetByAnyText() bool {
	_, isText := c.value.(string)
	if !isText || c.typ == nil || c.typ.Kind() != reflect.String || hasMethods(c.typ, jsonMethods) || hasMethods(c.typ, textMethods) {
		return false
	}
	for keyword, v := range c.schema {
		if keyword != "title" && keyword != "description" && (keyword != "type" || v != "string") {
			return false
		}
	}
	return true
}

// refusal says why the schema of a check refuses a value, or "".
func (c *valueCheck) refusal(s *Schema, text []byte) string {
	text, err := s.FillDefaults(text)
	if err != nil {
		return err.Error()
	}
	issues, err := s.Validate(text)
	if err != nil {
		return err.Error()
	}
	if len(issues) == 0 && c.typ != nil {
		if err := Unmarshal(text, reflect.New(c.typ).Interface()); err != nil {
			issues = Issues(err)
		}
	}
	if len(issues) == 0 {
		return ""
	}
	if issues[0].InstancePath == "" {
		return issues[0].Message
	}
	return issues[0].InstancePath + " " + issues[0].Message
}
