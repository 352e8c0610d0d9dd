package schema_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// FuzzCompile compiles whatever it is given, and holds what is refused against the draft's metaschema,
// itself compiled.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		orderSchema, `true`, `{"$ref":"#/$defs/a","$defs":{"a":{"$anchor":"b","type":["string","null"]}}}`, `{"type":"x"}`, `{"allOf":[]}`,
		`{"$id":"http://a.b/c","$dynamicAnchor":"d","items":{"$dynamicRef":"#d"}}`, `{"pattern":"(?=a)"}`, `{"required":["a","a"]}`, `{"minLength":1.0,"maxLength":-1}`, `{"$id":"a b"}`, `{"pattern":"\\Z"}`, `{"pattern":"a\\z"}`,
	} {
		f.Add([]byte(seed))
	}
	meta := mustCompile(f, `{"$ref":"https://json-schema.org/draft/2020-12/schema"}`)
	f.Fuzz(func(t *testing.T, document []byte) {
		s, err := schema.Compile(document)
		issues, notJSON := meta.Validate(document)
		// To the draft, the formats in the metaschema are annotations.
		issues = slices.DeleteFunc(issues, func(i protocol.Issue) bool { return i.Keyword == "format" })
		if err == nil {
			if notJSON != nil || len(issues) > 0 {
				t.Fatalf("%s compiles, but the metaschema says %v %v", document, issues, notJSON)
			}
			if err := s.Strict(); err != nil && err.Error() == "" {
				t.Fatal("a reason without words")
			}
			if !jsontext.Value(s.JSON()).IsValid() {
				t.Fatalf("%s", s.JSON())
			}
			if _, err := s.Validate(document); err != nil {
				t.Fatal(err)
			}
			if _, err := s.FillDefaults(document); err != nil && !strings.Contains(err.Error(), "default") {
				t.Fatal(err)
			}
			return
		}
		if notJSON == nil && len(issues) == 0 && !strings.ContainsAny(err.Error(), "\"") && !strings.Contains(err.Error(), "without end") {
			t.Fatalf("%s: %v, but the metaschema admits it", document, err)
		}
	})
}

// FuzzIssues maps whatever it is given to issues, for every recorded schema: always the same issues, each
// with a place, a reason and parameters that are JSON.
func FuzzIssues(f *testing.F) {
	var schemas []*schema.Schema
	for _, r := range readRecorded(f) {
		if s, err := schema.Compile(r.Schema); err == nil {
			schemas = append(schemas, s)
		}
	}
	for i, value := range []string{orderText, `[]`, `{"a":{"b":[1,"x",null]},"10":1,"2":2}`, `"a"`, `1e300`, `[[[[]]]]`, `{"a/b":1,"c~d":"😀","né":[]}`} {
		f.Add(uint16(i*37), []byte(value))
	}
	f.Fuzz(func(t *testing.T, n uint16, value []byte) {
		s := schemas[int(n)%len(schemas)]
		first, err := s.Validate(value)
		if err != nil {
			t.Skip()
		}
		for range 3 {
			if again, err := s.Validate(value); err != nil || !reflect.DeepEqual(first, again) {
				t.Fatalf("%s\n%s: %v and then %v", s.JSON(), value, first, again)
			}
		}
		for _, i := range first {
			if i.Message == "" || i.Message == "must be valid" || i.Keyword != "" && (!i.Params.IsValid() || !strings.Contains(i.SchemaPath, "#") && i.SchemaPath == "") {
				t.Fatalf("%s\n%s: %+v", s.JSON(), value, i)
			}
			if !resolves(value, i.InstancePath) {
				t.Fatalf("%s\n%s: nothing is at %q", s.JSON(), value, i.InstancePath)
			}
		}
	})
}

// resolves reports whether a JSON Pointer leads to something in the value.
func resolves(value []byte, pointer string) bool {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return false
	}
	if pointer == "" {
		return true
	}
	for segment := range strings.SplitSeq(pointer[1:], "/") {
		segment = strings.ReplaceAll(strings.ReplaceAll(segment, "~1", "/"), "~0", "~")
		switch c := v.(type) {
		case map[string]any:
			next, ok := c[segment]
			if !ok {
				return false
			}
			v = next
		case []any:
			var i int
			if err := json.Unmarshal([]byte(segment), &i); err != nil || i < 0 || i >= len(c) {
				return false
			}
			v = c[i]
		default:
			return false
		}
	}
	return true
}

