package pack

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/schema"
)

// TestFieldsOf finds the fields of an input wherever its schema, which may be an author's
// own, has them.
func TestFieldsOf(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{}`:   "",
		`true`: "",
		`{"type":"object","properties":{"b":{},"a":{}},"required":["a"]}`:                                             "a! b",
		`{"type":"object","properties":{"a":{"default":1}}}`:                                                          "a!",
		`{"type":"object","properties":{"a":{"default":null}}}`:                                                       "a!",
		`{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"a":{"$ref":"#/$defs/T"}}}}}`:                "a",
		`{"$ref":"#/$defs/A","$defs":{"A":{"allOf":[{"$ref":"#/$defs/B"}]},"B":{"allOf":[{"properties":{"a":{}}}]}}}`: "a",
		`{"allOf":[{"properties":{"a":{},"b":{}}},{"required":["b"]}]}`:                                               "a b!",
		`{"properties":{"a":true},"allOf":[true]}`:                                                                    "a",
	} {
		s, err := schema.Compile([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		fields := fieldsOf(s)
		var got []string
		for _, name := range fields.names {
			if fields.always[name] {
				name += "!"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want || !slices.IsSorted(fields.names) {
			t.Errorf("%s has the fields %q, want %q", document, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"lookup", "look", "refund", strings.Repeat("x", 300)}
	for name, want := range map[string]string{
		"lookup": "lookup", "LookUp": "lookup", "lokup": "lookup", "lookpu": "lookup", "loook": "look", "refnud": "refund", "rfnd": "refund",
		"": "", "send": "", "loki": "", strings.Repeat("x", 300): "", "abcdef": "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"ab", "ba", 1}, {"abc", "abd", 1}, {"é", "e", 1}, {"kitten", "sitting", 3}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
