package pack_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// deadlines is a response whose reader takes a number of writes and then no more.
type deadlines struct {
	discarded
	takes int
	set   []time.Time
}

func (d *deadlines) Write(b []byte) (int, error) {
	if d.takes--; d.takes < 0 {
		return 0, os.ErrDeadlineExceeded
	}
	return len(b), nil
}

func (d *deadlines) SetWriteDeadline(t time.Time) error { d.set = append(d.set, t); return nil }
func (d *deadlines) Flush()                             {}

// TestLongAnswerHasDeadlines gives each part of a long answer its time, so that a reader
// that takes nothing does not hold it for ever, and a short one none.
func TestLongAnswerHasDeadlines(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.long"}, func(_ context.Context, in struct{ N int }) (string, error) { return strings.Repeat("x", in.N), nil })
	s := start(t, b, pack.Options{})
	for _, test := range []struct{ size, takes, sets int }{{16000, 10, 0}, {20000, 10, 2}, {1 << 20, 10, 6}, {1 << 20, 2, 3}} {
		w := &deadlines{discarded: discarded{header: http.Header{}}, takes: test.takes}
		s.ServeHTTP(w, s.request(t.Context(), t, strings.NewReader(toolMessage("t.long", fmt.Sprintf(`{"N":%d}`, test.size)))))
		if len(w.set) != test.sets {
			t.Errorf("%d bytes to a reader of %d writes: %d deadlines, want %d", test.size, test.takes, len(w.set), test.sets)
		}
		if whole := test.sets%2 == 0 && test.sets > 0; whole != (len(w.set) > 0 && w.set[len(w.set)-1].IsZero()) {
			t.Errorf("%d bytes: the last deadline is %v", test.size, w.set)
		}
	}
}

// TestLongErrorIsCut keeps an endless error text out of the answer.
func TestLongErrorIsCut(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.fails"}, fails(func() error { return errors.New(strings.Repeat("é", 1<<20)) }))
	got := start(t, b, pack.Options{}).call(t, "t.fails", `{}`)
	if len(got.body) > 300<<10 || !strings.HasSuffix(got.Message, " bytes more)") {
		t.Errorf("the answer has %d bytes", len(got.body))
	}
}

type answered struct {
	Message string `json:"message"`
}

// TestMessageAroundAnOutput: the message that carries an output is the protocol's, whatever
// writes the output into it.
func TestMessageAroundAnOutput(t *testing.T) {
	t.Parallel()
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.plain"}, returns(answered{"hi"}))
	pack.AddTool(b, pack.Tool{ID: "test.method"}, returns(jsonAny{Value: "hi"}))
	s := start(t, b, pack.Options{})
	for id, output := range map[string]string{"test.plain": `{"message":"hi"}`, "test.method": `{"value":"hi"}`} {
		if got, want := s.call(t, id, `{}`).body, string(protocol.AppendToolResult(nil, []byte(output))); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}