// TestDeterministic walks every recorded value two hundred times.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	for n, r := range readRecorded(t) {
		if n%40 != 0 || !r.Compiled {
			continue
		}
		s := mustCompile(t, string(r.Schema))
		for _, result := range r.Results {
			var text string
			if err := json.Unmarshal(result[0], &text); err != nil {
				t.Fatal(err)
			}
			first := s.Check([]byte(text))
			for range 200 {
				if again := s.Check([]byte(text)); !reflect.DeepEqual(first, again) {
					t.Fatalf("%s\n%s: %v and then %v", r.Schema, text, first, again)
				}
			}
		}
	}
}

const defaultsSchema = `{"type":"object",
	"properties":{
		"name":{"type":"string","default":"x"},
		"a":{"type":"object","default":{},"properties":{"b":{"type":"integer","default":1},"c":{"type":"array","default":[{}],"items":{"type":"object","properties":{"d":{"default":null}}}}}},
		"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"number","default":0.5}}}},
		"pair":{"type":"array","prefixItems":[{"type":"object","properties":{"l":{"default":"l"}}},{"type":"object","properties":{"r":{"default":"r"}}}]}},
	"additionalProperties":{"type":"object","properties":{"more":{"default":true}}},
	"allOf":[{"type":"object","properties":{"name":{"default":"y"},"late":{"default":"z"},"a":{"type":"object","properties":{"e":{"default":2}}}}}]}`

// model fills the defaults of a schema of properties, items, prefixItems, additionalProperties and allOf,
// in Ajv's order, on decoded values.
func model(s map[string]any, v any) {
	for _, sub := range asList(s["allOf"]) {
		model(sub.(map[string]any), v)
	}
	switch v := v.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name, p := range properties {
			if d, ok := p.(map[string]any)["default"]; ok {
				if _, there := v[name]; !there {
					v[name] = clone(d)
				}
			}
		}
		for name, item := range v {
			if p, ok := properties[name]; ok {
				model(p.(map[string]any), item)
			} else if more, ok := s["additionalProperties"].(map[string]any); ok {
				model(more, item)
			}
		}
	case []any:
		prefix := asList(s["prefixItems"])
		for i, item := range v {
			if i < len(prefix) {
				model(prefix[i].(map[string]any), item)
			} else if items, ok := s["items"].(map[string]any); ok {
				model(items, item)
			}
		}
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func clone(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var c any
	if err := json.Unmarshal(text, &c); err != nil {
		panic(err)
	}
	return c
}

// FuzzFillDefaults holds filling against a model that works on decoded values.
func FuzzFillDefaults(f *testing.F) {
	for _, seed := range []string{`{}`, ` { } `, `{"a":{},"list":[{},{"n":1},2],"pair":[{},{},{}],"q":{}}`, `{"a":1,"name":null}`, `[]`, `{"\u0061":{"c":[{},{"d":1}]},"x":{"more":{}}}`} {
		f.Add([]byte(seed))
	}
	s := mustCompile(f, defaultsSchema)
	var parsed map[string]any
	if err := json.Unmarshal([]byte(defaultsSchema), &parsed); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		filled, err := s.FillDefaults(value)
		if err != nil {
			t.Skip()
		}
		var want, got any
		if err := json.Unmarshal(value, &want); err != nil {
			t.Fatalf("%q is JSON here: %v", value, err)
		}
		model(parsed, want)
		if err := json.Unmarshal(filled, &got); err != nil {
			t.Fatalf("%s filled to %s: %v", value, filled, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s filled to %s, by the model to %v", value, filled, want)
		}
		var before any
		if err := json.Unmarshal(value, &before); err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(before, want) && (len(filled) != len(value) || &filled[0] != &value[0]) {
			t.Fatalf("%s: nothing is missing, and yet %s", value, filled)
		}
	})
}
