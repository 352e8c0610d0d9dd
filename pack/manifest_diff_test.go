package pack

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

func TestDiffManifests(t *testing.T) {
	t.Parallel()
	tests := []struct{ binary, runtime, want string }{
		{`{}`, `{}`, ``},
		{`{"modulePath":"a.go"}`, `{"transport":"auto"}`, ``},
		{`{}`, `{"mutating":true}`, ``},
		{`{}`, `{"mutating":false}`, `/mutating true false`},
		{`{}`, `{"mutating":null}`, ``},
		{`{"mutating":false}`, `{}`, `/mutating false true`},
		{`{"description":"a"}`, `{}`, `/description "a" ""`},
		{`{"input":{"maximum":18446744073709551615}}`, `{"input":{"maximum":18446744073709552000}}`, ``},
		{`{"input":{"maximum":1.0}}`, `{"input":{"maximum":1e0}}`, ``},
		{`{"input":{"const":null}}`, `{"input":{}}`, `/input/const null nothing`},
		{`{"input":{"const":null}}`, `{"input":{"const":{}}}`, `/input/const null {}`},
		{`{"input":{"const":null}}`, `{"input":{"const":[]}}`, `/input/const null []`},
		{`{"input":{"const":{}}}`, `{"input":{"const":[]}}`, `/input/const {} []`},
		{`{"input":{"const":1}}`, `{"input":{"const":"1"}}`, `/input/const 1 "1"`},
		{`{"input":{"a/b~c":1}}`, `{"input":{"a/b~c":2}}`, `/input/a~1b~0c 1 2`},
		{`{"input":{}}`, `{"input":{"newKeyword":1}}`, `/input/newKeyword nothing 1`},
		{`{"input":{"required":["a","b"]}}`, `{"input":{"required":["b","a"]}}`, `/input/required/0 "a" "b", /input/required/1 "b" "a"`},
		{`{"input":{"required":["a","b"]}}`, `{"input":{"required":["a"]}}`, `/input/required ["a","b"] ["a"]`},
		{`{"input":{"allOf":[{"a":1}]}}`, `{"input":{"allOf":[{"a":1},{"b":2}]}}`, `/input/allOf/1 nothing {"b":2}`},
		{`{"effects":[{"kind":"reads","vendor":1}]}`, `{"effects":[{"kind":"reads"}]}`, `/effects/0/vendor 1 nothing`},
		{`{"effects":[{"kind":"reads"}]}`, `{"effects":[{"kind":"reads","vendor":1,"notes":""}]}`, ``},
		{`{"effects":[{"kind":"reads"}]}`, `{"effects":"reads"}`, `/effects [{"kind":"reads"}] "reads"`},
		{`{"needsSpec":{"connections":{"mail":{"as":"person"}}}}`, `{"needsSpec":{"connections":{"mail":{"as":"person","permissions":["send"]}}}}`, `/needsSpec/connections/mail/permissions nothing ["send"]`},
		{`{"needsSpec":{"env":{"A":{"type":"string"}}}}`, `{}`, `/needsSpec/env/A {"type":"string"} nothing`},
		{`{"spec":{"kind":"http"}}`, `{"spec":{"kind":"http","authorization":{"kind":"bearer"}}}`, `/spec/authorization nothing {"kind":"bearer"}`},
		{`{"spec":{"kind":"http","timeoutMs":5}}`, `{"spec":{"kind":"http"}}`, `/spec/timeoutMs 5 30000`},
		{`{"spec":{"kind":"http"}}`, `{"spec":{"kind":"grpc","retries":1}}`, `/spec/kind "http" "grpc"`},
		{`{}`, `{"sandbox":"none"}`, ``},
		{`{}`, `{"sandbox":"strict"}`, `/sandbox "none" "strict"`},
		{`{}`, `{"network":{"kind":"none"}}`, `/network nothing {"kind":"none"}`},
		{`{"network":{"kind":"none"}}`, `{"network":{"kind":"none","hosts":[]}}`, ``},
		{`{}`, `[]`, ` {} []`},
	}
	for _, test := range tests {
		got, err := diffManifests(jsontext.Value(test.binary), jsontext.Value(test.runtime))
		if err != nil {
			t.Errorf("%s, %s: %v", test.binary, test.runtime, err)
		}
		if text := differences(got); text != test.want {
			t.Errorf("%s, %s:\ngot  %s\nwant %s", test.binary, test.runtime, text, test.want)
		}
	}
}

// TestManyDifferences bounds what is found.
func TestManyDifferences(t *testing.T) {
	t.Parallel()
	var a, b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&a, `,"m%d":1`, i)
		fmt.Fprintf(&b, `,"m%d":2`, i)
	}
	got, err := diffManifests(jsontext.Value(`{"input":{"x":0`+a.String()+`}}`), jsontext.Value(`{"input":{"x":0`+b.String()+`}}`))
	if err != nil || len(got) != maxDifferences {
		t.Errorf("%d differences, %v", len(got), err)
	}
	for _, raw := range []string{`{"input":1e999}`, `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{`} {
		for _, pair := range [][2]string{{raw, "{}"}, {"{}", raw}} {
			if _, err := diffManifests(jsontext.Value(pair[0]), jsontext.Value(pair[1])); err == nil {
				t.Errorf("%s and %s are compared", pair[0], pair[1])
			}
		}
	}
}

func differences(list []difference) string {
	texts := make([]string, len(list))
	value := func(v jsontext.Value) string {
		if v == nil {
			return "nothing"
		}
		return string(v)
	}
	for i, d := range list {
		texts[i] = fmt.Sprintf("%s %s %s", d.Path, value(d.Binary), value(d.Runtime))
	}
	return strings.Join(texts, ", ")
}

