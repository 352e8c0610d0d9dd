package environ_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/kindgi/kindgi-go/internal/environ"
)

func actLinux(way, name string) error {
	return environ.TakeWays(name, strings.ReplaceAll(way, "_", " "))
}

// actRaw is act with an environment block that os/exec would tidy up: names twice, entries without a
// name or a value.
func actRaw(t *testing.T, act string, env []string) (r report, block string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.StartProcess(exe, []string{exe}, &os.ProcAttr{
		Env:   append([]string{"PATH=" + os.Getenv("PATH"), actVariable + "=" + act}, env...),
		Files: []*os.File{inR, outW, os.Stderr},
	})
	if err := errors.Join(err, inR.Close(), outW.Close()); err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(outR).Decode(&r); err != nil {
		t.Errorf("child's report: %v", err)
	}
	b, err := os.ReadFile(filepath.Join("/proc", itoa(p.Pid), "environ"))
	if err != nil {
		t.Error(err)
	}
	_ = inW.Close()
	_, _ = io.Copy(io.Discard, outR)
	if _, err := p.Wait(); err != nil {
		t.Error(err)
	}
	_ = outR.Close()
	return r, string(b)
}

func TestTakeEveryOccurrence(t *testing.T) {
	t.Parallel()
	r, block := actRaw(t, "take PACK_TOKEN", []string{"A=1", "PACK_TOKEN=" + secret, "B=2", "PACK_TOKEN=" + secret + "-2", "PACK_TOKEN", "C=3"})
	if r.Value != secret || !r.OK || r.Err != "" {
		t.Errorf("Take gave %q, %t, %s", r.Value, r.OK, r.Err)
	}
	for where, text := range map[string]string{"/proc/PID/environ": block, "os.Environ": strings.Join(r.Environ, "\n"), "a program's environment": r.Child} {
		if strings.Contains(text, secret) {
			t.Errorf("%s still shows it: %q", where, text)
		}
		for _, entry := range []string{"A=1", "B=2", "C=3"} {
			if !strings.Contains(text, entry) {
				t.Errorf("%s lost %s", where, entry)
			}
		}
	}
}

func TestFilterOddEntries(t *testing.T) {
	t.Parallel()
	r, block := actRaw(t, "filter DECLARED", []string{"DECLARED=1", "nameless-" + secret, "=empty-" + secret, "HOME=/x", "GONE=" + secret, "GONE=" + secret, "LANG="})
	if want := []string{actVariable, "GONE"}; !slices.Equal(r.Dropped, want) {
		t.Errorf("dropped %q, want %q", r.Dropped, want)
	}
	for where, text := range map[string]string{"/proc/PID/environ": block, "os.Environ": strings.Join(r.Environ, "\n"), "a program's environment": r.Child} {
		if strings.Contains(text, secret) {
			t.Errorf("%s still shows one: %q", where, text)
		}
		for _, entry := range []string{"DECLARED=1", "HOME=/x", "LANG="} {
			if !strings.Contains(text, entry) {
				t.Errorf("%s lost %s", where, entry)
			}
		}
	}
}

func TestWaysToWrite(t *testing.T) {
	t.Parallel()
	for way, wantErr := range map[string]string{
		"mem": "", "vm": "",
		"none": "no way in", "no_effect": "no effect", "unknown_address": "address unknown",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			r, block := act(t, way+" PACK_TOKEN", []string{"PACK_TOKEN=" + secret, "B=2"})
			if !strings.Contains(r.Err, wantErr) || (r.Err == "") != (wantErr == "") || strings.Contains(r.Err, secret) {
				t.Errorf("got error %q, want %q", r.Err, wantErr)
			}
			if shown := strings.Contains(block, secret); shown != (wantErr != "") {
				t.Errorf("shown: %t; %q", shown, block)
			}
		})
	}
}

// Where /proc is mounted read-only, as in locked-down containers, the value still goes.
func TestReadOnlyProc(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root to mount")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		mount  string
		wantOK bool
	}{
		"read-only": {"mount --bind /proc /proc && mount -o remount,bind,ro /proc", true},
		"missing":   {"mount -t tmpfs none /proc", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("/bin/sh", "-c", c.mount+` && exec env -i PATH="$PATH" `+actVariable+`="take PACK_TOKEN" PACK_TOKEN=`+secret+` "$0"`, exe)
			cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
			if probe := exec.Command("/bin/sh", "-c", c.mount); true {
				probe.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
				if out, err := probe.CombinedOutput(); err != nil {
					t.Skipf("cannot mount here: %v: %s", err, out)
				}
			}
			r, block := run(t, cmd)
			if r.Value != secret || !r.OK {
				t.Errorf("Take gave %q, %t", r.Value, r.OK)
			}
			if c.wantOK != (r.Err == "") || strings.Contains(r.Err, secret) {
				t.Errorf("error %q", r.Err)
			}
			if c.wantOK == strings.Contains(block, secret) {
				t.Errorf("seen from outside: %q", block)
			}
			if !c.wantOK && !strings.Contains(r.Err, environ.ErrStillVisible.Error()) {
				t.Errorf("error %q does not say that the value may be visible", r.Err)
			}
		})
	}
}
