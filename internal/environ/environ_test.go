package environ_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/internal/environ"
)

// The process environment belongs to the whole process, so every test here starts the test binary
// once more: the child does what actVariable says, reports, and waits until its stdin is closed, so
// that its parent can look at it from outside.
const actVariable = "ENVIRON_TEST_ACT"

type report struct {
	Value    string
	OK       bool
	Err      string
	Dropped  []string
	Environ  []string // what os.Environ gives afterwards
	Child    string   // what a program the child starts finds in its environment
	Block    string   // what the child finds in its own /proc/self/environ
	BlockErr string
}

func TestMain(m *testing.M) {
	act, child := os.LookupEnv(actVariable)
	if !child {
		os.Exit(m.Run())
	}
	var r report
	verb, argument, _ := strings.Cut(act, " ")
	switch verb {
	case "take":
		var err error
		if r.Value, r.OK, err = environ.Take(argument); err != nil {
			r.Err = err.Error()
		}
	case "filter":
		r.Dropped = environ.Filter(strings.Fields(argument))
	default:
		if err := actLinux(verb, argument); err != nil {
			r.Err = err.Error()
		}
	}
	r.Environ = os.Environ()
	if sh, err := exec.LookPath("env"); err == nil {
		out, _ := exec.Command(sh).Output()
		r.Child = string(out)
	}
	if runtime.GOOS == "linux" {
		b, err := os.ReadFile("/proc/self/environ")
		if r.Block = string(b); err != nil {
			r.BlockErr = err.Error()
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(r)
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
	os.Exit(0)
}

// act starts a child with the environment, and gives its report and what /proc shows of it.
func act(t *testing.T, act string, env []string) (r report, block string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), actVariable + "=" + act}, env...)
	return run(t, cmd)
}

func run(t *testing.T, cmd *exec.Cmd) (r report, block string) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(stdout).Decode(&r); err != nil {
		t.Errorf("child's report: %v", err)
	}
	if runtime.GOOS == "linux" {
		b, err := os.ReadFile(filepath.Join("/proc", itoa(cmd.Process.Pid), "environ"))
		if err != nil {
			t.Error(err)
		}
		block = string(b)
	}
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("child: %v", err)
	}
	return r, block
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

const secret = "kgi_bt_0123456789abcdefWXYZ"

func TestTake(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		env       []string
		wantValue string
		wantOK    bool
	}{
		{"set", []string{"A=1", "PACK_TOKEN=" + secret, "Z=last"}, secret, true},
		{"first", []string{"PACK_TOKEN=" + secret}, secret, true},
		{"empty", []string{"PACK_TOKEN="}, "", true},
		{"with equals signs and spaces", []string{"PACK_TOKEN= a=b " + secret + " "}, " a=b " + secret + " ", true},
		{"unset", []string{"PACK_TOKEN_OLD=stays"}, "", false},
		{"long", []string{"PACK_TOKEN=" + strings.Repeat(secret, 2000)}, strings.Repeat(secret, 2000), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, block := act(t, "take PACK_TOKEN", append(tt.env, "OTHER=untouched"))
			if r.Err != "" {
				t.Errorf("error: %s", r.Err)
			}
			if r.Value != tt.wantValue || r.OK != tt.wantOK {
				t.Errorf("Take gave %q, %t, want %q, %t", r.Value, r.OK, tt.wantValue, tt.wantOK)
			}
			for where, text := range map[string]string{
				"/proc/PID/environ":       block,
				"/proc/self/environ":      r.Block,
				"os.Environ":              strings.Join(r.Environ, "\x00"),
				"a program's environment": r.Child,
			} {
				if strings.Contains(text, secret) || strings.Contains(text, "PACK_TOKEN=") {
					t.Errorf("%s still shows it: %q", where, text)
				}
				for _, entry := range tt.env {
					if !strings.HasPrefix(entry, "PACK_TOKEN=") && runtime.GOOS == "linux" && !strings.Contains(text, entry) {
						t.Errorf("%s lost %q", where, entry)
					}
				}
				if runtime.GOOS == "linux" && !strings.Contains(text, "OTHER=untouched") {
					t.Errorf("%s lost OTHER: %q", where, text)
				}
			}
		})
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	kept := []string{
		"HOME=/root", "_=/bin/x", "KINDGI_LOG_LEVEL=debug", "KINDGI_ANYTHING=1", "LC_ALL=C", "OTEL_X=1",
		"CLOUD_RUN_JOB=j", "CONTAINER_APP_NAME=n", "PYTHONPATH=p", "GODEBUG=http2client=0", "GOGC=50",
		"AWS_REGION=eu", "http_proxy=p", "ORDERS_DSN=postgres://u:p@h/db", "__CF_USER_TEXT_ENCODING=0",
	}
	gone := []string{
		"AWS_SECRET_ACCESS_KEY=s3cr3t", "GOOGLE_APPLICATION_CREDENTIALS=/x", "AZURE_CLIENT_SECRET=y",
		"home=/lower", "ORDERS_DSN_OLD=z", "KINDG=no", "Z=", "ORDERS=1",
	}
	r, block := act(t, "filter ORDERS_DSN MISSING", slices.Concat(kept, gone))
	var want []string
	for _, entry := range append(gone, actVariable+"=") {
		name, _, _ := strings.Cut(entry, "=")
		want = append(want, name)
	}
	slices.Sort(want)
	if runtime.GOOS == "windows" {
		t.Skip("names fold there")
	}
	if !slices.Equal(r.Dropped, want) {
		t.Errorf("dropped %q, want %q", r.Dropped, want)
	}
	for where, entries := range map[string][]string{
		"os.Environ":              r.Environ,
		"a program's environment": strings.Split(r.Child, "\n"),
		"/proc/PID/environ":       strings.Split(block, "\x00"),
	} {
		if runtime.GOOS != "linux" && strings.HasPrefix(where, "/proc") {
			continue
		}
		for _, entry := range kept {
			if !slices.Contains(entries, entry) {
				t.Errorf("%s lost %q", where, entry)
			}
		}
		for _, entry := range gone {
			if slices.Contains(entries, entry) {
				t.Errorf("%s still has %q", where, entry)
			}
		}
	}
}
