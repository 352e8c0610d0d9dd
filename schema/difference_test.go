package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/kindgi/kindgi-go/schema"
)

// differences are all the ways in which this package is known not to say what Ajv says. In each, Ajv
// contradicts exact arithmetic or Draft 2020-12 itself, or does in one step what a pack service does in
// two; or what it takes could not be checked in linear time.
var differences = []struct {
	why           string
	schema, value string
	valid         bool // here
	ajv           bool
}{
	{"a multiple is exact", `{"type":"number","multipleOf":0.01}`, `0.07`, true, false},
	{"a multiple is exact", `{"type":"number","multipleOf":0.1}`, `0.3`, true, false},
	{"a multiple is exact, also of large numbers", `{"type":"number","multipleOf":3}`, `1e20`, false, true},
	{"a multiple is exact, also of numbers that JavaScript prints with an exponent", `{"type":"number","multipleOf":0.5}`, `1e300`, true, false},
	{"integers are exact beyond 2^53", `{"type":"integer","maximum":9007199254740992}`, `9007199254740993`, false, true},
	{"integers are exact beyond 2^53", `{"const":9007199254740992}`, `9007199254740993`, false, true},
	{"integers are exact beyond 2^53", `{"type":"array","uniqueItems":true}`, `[9007199254740992,9007199254740993]`, true, false},
	{"fractions are exact", `{"type":"integer"}`, `1.00000000000000000001`, false, true},
	{"fractions are exact", `{"type":"number","exclusiveMinimum":0.1}`, `0.1000000000000000000001`, true, false},
	{"fractions of a second are exact", `{"type":"string","format":"time"}`, `"10:00:59.99999999999999999999Z"`, true, false},
	{"JavaScript's own properties are no members", `{"type":"object","properties":{"toString":{}},"required":["toString"]}`, `{}`, false, true},
	{"contains evaluates only the items that match", `{"type":"array","contains":{"type":"integer"},"unevaluatedItems":false}`, `[1,"a"]`, false, true},
	{"a branch that evaluates nothing leaves the items unevaluated", `{"type":"array","anyOf":[{"type":"array","prefixItems":[{"const":1}],"minItems":1,"maxItems":1},true],"unevaluatedItems":false}`, `[2]`, false, true},
	{"a dynamic reference leads to the anchor that it names", `{"type":"object","properties":{"x":{"$dynamicRef":"#node"}},"$defs":{"n":{"$dynamicAnchor":"node","type":"string"}}}`, `{"x":"text"}`, true, false},
	{"a dependent schema that does not apply takes nothing away", `{"type":"object","properties":{"a":{},"b":{}},"dependentSchemas":{"b":{"type":"object","properties":{"c":{}}}},"unevaluatedProperties":false}`, `{"a":1}`, true, false},
	{"nor does a condition that is not met", `{"type":"object","allOf":[{"type":"object","properties":{"a":{}}}],"if":{"type":"object","minProperties":2},"then":{"type":"object","properties":{"b":{}}},"unevaluatedProperties":false}`, `{"a":1}`, true, false},
	{"nor does the first of several branches", `{"type":"object","$ref":"#/$defs/x","anyOf":[{"type":"object","properties":{"b":{}},"required":["b"]},{"type":"object","minProperties":1}],"unevaluatedProperties":false,"$defs":{"x":{"type":"object","properties":{"a":{}}}}}`, `{"a":1}`, true, false},
	{"an empty name can be missing", `{"type":"object","not":{"type":"object","properties":{"":{}},"required":[""]}}`, `{}`, true, false},
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, d := range differences {
		s, err := schema.Compile([]byte(d.schema))
		if err != nil {
			t.Errorf("%s: %v", d.schema, err)
			continue
		}
		issues, err := s.Validate([]byte(d.value))
		if err != nil || (len(issues) == 0) != d.valid {
			t.Errorf("%s: %s, %s: valid should be %v: %v %v", d.why, d.schema, d.value, d.valid, issues, err)
		}
		if d.valid == d.ajv {
			t.Errorf("%s: no difference", d.why)
		}
	}
}

// TestDifferencesAreAjvs asks Ajv whether they are differences still.
func TestDifferencesAreAjvs(t *testing.T) {
	t.Parallel()
	var questions []any
	for _, d := range differences {
		questions = append(questions, map[string]any{"schema": json.RawMessage(d.schema), "side": "output", "values": []string{d.value}})
	}
	for i, answer := range askAjv(t, questions) {
		d := differences[i]
		if !answer.Compiled || len(answer.Results) != 1 {
			t.Errorf("%s: Ajv refuses %s", d.why, d.schema)
			continue
		}
		if valid := string(answer.Results[0][2]) == "[]"; valid != d.ajv {
			t.Errorf("%s: %s, %s: Ajv says %v", d.why, d.schema, d.value, valid)
		}
	}
}

// Some schemas that Ajv compiles are refused, with advice.
func TestRefusedThoughAjvCompiles(t *testing.T) {
	t.Parallel()
	var questions []any
	for _, c := range []struct{ schema, reason string }{
		{`{"type":"string","pattern":"a(?=b)"}`, `schema at /pattern: pattern "a(?=b)": a lookahead cannot be checked in linear time; write the pattern without it, or check that part in the type's own validation`},
		{`{"type":"string","pattern":"(?<!a)b"}`, `schema at /pattern: pattern "(?<!a)b": a lookbehind cannot be checked in linear time; write the pattern without it, or check that part in the type's own validation`},
		{`{"type":"string","pattern":"(a)\\1"}`, `schema at /pattern: pattern "(a)\\1": a back-reference cannot be checked in linear time; spell out what may follow`},
		{`{"type":"object","patternProperties":{"\\p{Emoji}":{}}}`, `schema at /patternProperties/\p{Emoji}: pattern "\\p{Emoji}": unknown or unsupported property \p{Emoji}; list the characters instead`},
		{`{"type":"integer","if":{"type":"integer","minimum":1},"then":{"$ref":"#"}}`, `schema at its root: the schema applies itself to the same value without end`},
	} {
		_, err := schema.Compile([]byte(c.schema))
		if err == nil || err.Error() != c.reason {
			t.Errorf("%s: %v", c.schema, err)
		}
		questions = append(questions, map[string]any{"schema": json.RawMessage(c.schema), "side": "output", "values": []string{}})
	}
	for i, answer := range askAjv(t, questions) {
		if !answer.Compiled {
			t.Errorf("Ajv refuses case %d too", i)
		}
	}
}

// Strict mode refuses some schemas that Ajv compiles: keywords of another draft, and functions that answer
// later.
func TestStricterThanAjv(t *testing.T) {
	t.Parallel()
	var questions []any
	for _, c := range []struct{ schema, reason string }{
		{`{"type":"object","properties":{"a":{"$recursiveRef":"#"}}}`, `schema at /properties/a/$recursiveRef: $recursiveRef is of Draft 2019-09; use $dynamicAnchor and $dynamicRef`},
		{`{"$async":true,"type":"string"}`, `schema at /$async: asynchronous schemas are not supported; remove $async`},
	} {
		if err := mustCompile(t, c.schema).Strict(); err == nil || err.Error() != c.reason {
			t.Errorf("%s: %v", c.schema, err)
		}
		questions = append(questions, map[string]any{"schema": json.RawMessage(c.schema), "side": "output", "values": []string{}})
	}
	for i, answer := range askAjv(t, questions) {
		if !answer.Compiled {
			t.Errorf("Ajv refuses case %d too", i)
		}
	}
}
