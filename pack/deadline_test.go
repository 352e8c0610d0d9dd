package pack_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

// TestDeadline answers when the deadline passes, though the handler ignores its context,
// and holds the slot until it returns.
func TestDeadline(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	causes := make(chan error, 1)
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.stuck"}, func(ctx context.Context, _ struct{}) (string, error) {
		<-ctx.Done()
		causes <- context.Cause(ctx)
		<-release
		return "late", nil
	})
	pack.AddTool(b, pack.Tool{ID: "t.quick"}, returns("quick"))
	s := start(t, b, pack.Options{MaxConcurrency: 1})

	// Long enough for the handler to begin on a busy machine.
	got := s.call(t, "t.stuck", `{}`, timeoutMs("2000"))
	wantError(t, got, "deadline-exceeded", "t.stuck passed its deadline")
	if cause := <-causes; !errors.Is(cause, pack.ErrDeadlineExceeded) || !errors.Is(cause, context.DeadlineExceeded) {
		t.Errorf("the cause is %v", cause)
	}
	got = s.call(t, "t.quick", `{}`)
	if got.status != http.StatusServiceUnavailable || got.body != `{"error":"overloaded"}` || got.header.Get("Retry-After") != "1" {
		t.Errorf("while the handler holds its slot: got %d %s", got.status, got.body)
	}
	close(release)
	eventually(t, func() bool { return s.call(t, "t.quick", `{}`).status == http.StatusOK })
	eventually(t, func() bool { return strings.Contains(s.log.String(), `"handler-finished-late"`) })
}

// eventually waits for a condition that another goroutine is about to make true.
func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	never := time.After(time.Minute) // long, for a machine that is busy
	for !condition() {
		select {
		case <-never:
			t.Fatal("it never came true")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestHandlerGivesUp tells a handler that returns because its context has ended from one
// that fails.
func TestHandlerGivesUp(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.wait"}, func(ctx context.Context, _ struct{}) (string, error) {
		<-ctx.Done()
		return "", fmt.Errorf("waiting for the ledger: %w", ctx.Err())
	})
	s := start(t, b, pack.Options{})
	// The handler may end before its call is given up, and it may never start: then it is not
	// late. Try until one is.
	eventually(t, func() bool {
		if got := s.call(t, "t.wait", `{}`, timeoutMs("3")); got.Code != "deadline-exceeded" {
			t.Errorf("got %s", got.body)
		}
		return strings.Contains(s.log.String(), `"event":"handler-finished-late"`)
	})
	flush(t, s)
	log := s.log.String()
	for line := range strings.Lines(log) {
		if strings.Contains(line, "handler-finished-late") && !strings.Contains(line, `"level":"info"`) {
			t.Errorf("a handler that heeds its context is warned about: %s", line)
		}
		if strings.Contains(line, "handler-finished-late") && !strings.Contains(line, `"message":"waiting for the ledger: `) {
			t.Errorf("nothing says what it waited for: %s", line)
		}
	}
}

// TestDisconnect cancels the handler's context when the caller goes.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	started, causes := make(chan struct{}), make(chan error, 1)
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.wait"}, func(ctx context.Context, _ struct{}) (string, error) {
		close(started)
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return "", ctx.Err()
	})
	s := start(t, b, pack.Options{})
	ctx, leave := context.WithCancel(t.Context())
	r := s.request(ctx, t, strings.NewReader(toolMessage("t.wait", `{}`)))
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if response, err := http.DefaultClient.Do(r); err == nil {
			response.Body.Close()
		}
	}()
	<-started
	leave()
	if cause := <-causes; !errors.Is(cause, pack.ErrCancelled) || !errors.Is(cause, context.Canceled) {
		t.Errorf("the cause is %v", cause)
	}
	<-gone
	eventually(t, func() bool { return strings.Contains(s.log.String(), `"outcome":"cancelled"`) })
}

