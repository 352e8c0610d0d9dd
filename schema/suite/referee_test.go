package suite

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestReferee asks another validator about the cases that Ajv has answered. Where the two agree, the
// answer that the schema package's own tests hold it to is not Ajv's alone.
func TestReferee(t *testing.T) {
	f, err := os.Open("../testdata/ajv.ndjson.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	asked, values := 0, 0
	for lines.Scan() {
		var r struct {
			Schema   json.RawMessage
			Side     string
			Compiled bool
			Results  [][3]json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		// The cases about nothing but a pattern are about ECMA-262, which the referee does not follow.
		if !r.Compiled || understoodDifferently(r.Schema) || bytes.HasPrefix(r.Schema, []byte(`{"type":"string","pattern"`)) {
			continue
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Schema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		if err := c.AddResource("schema.json", parsed); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("schema.json")
		if err != nil {
			t.Errorf("%s: %v", r.Schema, err)
			continue
		}
		asked++
		for _, result := range r.Results {
			var text string
			for _, given := range []json.RawMessage{result[1], result[0]} {
				if string(given) != "null" {
					if err := json.Unmarshal(given, &text); err != nil {
						t.Fatal(err)
					}
					break
				}
			}
			instance, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
			if err != nil {
				t.Fatal(err)
			}
			values++
			if refused := s.Validate(instance); (refused == nil) != (string(result[2]) == "[]") {
				t.Errorf("%s\n%s: Ajv has %s, the referee %v", r.Schema, text, result[2], refused)
			}
		}
	}
	t.Logf("%d schemas, %d values", asked, values)
	if asked < 150 {
		t.Error("too few")
	}
}

// understoodDifferently reports whether a schema has what the referee reads in another way on purpose:
// formats, which it only annotates by, some older keywords, ECMA-262's patterns.
func understoodDifferently(document []byte) bool {
	for _, word := range []string{`"format`, `"nullable"`, `"dependencies"`, `\`, `[^]`, `$)`, `"$schema"`, `"$vocabulary"`} {
		if bytes.Contains(document, []byte(word)) {
			return true
		}
	}
	return false
}
