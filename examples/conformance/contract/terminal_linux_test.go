package contract_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/internal/terminal"
)

// On a terminal records are for people, unless the settings say otherwise.
func TestLogFormatOnATerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env            map[string]string
		pretty, colour bool
	}{
		"default":        {nil, true, true},
		"auto":           {map[string]string{"KINDGI_LOG_FORMAT": "auto"}, true, true},
		"json":           {map[string]string{"KINDGI_LOG_FORMAT": "json"}, false, false},
		"NO_COLOR":       {map[string]string{"NO_COLOR": "1"}, true, false},
		"empty NO_COLOR": {map[string]string{"NO_COLOR": ""}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			side, other := terminal.Open(t)
			cmd := exec.Command(binary("conformance"), "--host", "127.0.0.1")
			cmd.Env = setup{env: c.env}.environ(t)
			cmd.Stderr = side
			err := cmd.Start()
			_ = side.Close()
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = cmd.Wait() // it is told to end
			}()
			t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
			lines := collect(other)
			line, ok := lines.wait(t, "listening record", listeningPort.MatchString)
			if !ok {
				t.Fatalf("the process ended: %q", lines.all())
			}
			if _, isJSON := parseRecord(strings.TrimSpace(line)); isJSON == c.pretty {
				t.Errorf("pretty is %v, want %v: %q", !isJSON, c.pretty, line)
			}
			if colour := strings.Contains(line, "\x1b["); colour != c.colour {
				t.Errorf("colour is %v, want %v: %q", colour, c.colour, line)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(patience):
				t.Errorf("it does not end")
			}
		})
	}
}