// TestManyTimeouts gives every goroutine and every slot back.
func TestManyTimeouts(t *testing.T) {
	t.Parallel()
	const slots = 1000
	var running atomic.Int64
	release := make(chan struct{})
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.stuck"}, func(context.Context, struct{}) (string, error) {
		running.Add(1)
		defer running.Add(-1)
		<-release
		return "", nil
	})
	var met atomic.Int64
	all := make(chan struct{})
	pack.AddTool(b, pack.Tool{ID: "t.meet"}, func(ctx context.Context, _ struct{}) (string, error) {
		if met.Add(1) == slots {
			close(all)
		}
		select {
		case <-all:
			return "met", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
	s := start(t, b, pack.Options{MaxConcurrency: slots})
	done := make(chan string, 2*slots) // nobody is left behind by a test that fails
	for range slots {
		go func() { done <- s.call(t, "t.stuck", `{}`, timeoutMs("50")).Code }()
	}
	for range slots {
		if code := <-done; code != "deadline-exceeded" {
			t.Fatalf("got %s", code)
		}
	}
	close(release)
	eventually(t, func() bool { return running.Load() == 0 })
	// All of the slots are free again: as many calls as there are slots run at once. The last
	// handlers may not have given theirs back yet; a call that is turned away tries again.
	for range slots {
		go func() {
			got := s.call(t, "t.meet", `{}`)
			for got.status == http.StatusServiceUnavailable {
				<-time.After(time.Millisecond)
				got = s.call(t, "t.meet", `{}`)
			}
			done <- string(got.Output)
		}()
	}
	for range slots {
		if output := <-done; output != `"met"` {
			t.Fatalf("got %s", output)
		}
	}
}

// slowToCheck has a pattern whose check takes some microseconds for every byte.
type slowToCheck struct {
	Pad   string   `json:"pad"`
	Words []string `json:"words" jsonschema:"pattern=(?:a?){30}a{30}b$"`
}

// TestDeadlineWhileChecking answers at the deadline though the input is still being checked; the
// handler then never runs.
func TestDeadlineWhileChecking(t *testing.T) {
	t.Parallel()
	var ran atomic.Bool
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.slow"}, func(context.Context, slowToCheck) (struct{}, error) {
		ran.Store(true)
		return struct{}{}, nil
	})
	s := start(t, b, pack.Options{MaxConcurrency: 1})
	long := `{"pad":"` + strings.Repeat("x", 300<<10) + `","words":[`
	word := `"` + strings.Repeat("a", 1000) + `b"`
	valid := func(n int) string { return long + word + strings.Repeat(","+word, n-1) + `]}` }
	wantOutput(t, s.call(t, "test.slow", valid(1)), `{}`)
	if got := s.call(t, "test.slow", long+`1]}`); got.Code != "input-validation-failed" || got.Issues[0].InstancePath != "/words/0" {
		t.Errorf("got %.300s", got.body)
	}
	// How much is too much for the time depends on the machine, and on how busy it is: there may also be no
	// time left when the check begins. While it goes on it holds the slot.
	words, timeout, held := 20, 100, false
	for try := 0; !held && try < 30; try++ {
		ran.Store(false)
		got := s.call(t, "test.slow", valid(words), timeoutMs(strconv.Itoa(timeout)))
		switch {
		case got.Code == "": // it was checked in time
			words = min(2*words, 9000)
		case got.Code != "deadline-exceeded":
			t.Fatalf("got %.300s", got.body)
		case s.call(t, "test.slow", `{}`).status != http.StatusServiceUnavailable:
			timeout += timeout / 2
		default:
			held = true
		}
	}
	if !held {
		t.Fatal("a call that was answered at its deadline never went on being checked")
	}
	eventually(t, func() bool { return strings.Contains(s.log.String(), `"handler-finished-late"`) })
	if ran.Load() {
		t.Error("the handler ran for a call that had been answered")
	}
}

