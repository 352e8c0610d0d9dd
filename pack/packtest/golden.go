package packtest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/internal/diff"
	"github.com/kindgi/kindgi-go/pack"
)

// updateFlag is the name of the flag that rewrites golden files.
const updateFlag = "update"

func init() {
	// A test binary has one flag of that name, whoever declares it first.
	if flag.Lookup(updateFlag) == nil {
		flag.Bool(updateFlag, false, "rewrite golden files")
	}
}

// Golden compares the pack's index with a file, byte for byte, and fails the test when
// they differ: a schema that changes without its version is then seen in a review. With
//
//	go test . -update
//
// it writes the file, and its folder, instead. The flag is declared by this package; a test
// that has golden files of its own shares it (flag.Lookup("update")). The pins are fixed,
// so that the file depends on the source alone.
func Golden(t testing.TB, b *pack.Builder, file string) {
	t.Helper()
	index, err := b.Index(pack.Pins{ArtifactVersion: "golden", PublishedAt: time.Unix(0, 0)})
	if err != nil {
		t.Fatalf("the pack has no index:\n%v", err)
	}
	got, err := index.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if f := flag.Lookup(updateFlag); f != nil && f.Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with go test . -update", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the pack's index is not the one in %s; if it should change, run go test . -update\n%s", file, diff.Lines(string(want), string(got)))
	}
}
