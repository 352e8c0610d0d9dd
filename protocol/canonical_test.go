package protocol_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

func TestAppendCanonical(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, compact, indented string }{
		{"scalar", " null\n", "null", "null"},
		{"numbers", `[1.0, 1e21, -0, 9007199254740993, 1e-7]`, `[1,1e+21,0,9007199254740992,1e-7]`,
			"[\n  1,\n  1e+21,\n  0,\n  9007199254740992,\n  1e-7\n]"},
		{"empty", `{"b": [ ], "a": { }}`, `{"a":{},"b":[]}`, "{\n  \"a\": {},\n  \"b\": []\n}"},
		{"order", `{"\uffff":1,"\ud83d\ude00":2,"10":3,"9":4,"":5}`, "{\"\":5,\"10\":3,\"9\":4,\"\U0001F600\":2,\"\uffff\":1}",
			"{\n  \"\": 5,\n  \"10\": 3,\n  \"9\": 4,\n  \"\U0001F600\": 2,\n  \"\uffff\": 1\n}"},
		{"escapes", `"\u0041\/\u2028\u007f\u001F\b\"\\"`, "\"A/\u2028\u007f\\u001f\\b\\\"\\\\\"", "\"A/\u2028\u007f\\u001f\\b\\\"\\\\\""},
		{"nested", `{"z":[{"b":1,"a":[[]]}]}`, `{"z":[{"a":[[]],"b":1}]}`,
			"{\n  \"z\": [\n    {\n      \"a\": [\n        []\n      ],\n      \"b\": 1\n    }\n  ]\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for indent, want := range map[string]string{"": c.compact, "  ": c.indented} {
				got, err := protocol.AppendCanonical([]byte("before "), []byte(c.in), indent)
				if err != nil || string(got) != "before "+want {
					t.Errorf("indent %q: got %s, %v\nwant %s", indent, got, err, want)
				}
			}
		})
	}
}

func TestAppendCanonicalRefuses(t *testing.T) {
	t.Parallel()
	for document, reason := range map[string]string{
		"":                   "unexpected end",
		"{} {}":              "end of the text",
		`{"a":1,"a":1}`:      "duplicate member name",
		`{"a":1,"\u0061":1}`: "duplicate member name",
		`1e400`:              "range",
		`-1e1000001`:         "range",
		`"\ud83d"`:           "surrogate",
		`"\ude00\ud83d"`:     "surrogate",
		"\"\xff\"":           "UTF-8",
		"\"\xed\xa0\x80\"":   "UTF-8",
		"\"\x1f\"":           "control",
		"NaN":                "",
		strings.Repeat("[", 10001) + strings.Repeat("]", 10001): "nested",
	} {
		got, err := protocol.AppendCanonical([]byte("before"), []byte(document), "  ")
		if string(got) != "before" {
			t.Errorf("%.30q appended %q", document, got)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "no canonical form: ") || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.30q: %v", document, err)
		}
	}
	if _, err := protocol.AppendCanonical(nil, []byte("{}"), "--"); err == nil {
		t.Error("an indent that is not white space was accepted")
	}
}

// Sorting re-reads members out of order; without care that costs the depth times the size.
func TestAppendCanonicalDeep(t *testing.T) {
	t.Parallel()
	const depth = 9999
	filler := `"` + strings.Repeat("x", 1<<20) + `"`
	document := strings.Repeat(`{"b":1,"a":`, depth) + filler + strings.Repeat("}", depth)
	got, err := protocol.AppendCanonical(nil, []byte(document), "")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat(`{"a":`, depth) + filler + strings.Repeat(`,"b":1}`, depth); string(got) != want {
		t.Error("the members are not in order")
	}
}

func TestAppendCanonicalDoesNotWriteIntoTheDocument(t *testing.T) {
	t.Parallel()
	document := []byte(`{"b":"\u0041","a":1.0}`)
	before := slices.Clone(document)
	if _, err := protocol.AppendCanonical(nil, document, ""); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(document, before) {
		t.Errorf("the document is now %s", document)
	}
}

func BenchmarkAppendCanonical(b *testing.B) {
	index, err := wholeIndex().MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(index)))
	b.ReportAllocs()
	var buffer []byte
	for b.Loop() {
		if buffer, err = protocol.AppendCanonical(buffer[:0], index, "  "); err != nil {
			b.Fatal(err)
		}
	}
}
