package packtest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
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

// Updating reports whether the test was run with -update: golden files are to be written, not
// compared. The flag is declared by this package, before the variables of a test that imports
// it, so a test with golden files of its own asks here; a flag.Bool("update", …) beside it
// panics with "flag redefined: update".
func Updating() bool {
	f := flag.Lookup(updateFlag)
	return f != nil && f.Value.String() == "true"
}

// Golden compares the pack's index with a file, byte for byte, and fails the test when
// they differ: a schema that changes without its version is then seen in a review. With
//
//	go test . -update
//
// it writes the file, and its folder, instead.
// Give the packages whose tests import packtest, since no other test knows the flag (see
// [Updating]). The pins are fixed, so that the file depends on the source alone.
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
	if Updating() {
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
		t.Fatalf("%v; write it with %s", err, updateCommand())
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the pack's index is not the one in %s; if it should change, run %s\n%s", file, updateCommand(), diff.Lines(string(want), string(got)))
	}
}

// updateCommand is what writes the golden files of the test's package, from anywhere in its module.
func updateCommand() string {
	name := "."
	if info, ok := debug.ReadBuildInfo(); ok {
		// The main package of a test is that of the tested one with ".test" behind it; of tests
		// that are given as files it has no import path.
		if path, ok := strings.CutSuffix(info.Path, ".test"); ok && path != "command-line-arguments" {
			name = path
		}
	}
	return "go test " + name + " -update"
}
