package record_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/kindgi/kindgi-go/internal/record"
)

var update = flag.Bool("update", false, "write the golden files")

// coded is an error with a name, a code and a stack of its own.
type coded struct{ wrapped error }

func (e *coded) Error() string { return "charge refused" }
func (e *coded) Name() string  { return "ChargeError" }
func (e *coded) Code() string  { return "card_declined" }
func (e *coded) Stack() string { return "acme.charge\n\tcharge.go:12" }
func (e *coded) Unwrap() error { return e.wrapped }

// statusError has its code in a field.
type statusError struct{ Code int }

func (e statusError) Error() string { return "upstream said no" }

// goldens are the records of the golden files, in both formats.
func goldens(h *record.Handler) {
	ids := &record.IDs{
		TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", SpanID: "00f067aa0ba902b7", RunTraceID: "run-trace",
		RequestID: "call_0", TenantID: "tenant", ProjectID: "project", OrgID: "org", RunID: "run",
		ParentRunID: "parent", AgentID: "agent", AgentVersion: "1.0.0", FlowID: "flow", FlowVersion: "2.0.0",
		ToolID: "acme.lookup", ConversationID: "conversation", ApprovalID: "approval",
		Subsystem: "pack.tool", Secrets: []string{"hunter-2-hunter", "short"},
	}
	few := &record.IDs{TenantID: "tenant", RunID: "run", Subsystem: "pack.tool"}
	ctx := context.WithValue(context.Background(), record.Key{}, few)

	// The service's own.
	h.Event(slog.LevelInfo, "listening", "listening on port 8080", nil,
		slog.Int("port", 8080), slog.String("packId", "acme"), slog.String("artifactVersion", "20260101.1"))
	h.Event(slog.LevelError, "boot-failed", "boot failed", nil, slog.Any("problems", []string{"Missing module: a.go", `Tool "x"`}))
	h.Event(slog.LevelInfo, "draining", "draining", nil)
	h.Event(slog.LevelWarn, "handler-finished-late", "tool acme.lookup finished late", few,
		slog.String("target", "tool"), slog.String("id", "acme.lookup"), slog.Int64("afterMs", 120400))

	// Calls.
	h.Call(&record.CallRecord{Target: "tool", ID: "acme.lookup", Outcome: "ok", Duration: 12900 * time.Microsecond, IDs: ids})
	h.Call(&record.CallRecord{Target: "tool", ID: "acme.lookup", Outcome: "handler-throw", Duration: 0, IDs: few})
	h.Call(&record.CallRecord{Target: "check", ID: "acme.checks.words", Outcome: "ok", Duration: time.Second, IDs: few})
	h.Call(&record.CallRecord{Target: "tool", ID: "acme.\"odd\"\n", Outcome: "tool-not-in-pack"})

	// A handler's.
	log := slog.New(h.WithIDs(ids))
	log.Info("all ids")
	slog.New(h).InfoContext(ctx, "ids of the context", "n", 1)
	slog.New(h.Subsystem("acme.db")).Warn("no ids", "took", 1500*time.Millisecond, "at", time.Date(2026, 1, 2, 3, 4, 5, 6000000, time.UTC))
	log = slog.New(h.WithIDs(few))
	log.Debug("debug")
	log.Log(ctx, record.LevelTrace, "trace")
	log.Info("fields that the record has already", "message", "m", "level", 3, "runId", "other", "kind", "k", "fields", "f")
	h.Event(slog.LevelInfo, "x", "what an id says already", few, slog.String("runId", "run"), slog.String("kind", "other"))
	log.Info("a repeated field", "n", 1, "n", 2)
	log.With("n", 1).With("n", 2, "m", 3).Info("a repeated bound field", "m", 4)
	log.With("a", 1).WithGroup("g").With("b", 2).WithGroup("message").Info("groups", "c", 3, slog.Group("d", "e", 5, slog.Group("none")))
	log.WithGroup("time").Info("a group that the record has already", "zone", "UTC")
	log.WithGroup("empty").Info("an empty group")

	// Errors.
	plain := errors.New("no such order")
	log.Info("error", "err", plain)
	log.Info("error with a stack below error level", "err", &coded{plain})
	log.Error("error with a stack", "err", &coded{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist}})
	log.With("err", &coded{}).Error("bound error with a stack")
	log.With("err", &coded{}).Info("bound error below error level")
	log.Warn("wrapped", "err", fmt.Errorf("look up: %w", statusError{503}))
	log.Warn("joined", "err", errors.Join(plain, statusError{404}))

	// Redaction.
	log.Info("token kgi_bt_0123456789abcdefWXYZ, Authorization: Bearer abc.def, postgres://app:pw@db/orders",
		"apiKey", "k", "promptTokens", 3, "kgi_pk_0123456789abcdefWXYZ", true,
		"header", map[string][]string{"Authorization": {"Basic x"}, "Accept": {"*/*"}},
		"raw", jsontext.Value(`{"password":"p","list":[1.50,{"secret":{}}]}`), slog.Group("credentials", "user", "u"))
	log.With("kgi_bt_a", 1).With("kgi_bt_b", 2).WithGroup("g").With("kgi_bt_c", 3).Info("bound names", "kgi_bt_d", 4)
	secret := slog.New(h.WithIDs(ids))
	secret.Info("say hunter-2-hunter", "hunter-2-hunter", "x", "quoted", `{"p":"hunter\u002d2-hunter"}`, "short", "short")

	// Whatever a handler writes stays on its line.
	log.Info("two\nlines and \x1b[31mcolour", "text", "tab\tquote\" \u0085\u202e", "empty", "", "bad", "a\xffb")
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]record.Config{
		"json":   {Level: record.LevelTrace, Levels: map[string]slog.Level{"pack.tool": slog.LevelInfo}},
		"pretty": {Format: record.Pretty},
		"color":  {Format: record.Pretty, Color: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // the clock stands still
				var s stream
				h := record.New(&s, c)
				goldens(h)
				got := strings.Join(written(t, h, &s), "\n") + "\n"
				file := "testdata/" + name + ".golden"
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
				for i := range max(len(gotLines), len(wantLines)) {
					var g, w string
					if i < len(gotLines) {
						g = gotLines[i]
					}
					if i < len(wantLines) {
						w = wantLines[i]
					}
					if g != w {
						t.Errorf("line %d:\n got %s\nwant %s", i+1, g, w)
					}
				}
			})
		})
	}
}
