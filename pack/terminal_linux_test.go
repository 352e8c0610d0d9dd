package pack_test

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/internal/terminal"
)

// TestCallColours colours what is wrong on a terminal and nowhere else.
func TestCallColours(t *testing.T) {
	t.Parallel()
	const plain = "input-validation-failed: Tool \"acme.shop.refund\" input failed validation\r\n  /number must be string\r\n"
	const coloured = "\x1b[31minput-validation-failed\x1b[0m: Tool \"acme.shop.refund\" input failed validation\r\n  \x1b[1m/number\x1b[0m must be string\r\n"
	for env, want := range map[string]string{"": coloured, "NO_COLOR=1": plain, "NO_COLOR=": coloured} {
		side, other := terminal.Open(t)
		got := command{args: []string{"call", "acme.shop.refund", `{"number":7,"cents":1}`}, env: strings.Fields(env), edit: func(cmd *exec.Cmd) { cmd.Stderr = side }}.run(t)
		_ = side.Close()
		var shown bytes.Buffer
		_, _ = io.Copy(&shown, other) // ends with an error once no process has the other side
		if got.code != 1 || shown.String() != want {
			t.Errorf("%q: exit %d, %q, want %q", env, got.code, shown.String(), want)
		}
	}
}
