package schema_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/schema"
)

// patience is far more than any of these take on a slow machine, and far less than the quadratic or
// exponential time that each would take without its bound.
const patience = time.Minute

// nested wraps inner in n levels.
func nested(n int, open, inner, shut string) []byte {
	return []byte(strings.Repeat(open, n) + inner + strings.Repeat(shut, n))
}

// TestLinear gives schemas that apply themselves to values as deep, as wide or as repetitive as can be.
func TestLinear(t *testing.T) {
	t.Parallel()
	wide := func(n int, item func(i int) string) []byte {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return []byte("[" + strings.Join(items, ",") + "]")
	}
	for _, c := range []struct {
		name, schema string
		value        []byte
		valid        bool
	}{
		{"deep", `{"properties":{"a":{"$ref":"#"}}}`, nested(9999, `{"a":`, `1`, `}`), true},
		{"one bad leaf", `{"type":["object","integer"],"properties":{"a":{"$ref":"#"}}}`, nested(9000, `{"a":`, `"x"`, `}`), false},
		{"branches", `{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#"}},"required":["b"]},{"type":"object","properties":{"a":{"$ref":"#"}}},{"type":"integer"}]}`, nested(9000, `{"a":`, `1`, `}`), true},
		{"branches, bad leaf", `{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#"}},"required":["b"]},{"type":"object","properties":{"a":{"$ref":"#"}}},{"type":"integer"}]}`, nested(9000, `{"a":`, `"x"`, `}`), false},
		{"exactly one branch", `{"oneOf":[{"type":"array","items":{"$ref":"#"},"maxItems":1},{"type":"array","items":{"$ref":"#"},"minItems":2},{"type":"integer"}]}`, nested(9000, `[`, `1`, `]`), true},
		{"conditions", `{"if":{"type":"array","items":{"$ref":"#"}},"then":{"items":{"$ref":"#"}},"else":{"type":"integer"}}`, nested(9000, `[`, `1`, `]`), true},
		{"nothing but negations", `{"not":{"type":"object","properties":{"a":{"$ref":"#"}}}}`, nested(9000, `{"a":`, `"`+strings.Repeat("x", 4<<20)+`"`, `}`), true},
		{"contains alone", `{"type":["array","string"],"contains":{"$ref":"#"},"minContains":2}`, nested(9000, `[`, `"`+strings.Repeat("x", 4<<20)+`"`, `]`), false},
		{"negations", `{"type":["array","integer"],"not":{"type":"array","items":{"$ref":"#"},"minItems":2},"items":{"$ref":"#"}}`, nested(9000, `[`, `1`, `]`), true},
		{"shallow questions about deep values", `{"allOf":[{"maxItems":2},{"minItems":1}],"items":{"$ref":"#"}}`, nested(9999, `[`, `1`, `]`), true},
		{"unevaluated", `{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"required":["b"]}],"unevaluatedProperties":false}`, nested(9000, `{"a":`, `1`, `}`), true},
		{"unevaluated items", `{"anyOf":[{"prefixItems":[{"$ref":"#"}]},{"minItems":3}],"unevaluatedItems":false}`, nested(9000, `[`, `1`, `]`), true},
		{"unique at every level", `{"uniqueItems":true,"items":{"$ref":"#"}}`, nested(9000, `[1,2,3,4,5,6,7,8,9,10,`, `0`, `]`), true},
		{"unique pairs at every level", `{"uniqueItems":true,"items":{"$ref":"#"}}`, nested(9000, `[1,`, `1`, `]`), false},
		{"many unique", `{"uniqueItems":true}`, wide(200_000, func(i int) string { return fmt.Sprint(i) }), true},
		{"many unique objects", `{"uniqueItems":true}`, wide(50_000, func(i int) string { return fmt.Sprintf(`{"a":{"b":[%d]},"c":"x"}`, i) }), true},
		{"two equal at the ends", `{"type":"array","uniqueItems":true}`, wide(100_000, func(i int) string { return fmt.Sprint(i % 99_999) }), false},
		{"contains below contains", `{"contains":{"$ref":"#"},"items":{"$ref":"#"}}`, nested(5000, `[`, `1`, `]`), true},
		{"patterns that overlap", `{"patternProperties":{"a":{"$ref":"#"},"^a":{"$ref":"#"},"a$":{"$ref":"#"}}}`, nested(9000, `{"a":`, `1`, `}`), true},
		{"dependent schemas", `{"dependentSchemas":{"a":{"properties":{"a":{"$ref":"#"}}}},"properties":{"a":{"$ref":"#"}}}`, nested(9000, `{"a":`, `1`, `}`), true},
		{"references that double", doubling(24), nested(50, `[`, `1`, `]`), true},
		{"a long pattern", `{"pattern":"^(?:a+)+$"}`, []byte(`"` + strings.Repeat("a", 100_000) + `b"`), false},
		{"long names", `{"propertyNames":{"maxLength":3}}`, []byte(`{"` + strings.Repeat("x", 1_000_000) + `":1}`), false},
		{"a long number", `{"multipleOf":0.7,"minimum":1}`, []byte("1." + strings.Repeat("3", 998)), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := mustCompile(t, c.schema)
			start := time.Now()
			issues, err := s.Validate(c.value)
			if err != nil || (len(issues) == 0) != c.valid {
				t.Errorf("valid should be %v: %d issues, %v", c.valid, len(issues), err)
			}
			if took := time.Since(start); took > patience {
				t.Errorf("took %v", took)
			}
			size := 0
			for _, i := range issues {
				size += len(i.InstancePath) + len(i.SchemaPath) + len(i.Message) + len(i.Params) + len(i.PropertyName)
			}
			if len(issues) > 101 || size > 300_000 {
				t.Errorf("%d issues of %d bytes", len(issues), size)
			}
			start = time.Now()
			if _, err := s.FillDefaults(c.value); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > patience {
				t.Errorf("filling took %v", took)
			}
		})
	}
}

