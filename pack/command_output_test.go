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
