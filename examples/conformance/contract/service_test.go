package contract_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// token is what every service here is started with.
const token = "pack-token-of-the-contract-tests"

// unset as the value of a variable in setup.env takes it out of the environment.
const unset = "\x00unset"

// setup says how a service is started. Beyond what env says, its environment holds only
// PATH, HOME, the token and PORT=0.
type setup struct {
	pack string   // the binary; "conformance" when empty
	args []string // {"--host", "127.0.0.1"} when nil
	env  map[string]string
}

// service is a running process.
type service struct {
	setup
	address        string // host:port
	pid            int
	stdout, stderr *lines
	client         *http.Client

	process *os.Process
	exited  chan struct{} // closed once the process has ended and its output is read
	code    int           // its exit code, once exited is closed; -1 after a signal
}

func (s setup) environ(t testing.TB) []string {
	env := map[string]string{
		"PATH":                      os.Getenv("PATH"),
		"HOME":                      t.TempDir(),
		"KINDGI_PACK_SERVICE_TOKEN": token,
		"PORT":                      "0",
	}
	if s.pack == "edges" {
		env["EDGES_REQUIRED"] = "set"
	}
	for name, value := range s.env {
		env[name] = value
	}
	list := []string{}
	for name, value := range env {
		if value != unset {
			list = append(list, name+"="+value)
		}
	}
	slices.Sort(list)
	return list
}

// launch starts a process and does not wait for anything.
func launch(t testing.TB, s setup) *service {
	t.Helper()
	if s.pack == "" {
		s.pack = "conformance"
	}
	if s.args == nil {
		s.args = []string{"--host", "127.0.0.1"}
	}
	cmd := exec.Command(binary(s.pack), s.args...)
	cmd.Dir = t.TempDir()
	cmd.Env = s.environ(t)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	svc := &service{
		setup:   s,
		pid:     cmd.Process.Pid,
		process: cmd.Process,
		stdout:  collect(stdout),
		stderr:  collect(stderr),
		exited:  make(chan struct{}),
		client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	go func() {
		defer close(svc.exited)
		<-svc.stdout.ended
		<-svc.stderr.ended
		_ = cmd.Wait() // its error is the exit code
		svc.code = cmd.ProcessState.ExitCode()
	}()
	t.Cleanup(func() {
		svc.client.CloseIdleConnections()
		_ = svc.process.Kill() // it may have ended by itself
		<-svc.exited
		for _, line := range svc.stderr.all() {
			if strings.Contains(line, "WARNING: DATA RACE") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
				t.Errorf("the process crashed or raced: %s", line)
			}
		}
		if t.Failed() {
			t.Logf("standard error of %s %q:\n%s", s.pack, s.args, tail(svc.stderr.all()))
		}
	})
	return svc
}

// tail shortens the output of a failed test's service.
func tail(list []string) string {
	const most = 60
	if len(list) > most {
		list = append([]string{fmt.Sprintf("(%d lines more)", len(list)-most)}, list[len(list)-most:]...)
	}
	short := []string{}
	for _, line := range list {
		short = append(short, line[:min(len(line), 600)])
	}
	return strings.Join(short, "\n")
}

// start starts a service and waits until it listens.
func start(t testing.TB, s setup) *service {
	t.Helper()
	svc := launch(t, s)
	line, ok := svc.stderr.wait(t, "listening record", func(line string) bool {
		return listeningPort.MatchString(line)
	})
	if !ok {
		t.Fatalf("the process ended before it listened")
	}
	host := "127.0.0.1"
	if i := slices.Index(svc.args, "--host"); i >= 0 {
		host = svc.args[i+1]
	}
	svc.address = net.JoinHostPort(host, listeningPort.FindStringSubmatch(line)[1])
	return svc
}

// listeningPort finds the port in a listening record, JSON or pretty.
var listeningPort = regexp.MustCompile(`^(?:\{.*"kind":"listening".*"port":|.*listening.*port=\D*)(\d+)`)