// doubling gives a schema whose definitions each apply the next twice.
func doubling(n int) string {
	var defs strings.Builder
	for i := range n {
		fmt.Fprintf(&defs, `"d%d":{"allOf":[{"items":{"$ref":"#/$defs/d%d"}},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s"d%d":{}}}`, defs.String(), n)
}

// TestManyIssues says that there are more issues when not all are listed.
func TestManyIssues(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"type":"array","items":{"type":"integer"}}`)
	issues, err := s.Validate([]byte(`["a"` + strings.Repeat(`,"a"`, 249) + `]`))
	if err != nil || len(issues) != 101 {
		t.Fatalf("%d issues, %v", len(issues), err)
	}
	last := issues[100]
	if last.Keyword != "" || last.InstancePath != "" || last.Message != "has 150 more issues than are listed here" {
		t.Errorf("%+v", last)
	}

	// Every level of 52 KB is wrong: the issues stay far below what naming every level would take.
	s = mustCompile(t, `{"type":"object","properties":{"a":{"$ref":"#"}},"required":["b"],"additionalProperties":false}`)
	issues, err = s.Validate(nested(9000, `{"a":`, `1`, `}`))
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, i := range issues {
		size += len(i.InstancePath) + len(i.Message)
	}
	last = issues[len(issues)-1]
	if size > 300_000 || last.Message != "has more than 1000 more issues than are listed here" {
		t.Errorf("%d issues of %d bytes, the last says %q", len(issues), size, last.Message)
	}
}

// TestExactlyAsManyIssuesAsAreListed has no last issue that says that there are more.
func TestExactlyAsManyIssuesAsAreListed(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"type":"array","items":{"type":"integer"}}`)
	issues, err := s.Validate([]byte(`["a"` + strings.Repeat(`,"a"`, 99) + `]`))
	if err != nil || len(issues) != 100 || issues[99].InstancePath != "/99" {
		t.Errorf("%d issues, %v", len(issues), err)
	}
}

