package record_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
	"go.uber.org/goleak"
)

// No test may leave a writer's goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gate is a writer that takes nothing while it is shut.
type gate struct {
	stream
	mu   sync.Mutex
	open chan struct{}
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = make(chan struct{})
}

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	<-open
	return g.stream.Write(p)
}

func TestRecordsAreWrittenInOrder(t *testing.T) {
	t.Parallel()
	var s stream
	h := record.New(&s, record.Config{})
	const workers, each = 8, 500
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			log := slog.New(h).With("worker", w)
			for n := range each {
				log.Info("m", "n", n)
			}
		})
	}
	wg.Wait()
	var next [workers]int
	for _, line := range written(t, h, &s) {
		var m struct{ Worker, N int }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m.N != next[m.Worker] {
			t.Fatalf("worker %d: record %d where %d belongs", m.Worker, m.N, next[m.Worker])
		}
		next[m.Worker]++
	}
	for w, n := range next {
		if n != each {
			t.Errorf("worker %d: %d records, want %d", w, n, each)
		}
	}
}

// fill hands records over until one of them had to wait, and gives how many were and how long it was.
func fill(log *slog.Logger) (n int, waited time.Duration) {
	log.Info("first")
	time.Sleep(10 * time.Millisecond) // until the writer has taken it, and stands still
	for n = 2; waited == 0; n++ {
		began := time.Now()
		log.Info(strings.Repeat("x", 1000), "n", n)
		waited = time.Since(began) // in a bubble, only a wait takes time
	}
	return n - 1, waited
}

func TestStreamStandsStill(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		h := record.New(g, record.Config{})
		log := slog.New(h)
		handed, waited := fill(log)
		if waited != 100*time.Millisecond {
			t.Errorf("the record that found no room waited %v", waited)
		}
		// Nobody waits again, and what is not to be dropped is not.
		began := time.Now()
		for range 500 {
			log.Info(strings.Repeat("x", 1000))
			handed++
		}
		h.Event(slog.LevelInfo, "draining", "draining", nil)
		h.Call(&record.CallRecord{Target: "tool", ID: strings.Repeat("x", 1000), Outcome: "ok"})
		handed++
		h.Event(slog.LevelInfo, "stopped", "stopped", nil)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("later records waited %v", waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := h.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Flush gave %v while the stream stands still", err)
		}

		close(g.open)
		lines := written(t, h, &g.stream)
		if last := lines[len(lines)-1]; !strings.Contains(last, "records-dropped") {
			t.Errorf("Flush did not wait for the notice: the last record is %s", last)
		}
		log.Info("after")
		lines = append(lines, written(t, h, &g.stream)[len(lines):]...)
		var taken, dropped int
		var events []string
		for _, line := range lines {
			var m struct {
				Event   string
				Dropped int
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			switch m.Event {
			case "":
				taken++
			case "records-dropped":
				dropped += m.Dropped
				fallthrough
			default:
				events = append(events, m.Event)
			}
		}
		if taken-1+dropped != handed || dropped < 502 {
			t.Errorf("%d records written and %d dropped of %d", taken-1, dropped, handed)
		}
		if got := strings.Join(events, " "); got != "draining stopped records-dropped" {
			t.Errorf("events: %s", got)
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, `"after"`) {
			t.Errorf("the last record is %s", last)
		}

		// The next time is as the first.
		g.shut()
		if _, waited := fill(log); waited != 100*time.Millisecond {
			t.Errorf("the record that found no room the second time waited %v", waited)
		}
		close(g.open)
		written(t, h, &g.stream)
	})
}

// A stream that is only slow holds callers up, and loses nothing.
func TestStreamIsSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		h := record.New(g, record.Config{})
		go func() {
			time.Sleep(50 * time.Millisecond)
			close(g.open)
		}()
		handed, _ := fill(slog.New(h))
		if got := len(written(t, h, &g.stream)); got != handed {
			t.Errorf("%d records written of %d", got, handed)
		}
	})
}

// A real pipe that nobody reads, as when a supervisor hangs.
func TestBlockedPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	h := record.New(w, record.Config{})
	log := slog.New(h)
	const handed = 5000
	for n := range handed {
		log.Info(strings.Repeat("x", 1000), "n", n)
	}
	h.Event(slog.LevelInfo, "stopped", "stopped", nil)

	var got bytes.Buffer
	read := make(chan error, 1)
	go func() {
		_, err := got.ReadFrom(r)
		read <- err
	}()
	if err := h.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	log.Info("after")
	if err := h.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), <-read, r.Close()); err != nil {
		t.Fatal(err)
	}
	taken, dropped := 0, 0
	for line := range strings.Lines(got.String()) {
		var m struct {
			Message string
			Dropped int
			N       *int
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m.N != nil {
			taken++
		}
		dropped += m.Dropped
	}
	if dropped == 0 || taken+dropped != handed {
		t.Errorf("%d records written and %d dropped of %d", taken, dropped, handed)
	}
	if !strings.Contains(got.String(), `"event":"stopped"`) || !strings.Contains(got.String(), `"after"`) {
		t.Error("the service's own record, or the one after the stall, is missing")
	}
}

func TestClosedPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h := record.New(w, record.Config{})
	log := slog.New(h)
	for range 10000 {
		log.Info(strings.Repeat("x", 1000)) // neither blocks nor fails
	}
	if err := h.Flush(t.Context()); err == nil {
		t.Error("Flush does not tell that the stream is closed")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	log.Info("m")
	if err := h.Flush(t.Context()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Flush gave %v", err)
	}
}

// script is a writer that does with each write what its step says.
type script struct {
	stream
	steps []func(p []byte) (int, error)
}

func (s *script) Write(p []byte) (int, error) {
	if len(s.steps) == 0 {
		return s.stream.Write(p)
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	n, err := step(p)
	_, _ = s.stream.Write(p[:max(0, min(n, len(p)))])
	return n, err
}

func TestStreamFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	fail := func(n int, err error) func([]byte) (int, error) {
		return func([]byte) (int, error) { return n, err }
	}
	tests := []struct {
		name    string
		steps   []func([]byte) (int, error)
		want    string // the messages, or what else is on each line
		dropped int
	}{
		{"whole record lost", []func([]byte) (int, error){fail(0, full)}, "1 record dropped|two|three", 1},
		{"part of a record written", []func([]byte) (int, error){fail(10, full)}, "FRAGMENT|1 record dropped|two|three", 1},
		{"the new line is lost, too", []func([]byte) (int, error){fail(10, full), fail(0, full)}, "FRAGMENT|2 records dropped|three", 2},
		{"short write without an error", []func([]byte) (int, error){fail(10, nil)}, "FRAGMENT|1 record dropped|two|three", 1},
		{"impossible count", []func([]byte) (int, error){fail(-1, full)}, "1 record dropped|two|three", 1},
		{"too large a count", []func([]byte) (int, error){fail(1<<20, nil)}, "one|two|three", 0},
		{"panic", []func([]byte) (int, error){func([]byte) (int, error) { panic("boom") }}, "1 record dropped|two|three", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &script{steps: tt.steps}
			h := record.New(w, record.Config{})
			failed := 0
			for _, message := range []string{"one", "two", "three"} {
				slog.New(h).Info(message)
				if err := h.Flush(t.Context()); err != nil {
					failed++
				}
			}
			if want := min(1, tt.dropped) * len(tt.steps); failed != want {
				t.Errorf("%d flushes failed, want %d", failed, want)
			}
			var got []string
			for line := range strings.Lines(w.String()) {
				var m struct {
					Message string
					Dropped int
				}
				switch err := json.Unmarshal([]byte(line), &m); {
				case err != nil:
					got = append(got, "FRAGMENT")
				case m.Dropped > 0:
					got = append(got, fmt.Sprintf("%d record%s dropped", m.Dropped, strings.Repeat("s", min(1, m.Dropped-1))))
				default:
					got = append(got, m.Message)
				}
			}
			if strings.Join(got, "|") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), tt.want)
			}
		})
	}
}

// What goes into one write of a pipe stays in one piece, so a write never ends inside a record that fits.
func TestWritesAreWholeRecords(t *testing.T) {
	t.Parallel()
	open := make(chan struct{})
	var writes [][]byte
	w := writerFunc(func(p []byte) (int, error) {
		<-open
		writes = append(writes, bytes.Clone(p))
		return len(p), nil
	})
	h := record.New(w, record.Config{})
	for n := range 100 {
		slog.New(h).Info(strings.Repeat("x", n*7%300))
	}
	slog.New(h).Info(strings.Repeat("long", 5000))
	slog.New(h).Info("last")
	close(open)
	if err := h.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(writes) > 100 {
		t.Errorf("%d writes for 102 records", len(writes))
	}
	for _, p := range writes {
		lines := bytes.Count(p, []byte("\n"))
		if p[len(p)-1] != '\n' || len(p) > 4096 && lines > 1 {
			t.Errorf("a write of %d bytes, %d lines, that ends in %q", len(p), lines, p[len(p)-1])
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestFlushWithNothingToWrite(t *testing.T) {
	t.Parallel()
	h := record.New(writerFunc(func([]byte) (int, error) { return 0, errors.New("never called") }), record.Config{})
	if err := h.Flush(t.Context()); err != nil {
		t.Error(err)
	}
}

// The last thing a process hears of its log is that something is missing.
func TestFlushWaitsForTheNotice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		records, notice := make(chan struct{}), make(chan struct{})
		h := record.New(writerFunc(func(p []byte) (int, error) {
			<-records
			if bytes.Contains(p, []byte("records-dropped")) {
				<-notice
			}
			return len(p), nil
		}), record.Config{})
		fill(slog.New(h))
		close(records)
		flushed := make(chan error, 1)
		go func() { flushed <- h.Flush(t.Context()) }()
		synctest.Wait()
		select {
		case <-flushed:
			t.Error("Flush returned before the notice was written")
		default:
		}
		close(notice)
		if err := <-flushed; err != nil {
			t.Error(err)
		}
	})
}
