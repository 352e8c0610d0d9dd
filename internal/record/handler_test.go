package record_test

import (
	"bytes"
	"context"
	"encoding/json"
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
