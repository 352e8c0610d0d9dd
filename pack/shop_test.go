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
	"sync"
	"testing"

	_ "github.com/kindgi/kindgi-go/pack/packtest" // declares the flag -update
)

// shopFolder holds the built pack; "" while no test has needed it.
var shopFolder string

// shopBinary builds the pack of testdata/shop, once, and gives the path of its binary.
var shopBinary = sync.OnceValues(func() (string, error) {
	var err error
	if shopFolder, err = os.MkdirTemp("", "shop"); err != nil {
		return "", err
	}
	if err := os.Chmod(shopFolder, 0o755); err != nil { // a test runs it as another user
		return "", err
	}
	binary := filepath.Join(shopFolder, "shop.exe")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "./testdata/shop").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building testdata/shop: %w\n%s", err, out)
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if shopFolder != "" {
		_ = os.RemoveAll(shopFolder)
	}
	os.Exit(code)
}

// shopPath gives the path of the shop's binary.
func shopPath(t testing.TB) string {
	t.Helper()
	binary, err := shopBinary()
	if err != nil {
		t.Fatal(err)
	}
	return binary
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
	cmd := exec.CommandContext(t.Context(), shopPath(t), c.args...)
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
