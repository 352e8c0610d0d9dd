package pack_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

type counters struct {
	Big   uint64  `json:"big"`
	Small float32 `json:"small"`
}

func counting() *pack.Builder {
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.count"}, func(_ context.Context, in counters) (counters, error) { return in, nil })
	return b
}

// indexFile gives the bytes of the pack's own index.
func indexFile(t *testing.T, b *pack.Builder) []byte {
	t.Helper()
	x, err := b.Index(pack.Pins{ArtifactVersion: "1"})
	if err != nil {
		t.Fatal(err)
	}
	file, err := x.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestOwnIndexIsNotStale serves the index that the pack itself wrote. Its numbers are
// written as JavaScript writes them, which rounds the bounds of 64-bit integers; the bounds
// that are enforced are the exact ones all the same.
func TestOwnIndexIsNotStale(t *testing.T) {
	t.Parallel()
	s := start(t, counting(), pack.Options{Index: indexFile(t, counting())})
	wantOutput(t, s.call(t, "t.count", `{"big":18446744073709551615,"small":1}`), `{"big":18446744073709551615,"small":1}`)
	got := s.call(t, "t.count", `{"big":18446744073709551616,"small":1}`)
	if got.Code != "input-validation-failed" || len(got.Issues) != 1 || got.Issues[0].Keyword != "maximum" {
		t.Errorf("got %s", got.body)
	}
	if strings.Contains(s.log.String(), "index-stale") {
		t.Errorf("the pack's own index is stale: %s", s.log)
	}
}

// TestStaleIndex enforces the file's schema, and names it.
func TestStaleIndex(t *testing.T) {
	t.Parallel()
	file := bytes.Replace(indexFile(t, counting()), []byte(`"big": {`), []byte(`"big": { "minimum": 10,`), 1)
	file = bytes.Replace(file, []byte(`"minimum": 0,`), nil, 1)
	s := start(t, counting(), pack.Options{Index: file})
	got := s.call(t, "t.count", `{"big":9,"small":1}`)
	if got.Code != "input-validation-failed" || len(got.Issues) != 1 || got.Issues[0].Message != "must be >= 10" {
		t.Errorf("got %s", got.body)
	}
	eventually(t, func() bool {
		return strings.Contains(s.log.String(), `"event":"index-stale","names":["tool t.count 1.0.0 input"]`)
	})
}

// TestIndexOfAnotherPack says so before all that is missing for that reason.
func TestIndexOfAnotherPack(t *testing.T) {
	t.Parallel()
	other := pack.New("acme.other", "1.0.0")
	pack.AddTool(other, pack.Tool{ID: "acme.other.echo"}, returns("x"))
	index, err := other.Index(pack.Pins{ArtifactVersion: "1"})
	if err != nil {
		t.Fatal(err)
	}
	file, err := index.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	b := pack.New("acme.mine", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "acme.mine.echo"}, returns("x"))
	_, err = b.Service(pack.Options{Token: testToken, Index: file})
	if err == nil || !strings.HasPrefix(err.Error(), `the index is of the pack "acme.other", and this binary is "acme.mine"`+"\n") {
		t.Errorf("got %v", err)
	}
}
