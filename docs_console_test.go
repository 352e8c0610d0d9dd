package kindgi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestDocsConsole runs every command of the pages' console blocks that shows its output,
// and compares. A line "..." of the page stands for any lines. When a command of a block
// starts a pack and leaves it running ("go run ./PACKAGE &"), the pack runs for the others of
// the block, on another port than 8080.
func TestDocsConsole(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language != "console" {
				continue
			}
			if m := servingCommand.FindStringSubmatch(b.text); m != nil {
				t.Run(page+" "+m[0], func(t *testing.T) {
					t.Parallel()
					process, port := startPack(t, m[2], strings.Fields(m[1])...)
					defer stopPack(t, process)
					address := fmt.Sprintf("localhost:%d", port)
					for _, c := range commandsOf(b.text) {
						c.command = strings.ReplaceAll(c.command, "localhost:8080", address)
						c.run(t, page, b.line)
					}
				})
				continue
			}
			for _, c := range commandsOf(b.text) {
				t.Run(page+" "+c.command, func(t *testing.T) {
					t.Parallel()
					c.run(t, page, b.line)
				})
			}
		}
	}
}

// servingCommand is a command that starts a pack and leaves it running: its settings, its
// package.
var servingCommand = regexp.MustCompile(`(?m)^\$ ((?:[A-Z_]+=\S+ )*)go run (\./\S+) &$`)

type command struct {
	command string
	text    string
	output  *regexp.Regexp
}

// run runs the command and compares its output.
func (c *command) run(t *testing.T, page string, line int) {
	t.Helper()
	// Records and errors are part of what a person sees; the exit status is not.
	out, _ := exec.CommandContext(t.Context(), "bash", "-c", c.command+" 2>&1").Output()
	got := regexp.MustCompile(`(?m)^(exit status \d+|ok .*)\n`).ReplaceAllString(strings.ReplaceAll(string(out), "\r\n", "\n"), "")
	if !c.output.MatchString(got) {
		t.Errorf("%s:%d: $ %s\ngot\n%s\nwant\n%s", page, line, c.command, got, c.text)
	}
}

func commandsOf(text string) []command {
	var all []command
	for part := range strings.SplitSeq("\n"+text, "\n$ ") {
		line, output, _ := strings.Cut(part, "\n")
		// A command goes on after a backslash, and within quotes.
		for output != "" && (strings.HasSuffix(line, "\\") || strings.Count(line, "'")%2 == 1) {
			next, rest, _ := strings.Cut(output, "\n")
			line, output = line+"\n"+next, rest
		}
		if line == "" || strings.TrimSpace(output) == "" {
			continue
		}
		output = strings.TrimSpace(output)
		pattern := strings.ReplaceAll(regexp.QuoteMeta(output), `\.\.\.`, `(?s:.*)`)
		all = append(all, command{line, output, regexp.MustCompile(`^\s*` + pattern + `\s*$`)})
	}
	return all
}

// startPack builds a pack of this repository, starts it with settings of the form NAME=VALUE,
// and gives the port it listens on.
func startPack(t *testing.T, pkg string, settings ...string) (*exec.Cmd, int) {
	t.Helper()
	// The binary itself, rather than go run: signals reach it then.
	binary := filepath.Join(t.TempDir(), "pack")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	process := exec.CommandContext(t.Context(), binary, "--host", "127.0.0.1")
	process.Env = append(append(os.Environ(), "PORT=0"), settings...)
	stderr, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	port := 0
	lines := bufio.NewScanner(stderr)
	for port == 0 && lines.Scan() {
		var record struct {
			Kind string `json:"kind"`
			Port int    `json:"port"`
		}
		if json.Unmarshal(lines.Bytes(), &record) == nil && record.Kind == "listening" {
			port = record.Port
		}
	}
	if port == 0 {
		t.Fatalf("%s does not listen: %v", pkg, process.Wait())
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return process, port
}

// stopPack ends a pack in order.
func stopPack(t *testing.T, process *exec.Cmd) {
	t.Helper()
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil {
		t.Errorf("the pack's exit: %v", err)
	}
}