// TestManifestShape demands that the comparison knows each member of a tool's entry that
// package protocol knows.
func TestManifestShape(t *testing.T) {
	t.Parallel()
	yes := true
	full := protocol.IndexTool{
		ID: "a", Version: "1", Description: "d", Input: jsontext.Value(`{}`), Output: jsontext.Value(`{}`), ModulePath: "m",
		Effects: []protocol.Effect{{Kind: "reads", Resource: "r", Notes: "n"}}, Needs: []protocol.Need{{Name: "n", Optional: true}},
		NeedsSpec: &protocol.NeedsSpec{
			Env: map[string]jsontext.Value{}, Secrets: map[string]jsontext.Value{}, Config: map[string]jsontext.Value{},
			Capabilities: []string{}, Bindings: []string{}, Connections: map[string]*protocol.Connection{},
		},
		Sandbox: "none", Limits: &protocol.Limits{MemMB: 1, CPUMs: 1}, Network: &protocol.Network{Kind: "none", Hosts: []string{}}, Mutating: &yes,
		Spec: &protocol.HTTPSpec{
			Method: "GET", URLTemplate: "u", Headers: []protocol.HTTPHeader{{Name: "n", Value: "v"}}, Authorization: &protocol.HTTPAuthorization{},
			RequestBody: &protocol.HTTPRequestBody{Kind: "text", Template: "t"}, TimeoutMs: 1, ParseJSON: &yes, SuccessStatus: &protocol.StatusRange{Min: 1, Max: 2},
		},
	}
	// Every field is set, so none is left out of the JSON.
	for field, value := range reflect.ValueOf(full).Fields() {
		if field.IsExported() && field.Name != "Unknown" && value.IsZero() {
			t.Fatalf("the test does not set %s", field.Name)
		}
	}
	raw, err := full.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	var compare func(path string, v any, s *shape)
	compare = func(path string, v any, s *shape) {
		if s == nil {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			if s.members == nil {
				return
			}
			var names, known []string
			for name, value := range v {
				names = append(names, name)
				compare(path+"/"+name, value, s.members[name])
			}
			for name := range s.members {
				known = append(known, name)
			}
			slices.Sort(names)
			slices.Sort(known)
			if !slices.Equal(names, known) {
				t.Errorf("%s has %q, and its shape %q", path, names, known)
			}
		case []any:
			for _, e := range v {
				compare(path+"/0", e, s.each)
			}
		}
	}
	delete(v.(map[string]any), "modulePath")
	compare("", v, manifestShape())
}

func TestShown(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 500)
	tests := []struct{ binary, runtime, x, y string }{
		{`1`, ``, `1`, `nothing`},
		{``, `"` + long + `"`, `nothing`, `"` + long[:199] + `…`},
		{`"b"`, `"c"`, `"b"`, `"c"`},
		{`"` + long + `b"`, `"` + long + `c"`, `…` + long[:50] + `b"`, `…` + long[:50] + `c"`},
		{`"` + long + `"`, `"` + long + long + `"`, `…` + long[:50] + `"`, `…` + long[:200] + `…`},
	}
	for _, test := range tests {
		var binary, runtime jsontext.Value
		if test.binary != "" {
			binary = jsontext.Value(test.binary)
		}
		if test.runtime != "" {
			runtime = jsontext.Value(test.runtime)
		}
		if x, y := shown(binary, runtime); x != test.x || y != test.y {
			t.Errorf("got %s and %s, want %s and %s", x, y, test.x, test.y)
		}
	}
}

// FuzzDiffManifests compares whatever a runtime may answer.
func FuzzDiffManifests(f *testing.F) {
	f.Add(`{"id":"a","input":{"type":"object"},"effects":[{"kind":"reads"}],"spec":{"kind":"http","headers":[]}}`, `{"mutating":true,"effects":null}`)
	f.Add(`{"needsSpec":{"env":{"A":{}}}}`, `{"needsSpec":[],"limits":{"memMB":"x"}}`)
	f.Add(`[]`, `nul`)
	f.Add(`{"a":"\ud800"}`, `{"input":{"const":null}}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		forth, err := diffManifests(jsontext.Value(a), jsontext.Value(b))
		if err != nil {
			return
		}
		for _, d := range forth {
			if d.Binary == nil && d.Runtime == nil || string(d.Binary) == string(d.Runtime) {
				t.Errorf("a difference is none: %s %s %s", d.Path, d.Binary, d.Runtime)
			}
		}
		if same, err := diffManifests(jsontext.Value(a), jsontext.Value(a)); err != nil || len(same) > 0 && strings.HasPrefix(strings.TrimSpace(a), "{") && !strings.Contains(a, "modulePath") {
			t.Errorf("a manifest differs from itself: %s %v", differences(same), err)
		}
		// What the two differ in does not depend on the order, the runtime's own members apart.
		back, err := diffManifests(jsontext.Value(b), jsontext.Value(a))
		if err != nil {
			t.Errorf("the comparison works one way alone: %v", err)
		}
		var paths []string
		for _, d := range back {
			paths = append(paths, d.Path)
		}
		for _, d := range forth {
			if d.Binary != nil && d.Runtime != nil && len(back) < maxDifferences && len(forth) < maxDifferences && !slices.Contains(paths, d.Path) {
				t.Errorf("%s is a difference one way alone", d.Path)
			}
		}
		m := new(protocol.ToolManifest)
		_ = m.UnmarshalJSON([]byte(b)) // does not panic
	})
}
