package protocol_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// FuzzCanonical: the canonical form is jsontext's RFC 8785 form; it is its own canonical form; and the
// indented one differs in white space only.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"b":1.0,"a":[-0,1e21,"\u00e9\/",{}],"\uffff":[],"\ud83d\ude00":null}`))
	f.Add([]byte(`[123456789012345678901234567890, 1e-7, 5e-324, 1.7976931348623157e308, 0.1e1]`))
	f.Add([]byte(" \"a\\u0000\\ud83d\\ude00\" "))
	f.Add([]byte(wholeManifest))
	f.Fuzz(func(t *testing.T, document []byte) {
		before := bytes.Clone(document)
		compact, err := protocol.AppendCanonical(nil, document, "")
		if !bytes.Equal(document, before) {
			t.Fatalf("the document became %q", document)
		}
		if err != nil {
			if len(compact) > 0 {
				t.Fatalf("appended %q and failed: %v", compact, err)
			}
			return
		}
		want := jsontext.Value(bytes.Clone(document))
		if err := want.Canonicalize(); err != nil {
			t.Fatalf("jsontext: %v", err)
		}
		if !bytes.Equal(compact, want) {
			t.Fatalf("got      %s\njsontext %s", compact, want)
		}
		again, err := protocol.AppendCanonical(nil, compact, "")
		if err != nil || !bytes.Equal(again, compact) {
			t.Fatalf("%s became %s, %v", compact, again, err)
		}
		indented, err := protocol.AppendCanonical(nil, document, "\t")
		if err != nil {
			t.Fatal(err)
		}
		if again, err = protocol.AppendCanonical(nil, indented, ""); err != nil || !bytes.Equal(again, compact) {
			t.Fatalf("%s became %s, %v", indented, again, err)
		}
	})
}
