package pack

import (
	"context"
	"errors"
	"strings"
	"testing"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A command whose output could not be written has failed: what is in the file is not what
// was asked for.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	b := New("shop", "1.0.0")
	AddTool(b, Tool{ID: "shop.echo", ReadOnly: true, Description: "Returns its input."},
		func(_ context.Context, in map[string]string) (map[string]string, error) { return in, nil })
	for _, args := range [][]string{
		{"list"}, {"list", "--json"}, {"schema", "shop.echo"}, {"call", "shop.echo"}, {"version"}, {"version", "--json"}, {"help"}, {"-h"}, {"call", "-h"},
		{"index", "--output", "-", "--pack-dir", t.TempDir()},
	} {
		var stderr strings.Builder
		code := b.run(t.Context(), args, program{name: "shop", stdin: strings.NewReader(""), stdout: fullDisk{}, stderr: &stderr,
			getenv: func(string) string { return "" }})
		if code != exitFailed || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%q: exit code %d, standard error %q", args, code, stderr.String())
		}
	}
}

// A table has one short line for each tool, whatever its description is.
func TestListWithLongDescriptions(t *testing.T) {
	t.Parallel()
	b := New("shop", "1.0.0")
	for id, description := range map[string]string{
		"shop.long":  strings.Repeat("very long ", 2000),
		"shop.lines": "\n\nThe first line.\nThe second.",
		"shop.odd":   "a\tb\x1b[31mred\u202e",
	} {
		AddTool(b, Tool{ID: id, Description: description},
			func(_ context.Context, in map[string]string) (map[string]string, error) { return in, nil })
	}
	var stdout, stderr strings.Builder
	p := program{name: "shop", stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, getenv: func(string) string { return "" }}
	if code := b.run(t.Context(), []string{"list"}, p); code != exitOK || stderr.Len() > 0 {
		t.Fatalf("exit code %d, standard error %q", code, stderr.String())
	}
	lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4: %q", len(lines), lines)
	}
	for i, want := range []string{"DESCRIPTION", "The first line. …", strings.Repeat("very long ", 12) + "…", "a�b�[31mred�"} {
		if !strings.HasSuffix(lines[i], "  "+want) {
			t.Errorf("line %d is %q, want it to end in %q", i, lines[i], want)
		}
	}
}
