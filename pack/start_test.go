package pack_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

// TestStart runs what OnStart registered in order, and closes it in the opposite order.
func TestStart(t *testing.T) {
	t.Parallel()
	var did []string
	opens := func(name string, err error) func(context.Context) (pack.StopFunc, error) {
		return func(ctx context.Context) (pack.StopFunc, error) {
			did = append(did, "open "+name)
			return func(context.Context) error {
				if ctx.Err() == nil {
					t.Errorf("%s is closed while the context of its start lives", name)
				}
				did = append(did, "close "+name)
				return errors.New(name + " failed")
			}, err
		}
	}

	b := pack.New("t", "1.0.0")
	b.OnStart(opens("a", nil))
	b.OnStart(func(context.Context) (pack.StopFunc, error) { return nil, nil })
	b.OnStart(opens("b", nil))
	stop, err := b.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(t.Context()); err == nil || err.Error() != "b failed\na failed" {
		t.Errorf("closing: %v", err)
	}
	if want := []string{"open a", "open b", "close b", "close a"}; !slices.Equal(did, want) {
		t.Errorf("did %q, want %q", did, want)
	}

	did = nil
	broken := errors.New("no database")
	b.OnStart(opens("c", broken)) // what it opened is closed, too
	b.OnStart(opens("d", nil))
	stop, err = b.Start(t.Context())
	registration, ok := errors.AsType[*pack.RegistrationError](err)
	if !ok || !strings.HasSuffix(registration.File, "start_test.go") || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if want := []string{"open a", "open b", "open c", "close c", "close b", "close a"}; !slices.Equal(did, want) {
		t.Errorf("did %q, want %q", did, want)
	}
	if err := stop(t.Context()); err != nil {
		t.Errorf("closing what did not start: %v", err)
	}
}

func TestStartSurvivesPanics(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	b.OnStart(func(context.Context) (pack.StopFunc, error) {
		return func(context.Context) error { panic("stop boom") }, nil
	})
	stop, err := b.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "panic: stop boom (at ") || !strings.Contains(err.Error(), "start_test.go:") {
		t.Errorf("got %v", err)
	}
	b.OnStart(func(context.Context) (pack.StopFunc, error) { panic("start boom") })
	if _, err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "OnStart: panic: start boom") {
		t.Errorf("got %v", err)
	}
	b.OnStart(nil)
	if _, err := b.Index(pack.Pins{}); err == nil || !strings.Contains(err.Error(), "OnStart: the function is nil") {
		t.Errorf("got %v", err)
	}
}

// served is a shop that serves.
type served struct {
	cmd    *exec.Cmd
	stderr *bufio.Scanner
	stdout strings.Builder
	log    strings.Builder
}

func serveShop(t *testing.T, test string, env ...string) *served {
	t.Helper()
	s := &served{cmd: exec.CommandContext(t.Context(), shopPath(t))}
	s.cmd.Env = []string{"PORT=0", "KINDGI_PACK_SERVICE_TOKEN=secret", "SHOP_DATABASE=d", "SHOP_BUCKET=b", "SHOP_OTHER=x", "KINDGI_SHOP_TEST=" + test}
	s.cmd.Env = append(s.cmd.Env, env...) // the last of a name counts
	s.cmd.Stdout = &s.stdout
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.stderr = bufio.NewScanner(pipe)
	return s
}

// until reads records until one has the text, or to the end when the text is "".
func (s *served) until(text string) {
	for s.stderr.Scan() {
		s.log.WriteString(s.stderr.Text() + "\n")
		if text != "" && strings.Contains(s.stderr.Text(), text) {
			return
		}
	}
}

// end gives the exit code once the process has ended.
func (s *served) end(t *testing.T) int {
	t.Helper()
	s.until("")
	if err := s.cmd.Wait(); err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			t.Fatal(err)
		}
	}
	return s.cmd.ProcessState.ExitCode()
}

