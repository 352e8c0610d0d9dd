package record_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/slogtest"

	"github.com/kindgi/kindgi-go/internal/record"
)

// stream is a writer that keeps what is written.
type stream struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// written flushes the handler and gives the lines it wrote.
func written(t testing.TB, h *record.Handler, s *stream) []string {
	t.Helper()
	if err := h.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := s.String()
	if text == "" {
		return nil
	}
	if !strings.HasSuffix(text, "\n") {
		t.Fatalf("the last line is not complete: %q", text)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func TestSlogConformance(t *testing.T) {
	t.Parallel()
	var s *stream
	var h *record.Handler
	slogtest.Run(t, func(*testing.T) slog.Handler {
		s = new(stream)
		h = record.New(s, record.Config{})
		return h
	}, func(t *testing.T) map[string]any {
		lines := written(t, h, s)
		var m map[string]any
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil {
			t.Fatal(err)
		}
		// The message has another key here than slog's own.
		m[slog.MessageKey] = m["message"]
		delete(m, "message")
		return m
	})
}

// contextWith gives a context of the call with the ids.
func contextWith(t testing.TB, ids *record.IDs) context.Context {
	return context.WithValue(t.Context(), record.Key{}, ids)
}

// A record must not cost a call more than three allocations.
func TestAllocations(t *testing.T) { // not in parallel: it counts the whole process's
	h := record.New(io.Discard, record.Config{})
	ids := callIDs()
	ids.Secrets = []string{"a-secret-that-is-looked-for", "another-one-of-more-than-thirty-two-bytes"}
	call := &record.CallRecord{Target: "tool", ID: "acme.orders.lookup", Outcome: "ok", IDs: ids}
	log := slog.New(h.WithIDs(ids))
	for name, write := range map[string]func(){
		"call": func() { h.Call(call) },
		"handler's record": func() {
			log.LogAttrs(t.Context(), slog.LevelInfo, "found", slog.String("number", "A-1"), slog.Int("lines", 3))
		},
	} {
		n := 0
		allocs := testing.AllocsPerRun(1000, func() {
			write()
			if n++; n%100 == 0 {
				_ = h.Flush(t.Context())
			}
		})
		if allocs > 3 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
