package pack

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// shape says how a value of a tool's manifest is compared: which members this SDK knows,
// and what it means when one is absent. A nil shape compares a value whole.
type shape struct {
	// members are those this SDK knows. Others that only the runtime has are of a newer
	// one, and no difference.
	members map[string]*shape
	each    *shape // of a list's elements
	absent  any    // what it means that the value is absent; nil when that is a value of its own
}

// manifestShape is the shape of a tool's manifest (pack contract, section 6). Schemas,
// connections and authorizations have no shape: every member of them counts.
func manifestShape() *shape {
	text, list, object := &shape{absent: ""}, &shape{absent: []any{}}, &shape{absent: map[string]any{}}
	open := func(absent any, members map[string]*shape) *shape { return &shape{members: members, absent: absent} }
	listOf := func(members map[string]*shape) *shape {
		return &shape{each: &shape{members: members}, absent: []any{}}
	}
	return open(nil, map[string]*shape{
		"id":          nil,
		"version":     nil,
		"description": text,
		"input":       nil,
		"output":      nil,
		"effects":     listOf(map[string]*shape{"kind": nil, "resource": text, "notes": text}),
		"needs":       listOf(map[string]*shape{"name": nil, "optional": {absent: false}}),
		"needsSpec": open(map[string]any{}, map[string]*shape{
			"env": object, "secrets": object, "config": object, "capabilities": list, "bindings": list, "connections": object,
		}),
		"sandbox":  {absent: string(protocol.SandboxNone)},
		"limits":   open(nil, map[string]*shape{"memMB": nil, "cpuMs": nil}),
		"network":  open(nil, map[string]*shape{"kind": nil, "hosts": list}),
		"mutating": {absent: true},
		"spec": open(nil, map[string]*shape{
			"kind": nil, "method": nil, "urlTemplate": nil, "authorization": nil,
			"headers":       listOf(map[string]*shape{"name": nil, "value": nil}),
			"requestBody":   open(nil, map[string]*shape{"kind": nil, "template": text}),
			"timeoutMs":     {absent: 30000.0},
			"parseJson":     {absent: true},
			"successStatus": open(nil, map[string]*shape{"min": nil, "max": nil}),
		}),
	})
}

// difference is a place at which two manifests differ. A side that lacks the value is nil.
type difference struct {
	Path    string         `json:"path"` // a JSON Pointer
	Binary  jsontext.Value `json:"binary,omitzero"`
	Runtime jsontext.Value `json:"runtime,omitzero"`
}

// maxDifferences bounds the differences of one manifest.
const maxDifferences = 100

// diffManifests compares a tool's entry of this binary's index with the manifest a runtime
// has of it. Numbers are compared as the runtime reads them, as float64.
func diffManifests(binary, runtime jsontext.Value) ([]difference, error) {
	ours, err := tree(binary)
	if err != nil {
		return nil, err
	}
	theirs, err := tree(runtime)
	if err != nil {
		return nil, err
	}
	if o, ok := ours.(map[string]any); ok {
		delete(o, "modulePath") // the pack's own
	}
	var d manifestDiff
	d.values(nil, ours, theirs, manifestShape())
	return d.found, nil
}

// tree decodes a document that has a canonical form: one whose members are each there once
// and whose numbers are float64s.
func tree(document jsontext.Value) (any, error) {
	canonical, err := protocol.AppendCanonical(nil, document, "")
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(canonical, &v)
	return v, err
}

type manifestDiff struct {
	found []difference
}

// missingValue stands for a value that is absent.
type missingValue struct{}

// values compares two values; each may be a missingValue.
func (d *manifestDiff) values(path []string, ours, theirs any, s *shape) {
	if s != nil {
		ours, theirs = s.present(ours), s.present(theirs)
	}
	switch o := ours.(type) {
	case map[string]any:
		if t, ok := theirs.(map[string]any); ok {
			d.objects(path, o, t, s)
			return
		}
	case []any:
		if t, ok := theirs.([]any); ok {
			d.lists(path, o, t, s)
			return
		}
	default:
		if sameScalar(ours, theirs) {
			return
		}
	}
	d.add(path, ours, theirs)
}

// sameScalar compares a value that is no list and no object with any other.
func sameScalar(a, b any) bool {
	switch b.(type) {
	case map[string]any, []any:
		return false // and not comparable
	}
	return a == b
}

// present fills in what it means that a value is absent. null is absent, too.
func (s *shape) present(v any) any {
	if _, absent := v.(missingValue); !absent && v != nil {
		return v
	}
	if s.absent != nil {
		return s.absent
	}
	return missingValue{}
}

func (d *manifestDiff) objects(path []string, ours, theirs map[string]any, s *shape) {
	names := maps.Clone(ours)
	maps.Copy(names, theirs)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		o, inOurs := ours[name]
		t, inTheirs := theirs[name]
		if !inOurs {
			o = missingValue{}
		}
		if !inTheirs {
			t = missingValue{}
		}
		var member *shape
		if s != nil && s.members != nil {
			known := false
			if member, known = s.members[name]; !known && !inOurs {
				continue
			}
		}
		d.values(append(path, name), o, t, member)
	}
}

// lists compares lists element by element, or whole when they are short values of
// different number: then it is the list that has changed.
func (d *manifestDiff) lists(path []string, ours, theirs []any, s *shape) {
	if len(ours) != len(theirs) && scalars(ours) && scalars(theirs) {
		d.add(path, ours, theirs)
		return
	}
	var each *shape
	if s != nil {
		each = s.each
	}
	for i := range max(len(ours), len(theirs)) {
		var o, t any = missingValue{}, missingValue{}
		if i < len(ours) {
			o = ours[i]
		}
		if i < len(theirs) {
			t = theirs[i]
		}
		d.values(append(path, strconv.Itoa(i)), o, t, each)
	}
}

func scalars(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool {
		switch v.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

func (d *manifestDiff) add(path []string, ours, theirs any) {
	if len(d.found) == maxDifferences {
		return
	}
	var pointer strings.Builder
	for _, token := range path {
		pointer.WriteByte('/')
		pointer.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
	}
	d.found = append(d.found, difference{Path: pointer.String(), Binary: encoded(ours), Runtime: encoded(theirs)})
}

// encoded gives a value's JSON; nil when it is missing.
func encoded(v any) jsontext.Value {
	if _, absent := v.(missingValue); absent {
		return nil
	}
	raw, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null") // a decoded value always encodes
	}
	return raw
}
