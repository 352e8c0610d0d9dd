package pack_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/kindgi/kindgi-go/pack/packtest" // declares the flag -update
)

// shopBinary is the built pack of testdata/shop.
var shopBinary string

func TestMain(m *testing.M) { os.Exit(withShop(m)) }

func withShop(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // a test runs it as another user
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	shopBinary = filepath.Join(dir, "shop.exe")
	if out, err := exec.Command("go", "build", "-o", shopBinary, "./testdata/shop").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building testdata/shop: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// command is one run of the shop's binary.
type command struct {
	args  []string
	env   []string // beside a few that every process has
	dir   string
	stdin io.Reader
	edit  func(*exec.Cmd)
}

// ran is what a command left behind.
type ran struct {
	stdout, stderr string
	code           int
}

func (c command) run(t testing.TB) ran {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shopBinary, c.args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "SHOP_DATABASE=d", "SHOP_BUCKET=b"}, c.env...)
	cmd.Dir, cmd.Stdin = c.dir, c.stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.edit != nil {
		c.edit(cmd)
	}
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() < 0) {
		t.Fatalf("shop %q: %v\n%s", c.args, err, stderr.String())
	}
	return ran{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// shop runs the shop's binary.
func shop(t testing.TB, args ...string) ran {
	t.Helper()
	return command{args: args}.run(t)
}

// want fails the test unless the command did exactly this.
func (r ran) want(t testing.TB, code int, stdout, stderr string) {
	t.Helper()
	if r.code != code || r.stdout != stdout || r.stderr != stderr {
		t.Errorf("exit %d\nstdout %q\nstderr %q\nwant exit %d\nstdout %q\nstderr %q", r.code, r.stdout, r.stderr, code, stdout, stderr)
	}
}

// golden compares a text with a file of testdata, or writes it with -update.
func golden(t testing.TB, file, got string) {
	t.Helper()
	name := filepath.Join("testdata", file)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; write it with go test . -update", err)
	}
	if got != string(want) {
		t.Errorf("it is not what %s has; if it should change, run go test . -update\ngot:\n%s", name, got)
	}
}

// lastLine gives a text's last line.
func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