// wait waits for the process to end and gives its exit code.
func (s *service) wait(t testing.TB) int {
	t.Helper()
	select {
	case <-s.exited:
		return s.code
	case <-time.After(patience):
		t.Fatalf("the process still runs after %v", patience)
		return -1
	}
}

// signal sends a signal to the process.
func (s *service) signal(t testing.TB, sig syscall.Signal) {
	t.Helper()
	if err := s.process.Signal(sig); err != nil {
		t.Fatalf("sending %v: %v", sig, err)
	}
}

// records gives the records of a kind so far.
func (s *service) records(kind string) []record {
	found := []record{}
	for _, line := range s.stderr.all() {
		if r, ok := parseRecord(line); ok && r.text("kind") == kind {
			found = append(found, r)
		}
	}
	return found
}

// record waits for the first record that matches.
func (s *service) record(t testing.TB, what string, match func(record) bool) record {
	t.Helper()
	var found record
	_, ok := s.stderr.wait(t, what, func(line string) bool {
		r, ok := parseRecord(line)
		if ok && match(r) {
			found = r
			return true
		}
		return false
	})
	if !ok {
		t.Fatalf("the process ended without a record: %s", what)
	}
	return found
}

// event waits for the first record of a kind.
func (s *service) event(t testing.TB, kind string) record {
	t.Helper()
	return s.record(t, kind, func(r record) bool { return r.text("kind") == kind })
}

// callRecord waits for the record of the call with a request id.
func (s *service) callRecord(t testing.TB, requestID string) record {
	t.Helper()
	return s.record(t, "call record of "+requestID, func(r record) bool {
		return r.text("kind") == "call" && r.text("requestId") == requestID
	})
}

// refuses starts a process that must not come up: it ends with code 1 and one record of
// the kind, whose problems it gives.
func refuses(t testing.TB, kind string, s setup) []string {
	t.Helper()
	svc := launch(t, s)
	if code := svc.wait(t); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if len(svc.records("listening")) > 0 {
		t.Errorf("it listened before it refused to start")
	}
	found := svc.records(kind)
	if len(found) != 1 {
		t.Fatalf("%d records of kind %s, want 1", len(found), kind)
	}
	if got := found[0].text("level"); got != "error" {
		t.Errorf("%s has level %q, want error", kind, got)
	}
	return found[0].list(t, "problems")
}

// command runs a pack's binary to its end.
func command(t testing.TB, pack string, env map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary(pack), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = setup{pack: pack, env: env}.environ(t)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			t.Fatal(err)
		}
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// gate is a file that a held handler waits for.
type gate struct{ path string }

func newGate(t testing.TB) gate { return gate{filepath.Join(t.TempDir(), "release")} }

// open lets the handler go on.
func (g gate) open(t testing.TB) {
	t.Helper()
	if err := os.WriteFile(g.path, nil, 0o600); err != nil {
		t.Error(err)
	}
}

// hold starts a call of a tool that prints "NAME: PATH" and waits for the gate, and
// returns once its handler runs.
func (s *service) hold(t testing.TB, tool string, g gate, headers ...string) *pending {
	t.Helper()
	call := s.begin(t, toolCall(tool, fmt.Sprintf(`{"release":%q}`, g.path)), headers...)
	_, name, _ := strings.Cut(tool, ".")
	if _, ok := s.stdout.wait(t, "line of the held handler", func(line string) bool { return line == name+": "+g.path }); !ok {
		t.Fatal("the process ended before the held handler ran")
	}
	return call
}

// dial opens a connection to the service.
func (s *service) dial(t testing.TB) *wire {
	t.Helper()
	conn, err := net.DialTimeout("tcp", s.address, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return newWire(t, conn)
}

// discard reads a body to its end.
func discard(r io.ReadCloser) {
	_, _ = io.Copy(io.Discard, r)
	_ = r.Close()
}