// TestDeadlineIsMonotonic: a clock that is set while a call runs moves no deadline, for each is
// reckoned with the reading of the monotonic clock that it keeps (package time).
func TestDeadlineIsMonotonic(t *testing.T) {
	t.Parallel()
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.deadline"}, func(ctx context.Context, _ struct{}) (struct{}, error) {
		deadline, ok := ctx.Deadline()
		if !ok || !strings.Contains(deadline.String(), " m=") {
			t.Errorf("the deadline is %v, %v", deadline, ok)
		}
		child, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		if inherited, _ := child.Deadline(); inherited.String() != deadline.String() {
			t.Errorf("a context within has %v, want %v", inherited, deadline)
		}
		return struct{}{}, nil
	})
	s := start(t, b, pack.Options{})
	wantOutput(t, s.call(t, "test.deadline", `{}`, timeoutMs("20000")), `{}`)
}

// TestDrain lets calls in flight finish, and turns new ones away.
func TestDrain(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	started, release := addHold(b)
	s := start(t, b, pack.Options{})
	answered := make(chan reply)
	go func() { answered <- s.call(t, "t.hold", `{}`) }()
	<-started
	drained := make(chan error)
	go func() { drained <- s.Drain(context.Background()) }()
	eventually(t, func() bool {
		got := s.call(t, "t.none", `{}`)
		return got.status == http.StatusServiceUnavailable && got.body == `{"error":"draining"}`
	})
	close(release)
	wantOutput(t, <-answered, `"held"`)
	if err := <-drained; err != nil {
		t.Errorf("Drain: %v", err)
	}
	if err := s.Drain(t.Context()); err != nil {
		t.Errorf("draining again: %v", err)
	}
}

// TestDrainCutsOff cancels and answers what still runs when the time is over, a body that
// never comes included.
func TestDrainCutsOff(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	b := pack.New("t", "1.0.0")
	causes := make(chan error, 1)
	pack.AddTool(b, pack.Tool{ID: "t.stuck"}, func(ctx context.Context, _ struct{}) (string, error) {
		close(started)
		<-ctx.Done()
		causes <- context.Cause(ctx)
		<-release
		return "", nil
	})
	s := start(t, b, pack.Options{})
	answered := make(chan reply)
	go func() { answered <- s.call(t, "t.stuck", `{}`) }()
	<-started
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Drain(over); !errors.Is(err, context.Canceled) {
		t.Errorf("Drain: %v", err)
	}
	wantError(t, <-answered, "cancelled", "t.stuck was cancelled")
	if cause := <-causes; !errors.Is(cause, pack.ErrDraining) {
		t.Errorf("the cause is %v", cause)
	}
}

// unread is a response whose caller reads nothing: a write waits until its deadline comes close.
type unread struct {
	discarded
	begun, due chan struct{}
	once       sync.Once
}

func (u *unread) Write([]byte) (int, error) {
	u.once.Do(func() { close(u.begun) })
	<-u.due
	return 0, os.ErrDeadlineExceeded
}

func (u *unread) SetWriteDeadline(at time.Time) error {
	if time.Until(at) < 10*time.Second {
		close(u.due)
	}
	return nil
}

func (u *unread) Flush() {}

// TestDrainWithACallerThatDoesNotRead: once the time of a drain is over it waits a moment for a caller
// that leaves its answer unread, be it a long one or not, and no longer.
func TestDrainWithACallerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	for _, size := range []int{10, 1 << 20} {
		b := pack.New("t", "1.0.0")
		pack.AddTool(b, pack.Tool{ID: "t.answer"}, returns(strings.Repeat("x", size)))
		s := start(t, b, pack.Options{})
		w := &unread{discarded: discarded{http.Header{}}, begun: make(chan struct{}), due: make(chan struct{})}
		go s.ServeHTTP(w, s.request(t.Context(), t, strings.NewReader(toolMessage("t.answer", `{}`))))
		<-w.begun
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Drain(over); !errors.Is(err, context.Canceled) {
			t.Errorf("Drain: %v", err)
		}
	}
}
