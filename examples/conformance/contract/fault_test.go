package contract_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pipes is a service whose output the test reads, or does not.
type pipes struct {
	*service
	stdout, stderr *os.File
	ended          chan struct{}
	cmd            *exec.Cmd
}

// startWithPipes starts a service and reads its standard error up to the listening record;
// from there on nobody reads anything.
func startWithPipes(t *testing.T, s setup) *pipes {
	t.Helper()
	stdout, stdoutEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, stderrEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &pipes{stdout: stdout, stderr: stderr, ended: make(chan struct{})}
	p.cmd = exec.Command(binary("conformance"), "--host", "127.0.0.1")
	p.cmd.Env = s.environ(t)
	p.cmd.Stdout, p.cmd.Stderr = stdoutEnd, stderrEnd
	err = p.cmd.Start()
	_, _ = stdoutEnd.Close(), stderrEnd.Close()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // its error is the exit code
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
		_, _ = stdout.Close(), stderr.Close()
	})
	line, err := bufio.NewReaderSize(stderr, 1<<10).ReadString('\n')
	port := listeningPort.FindStringSubmatch(line)
	if err != nil || port == nil {
		t.Fatalf("got %q, %v", line, err)
	}
	p.service = &service{address: net.JoinHostPort("127.0.0.1", port[1]), client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

// terminates asserts that a signal ends the process in order.
func (p *pipes) terminates(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

// When nobody reads what a handler prints any more, the handler's print fails, not the call
// and not the process.
func TestClosedStdout(t *testing.T) {
	t.Parallel()
	p := startWithPipes(t, setup{})
	_ = p.stdout.Close()
	for range 3 {
		p.call(t, "conformance.noisy", `{}`).returned(t, `{"ok":true}`)
	}
	p.terminates(t)
}

// When nobody reads the records any more, calls are answered all the same.
func TestClosedStderr(t *testing.T) {
	t.Parallel()
	p := startWithPipes(t, setup{})
	_ = p.stderr.Close()
	for range 3 {
		p.call(t, "conformance.noisy", `{}`).returned(t, `{"ok":true}`)
		p.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	}
	p.terminates(t)
}

// A reader of the records that stands still does not hold up a call.
func TestBlockedStderr(t *testing.T) {
	t.Parallel()
	p := startWithPipes(t, setup{})
	for range 2000 { // more records than a pipe holds
		p.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	}
	p.terminates(t)
}

// Both closed from the start, as some supervisors do.
func TestNoOutputAtAll(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	// The shell closes them, which exec.Cmd cannot.
	cmd := exec.Command("/bin/sh", "-c", `exec "$0" --host 127.0.0.1 <&- >&- 2>&-`, binary("conformance"))
	cmd.Env = setup{env: map[string]string{"PORT": port}}.environ(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // its error is the exit code
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	})
	svc := &service{address: net.JoinHostPort("127.0.0.1", port), client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(svc.client.CloseIdleConnections)
	svc.eventually(t, "listener", func() bool {
		select {
		case <-ended:
			t.Fatalf("it ended with %v", cmd.ProcessState)
		default:
		}
		_, err := svc.try(t.Context(), "GET", "/readyz", nil)
		return err == nil
	})
	for range 3 {
		svc.call(t, "conformance.noisy", `{}`).returned(t, `{"ok":true}`)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("exit code %d, want 0", code)
		}
	case <-time.After(patience):
		t.Error("it does not end")
	}
}

// A head that does not come whole ends its connection, in its time.
func TestHeadersTimeOut(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	waiting := map[string]*wire{} // all of them at once
	for _, head := range []string{"GET /healthz", "GET /healthz HTTP/1.1\r\nHost: pack\r\n", rawHead("Content-Length: 5")[:40]} {
		waiting[head] = svc.dial(t)
		waiting[head].send(t, head)
	}
	for head, w := range waiting {
		// It may be told why, or just hung up on.
		rest, err := io.ReadAll(w.reader)
		if err != nil {
			t.Errorf("%q: the connection stays open: %v", head, err)
		}
		if len(rest) > 0 && !strings.HasPrefix(string(rest), "HTTP/1.1 408") && !strings.HasPrefix(string(rest), "HTTP/1.1 400") {
			t.Errorf("%q: got %.200q", head, rest)
		}
	}
}

// Callers that vanish while they read their answer give their slot back.
func TestVanishInTheAnswer(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "2"}})
	message, text := padded(4 << 20)
	for _, n := range []int64{1, 100, 1 << 16, 1 << 20} {
		for range 2 {
			w := svc.dial(t)
			w.send(t, rawInvoke(message))
			if _, err := io.CopyN(io.Discard, w.reader, n); err != nil {
				t.Fatal(err)
			}
			_ = w.Close()
		}
		for range 2 {
			svc.eventually(t, "free slot", func() bool {
				return svc.call(t, "conformance.echo", `{"message":"hi"}`).status == http.StatusOK
			})
		}
	}
	// A slow reader gets all of it: no time limit cuts an answer.
	w := svc.dial(t)
	w.send(t, rawInvoke(message))
	head, err := w.reader.Peek(200)
	if err != nil {
		t.Fatal(err)
	}
	svc.call(t, "conformance.sleep", `{"ms":1500}`).returned(t, `{"slept":1500}`)
	if got := w.receive(t, "POST").output(t); got != fmt.Sprintf(`{"message":%q}`, text) {
		t.Errorf("the answer is not whole; it began with %q", head)
	}
}

// One processor is enough.
func TestOneProcessor(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"GOMAXPROCS": "1"}})
	spin := svc.begin(t, toolCall("edges.spin", `{"ms":2000}`), "kindgi-timeout-ms", "500")
	spin.wait(t).failed(t, "deadline-exceeded", "edges.spin passed its deadline")
	svc.call(t, "edges.empty", `{}`).returned(t, `{"A":[],"M":{}}`)
	svc.event(t, "handler-finished-late")
}
