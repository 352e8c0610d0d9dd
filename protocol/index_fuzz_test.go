package protocol_test

import (
	"bytes"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

// FuzzParseIndex: nothing makes the parser panic; an accepted index keeps all that it was given; and
// its canonical bytes are those of the index they are read as.
func FuzzParseIndex(f *testing.F) {
	whole, err := wholeIndex().Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"v":1,"packId":"a","packVersion":"1.0.0","artifactVersion":"1","publishedAt":"","tools":[],"guardrails":[],"agents":[],"flows":[],"env":{"optional":["B","A"]}}`))
	f.Add([]byte(`{"v":2}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		x, err := protocol.ParseIndex(document)
		if err != nil {
			if x != nil || err.Error() == "" {
				t.Fatalf("%v and %v", x, err)
			}
			return
		}
		kept, err := x.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		sameValue(t, kept, document)
		b, err := x.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		y, err := protocol.ParseIndex(b)
		if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
		again, err := y.Bytes()
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("got  %s, %v\nwant %s", again, err, b)
		}
	})
}