// TestMemoryOfAMillionWrongItems bounds what explaining a large value takes by its size, not by how much
// is wrong with it.
func TestMemoryOfAMillionWrongItems(t *testing.T) {
	s := mustCompile(t, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}}`)
	value := []byte("[{}" + strings.Repeat(",{}", 999_999) + "]")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	issues, err := s.Validate(value)
	runtime.ReadMemStats(&after)
	if err != nil || len(issues) != 101 {
		t.Fatalf("%d issues, %v", len(issues), err)
	}
	// Where each container ends are two machine words of each.
	const most = 20
	if perByte := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(value)); perByte > most {
		t.Errorf("%.0f bytes per byte of the value, want %d at most", perByte, most)
	}
}

func TestThousandSchemas(t *testing.T) {
	t.Parallel()
	start := time.Now()
	for i := range 1000 {
		s := mustCompile(t, strings.Replace(orderSchema, "KG-", fmt.Sprintf("K%d-", i), 1))
		if err := s.Strict(); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(start); took > patience {
		t.Errorf("took %v", took)
	}
}

// TestEndless refuses what would not end.
func TestEndless(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		`{"$ref":"#"}`,
		`{"allOf":[{"$ref":"#"}]}`,
		`{"anyOf":[{"type":"string"},{"not":{"$ref":"#/$defs/a"}}],"$defs":{"a":{"oneOf":[{"$ref":"#"}]}}}`,
		`{"if":{"$ref":"#"}}`,
		`{"dependentSchemas":{"a":{"$ref":"#"}}}`,
		`{"$dynamicAnchor":"x","$dynamicRef":"#x"}`,
	} {
		if _, err := schema.Compile([]byte(document)); err == nil || !strings.Contains(err.Error(), "without end") {
			t.Errorf("%s: %v", document, err)
		}
	}
}

// TestDeepInPlace bounds how deep the stack gets: as deep as the value, times the subschemas that apply to each
// level.
func TestDeepInPlace(t *testing.T) {
	t.Parallel()
	chain := func(n int, open, shut string) string {
		return string(nested(n, open, `{"type":"object","properties":{"a":{"$ref":"#"},"d":{"default":1}},"required":["a"]}`, shut))
	}
	for _, c := range []struct{ open, shut string }{
		{`{"allOf":[`, `]}`}, {`{"if":{"type":"object"},"then":`, `}`},
	} {
		s := mustCompile(t, chain(60, c.open, c.shut))
		value := nested(9990, `{"a":`, `1`, `}`)
		if _, err := s.Validate(value); err != nil {
			t.Error(err)
		}
		_, _ = s.FillDefaults(value) // which may be too much work, and must end
		if _, err := schema.Compile([]byte(chain(2000, c.open, c.shut))); err == nil || !strings.Contains(err.Error(), "have at most 64") {
			t.Errorf("%s: %v", c.open, err)
		}
	}
	// A schema that does not contain itself may have as long a chain as it likes.
	mustCompile(t, string(nested(2000, `{"allOf":[`, `{"type":"integer"}`, `]}`)))
}

// TestDeepDocument compiles documents as deep as JSON may be.
func TestDeepDocument(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, string(nested(4999, `{"items":`, `{"type":"integer"}`, `}`)))
	issues, err := s.Validate(nested(4999, `[`, `"x"`, `]`))
	if err != nil || len(issues) != 1 {
		t.Errorf("%d issues, %v", len(issues), err)
	}
	if err := s.Strict(); err == nil {
		t.Error("items without a type are strict")
	}
	s = mustCompile(t, string(nested(4000, `{"properties":{"a":`, `{"default":1}`, `}}`)))
	filled, err := s.FillDefaults(nested(3999, `{"a":`, `{}`, `}`))
	if err != nil || !strings.Contains(string(filled), `{"a":1}`) {
		t.Error(err)
	}
}

// TestFillingIsBounded fills defaults at every level of deep values: in one pass where one subschema does,
// and within a bound where several fill the same object.
func TestFillingIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, schema string
		value        []byte
		done         bool
	}{
		{"one subschema", `{"type":"object","properties":{"a":{"$ref":"#"},"d":{"default":1}}}`, nested(9000, `{"a":`, `{}`, `}`), true},
		{"two subschemas", `{"type":"object","properties":{"a":{"$ref":"#"},"d":{"default":1}},"allOf":[{"properties":{"e":{"default":2}}}]}`, nested(100, `{"a":`, `{}`, `}`), true},
		{"two subschemas, too deep", `{"type":"object","properties":{"a":{"$ref":"#"},"d":{"default":1}},"allOf":[{"properties":{"e":{"default":2}}}]}`, nested(9000, `{"a":`, `{"x":"`+strings.Repeat("x", 1<<20)+`"}`, `}`), false},
		{"twice each level", `{"type":"object","properties":{"a":{"$ref":"#/$defs/b"},"d":{"default":1}},"$defs":{"b":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, nested(9000, `{"a":`, `{}`, `}`), false},
		{"a condition at each level", `{"type":"object","properties":{"a":{"$ref":"#"}},"if":{"required":["a"]},"then":{"properties":{"d":{"default":1}}}}`, nested(9000, `{"a":`, `{}`, `}`), false},
		{"wide", `{"type":"array","items":{"type":"object","properties":{"d":{"default":"` + strings.Repeat("x", 100) + `"}}}}`, []byte("[{}" + strings.Repeat(",{}", 200_000) + "]"), true},
		{"wide, large defaults", `{"type":"array","items":{"type":"object","properties":{"d":{"default":"` + strings.Repeat("x", 10_000) + `"}}}}`, []byte("[{}" + strings.Repeat(",{}", 200_000) + "]"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := mustCompile(t, c.schema)
			start := time.Now()
			filled, err := s.FillDefaults(c.value)
			if (err == nil) != c.done {
				t.Errorf("%v", err)
			}
			if err == nil && len(filled) <= len(c.value) {
				t.Error("nothing was filled in")
			}
			if took := time.Since(start); took > patience {
				t.Errorf("took %v", took)
			}
		})
	}
	// Defaults that contain themselves are found when the schema is compiled, and refused when needed.
	s := mustCompile(t, `{"type":"object","properties":{"a":{"$ref":"#/$defs/d","default":{}}},"$defs":{"d":{"type":"object","properties":{"b":{"default":{},"$ref":"#/$defs/d"}}}}}`)
	if filled, err := s.FillDefaults([]byte(`{}`)); err == nil || err.Error() != `schema at /$defs/d/properties/b: the default contains itself without end` {
		t.Errorf("%s %v", filled, err)
	}
}