// TestServeStarts follows a process that opens something: before it listens, with the
// environment that handlers have, and until it has drained.
func TestServeStarts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		stdout string
		code   int
		signal string // the record after which a signal is sent; "" for none
		log    []string
		env    []string
	}{
		{"start", "opened true false\nclosed: context canceled\n", 0, `"listening"`, []string{`"the shop's own record"`, `"listening"`, `"draining"`, `"the shop is closed"`, `"stopped"`}, nil},
		{"stop-fails", "opened true false\nclosed: context canceled\n", 0, `"listening"`,
			[]string{`"listening"`, `"draining"`, `"event":"stop-failed","err":{"name":"Error","message":"the database does not close"`, `"stopped"`}, nil},
		{"start-fails", "opened true false\n", 1, "", []string{`"the shop's own record"`, `"event":"boot-failed","problems":["pack/testdata/shop/start.go:16: OnStart: the database is locked"]`}, nil},
		{"start-panics", "opened true false\n", 1, "", []string{`"event":"boot-failed","problems":["pack/testdata/shop/start.go:16: OnStart: panic: no database (at `}, nil},
		{"start-waits", "opened true false\n", 0, `"env-dropped"`, []string{`"env-dropped"`, `"draining"`, `"stopped"`}, nil},
		// Nothing is opened for calls that will not come.
		{"start", "", 0, `"listening"`, []string{`"missing-env"`, `"listening"`, `"draining"`, `"stopped"`}, []string{"SHOP_DATABASE="}},
		{"start", "opened true false\nclosed: context canceled\n", 0, `"listening"`, []string{`"missing-env"`, `"listening"`, `"stopped"`}, []string{"SHOP_BUCKET=", "KINDGI_PACK_ENV_CHECK=warn"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := serveShop(t, test.name, test.env...)
			if test.signal != "" {
				s.until(test.signal)
				if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
					t.Skipf("no signals here: %v", err)
				}
			}
			code := s.end(t)
			if code != test.code || test.name != "start-waits" && s.stdout.String() != test.stdout {
				t.Errorf("exit code %d, standard output %q\n%s", code, s.stdout.String(), s.log.String())
			}
			rest := s.log.String()
			for _, want := range test.log {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Errorf("no %s in its place among the records:\n%s", want, s.log.String())
				}
				rest = after
			}
			if !slices.Contains(test.log, `"listening"`) && strings.Contains(s.log.String(), `"listening"`) {
				t.Errorf("it listened:\n%s", s.log.String())
			}
		})
	}
}

// TestCommandsStart: call needs what handlers need, the others do not.
func TestCommandsStart(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"list"}, {"version"}, {"schema", "acme.shop.wait"}} {
		if got := (command{args: args, env: []string{"KINDGI_SHOP_TEST=start-fails"}}).run(t); got.code != 0 || strings.Contains(got.stdout, "opened") {
			t.Errorf("%v: exit code %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	// What main itself has logged is not lost, however short the command.
	for _, args := range [][]string{{"list"}, {"version"}, {"help"}, {"nothing"}} {
		if got := (command{args: args, env: []string{"KINDGI_SHOP_TEST=logs"}}).run(t); !strings.Contains(got.stderr, "main's own record") {
			t.Errorf("%v: a record of main's is lost:\n%s", args, got.stderr)
		}
	}
	call := []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`}
	got := command{args: call, env: []string{"KINDGI_SHOP_TEST=start"}}.run(t)
	if !strings.Contains(got.stderr, "the shop's own record") {
		t.Errorf("a record of the pack's own logger is lost:\n%s", got.stderr)
	}
	if got.code != 0 || !strings.HasPrefix(got.stdout, "opened true false\n") || !strings.HasSuffix(got.stdout, "closed: context canceled\n") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	got = command{args: call, env: []string{"KINDGI_SHOP_TEST=start-fails"}}.run(t)
	if got.code != 1 || !strings.Contains(got.stderr, "call: pack/testdata/shop/start.go:16: OnStart: the database is locked\n") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestCallInterrupted cancels the call by a signal, and closes what was opened.
func TestCallInterrupted(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), shopPath(t), "call", "acme.shop.wait")
	cmd.Env = []string{"KINDGI_SHOP_TEST=start", "KINDGI_LOG_FORMAT=pretty", "SHOP_DATABASE=d", "SHOP_BUCKET=b"}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout := bufio.NewScanner(pipe)
	if !stdout.Scan() {
		t.Fatal("it opens nothing")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skipf("no signals here: %v", err)
	}
	closed := stdout.Scan() && stdout.Text() == "closed: context canceled"
	_ = cmd.Wait() // its exit code says it
	if code := cmd.ProcessState.ExitCode(); code != 1 || !closed {
		t.Errorf("exit code %d, closed: %v", code, closed)
	}
	_, after, _ := strings.Cut(stderr.String(), "\ncancelled: acme.shop.wait was cancelled\n")
	if !strings.HasSuffix(after, "the shop is closed\n") {
		t.Errorf("standard error:\n%s", stderr.String())
	}
}

// TestServePortTaken says which setting is to change.
func TestServePortTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	got := command{args: []string{"--host", "127.0.0.1"}, env: []string{"PORT=" + port, "KINDGI_PACK_SERVICE_TOKEN=secret", "SHOP_DATABASE=d", "SHOP_BUCKET=b", "KINDGI_SHOP_TEST=start"}}.run(t)
	if got.code != 1 || !strings.Contains(got.stderr, `"problems":["Cannot listen: listen tcp 127.0.0.1:`+port+`: bind: `) ||
		!strings.Contains(got.stderr, "; PORT sets another port, --host another address\"]") || !strings.HasSuffix(got.stderr, "\"the shop is closed\"}\n") {
		t.Errorf("exit %d, %s", got.code, got.stderr)
	}
}
