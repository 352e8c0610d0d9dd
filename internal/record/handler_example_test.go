package record_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
)

// timeless writes records to standard output without their time, which no example can foresee.
type timeless struct{}

func (timeless) Write(p []byte) (int, error) {
	const size = len("HH:MM:SS.mmm ")
	_, err := os.Stdout.Write(p[size:])
	return len(p), err
}

func Example() {
	h := record.New(timeless{}, record.Config{Format: record.Pretty})
	call := &record.IDs{RunID: "run-1", ToolID: "acme.charge", Subsystem: "pack.tool", Secrets: []string{"sk_live_4242"}}

	// A handler's own records: with the ids bound, or found in the context.
	log := slog.New(h.WithIDs(call))
	log.Info("charging", "amount", 1200, "apiKey", "sk_live_4242")
	_ = h.Flush(context.Background())
	ctx := context.WithValue(context.Background(), record.Key{}, call)
	slog.New(h).WarnContext(ctx, "refused", "err", errors.New("POST /charge with sk_live_4242: 402"))
	_ = h.Flush(context.Background())

	// The record of the call.
	h.Call(&record.CallRecord{Target: "tool", ID: "acme.charge", Outcome: "handler-throw", Duration: 12 * time.Millisecond, IDs: call})
	_ = h.Flush(context.Background())

	// Output:
	// INFO [pack.tool] charging runId=run-1 toolId=acme.charge amount=1200 apiKey=[redacted]
	// WARN [pack.tool] refused runId=run-1 toolId=acme.charge err={"name":"Error","message":"POST /charge with [redacted]: 402"}
	// WARN [pack] tool acme.charge handler-throw 12ms runId=run-1 toolId=acme.charge kind=call event=call target=tool id=acme.charge outcome=handler-throw durationMs=12
}

func ExampleHandler_Event() {
	h := record.New(timeless{}, record.Config{Format: record.Pretty, Level: slog.LevelError})
	h.Event(slog.LevelInfo, "listening", "listening on port 8080", nil, slog.Int("port", 8080))
	_ = h.Flush(context.Background())
	// Output:
	// INFO [pack] listening on port 8080 kind=listening event=listening port=8080
}

func ExampleParseConfig() {
	env := map[string]string{"KINDGI_LOG_LEVEL": "loud", "KINDGI_LOG_LEVELS": "pack.tool=debug"}
	config, problems := record.ParseConfig(func(name string) string { return env[name] }, false)
	fmt.Println(config.Levels, problems)
	// Output:
	// map[pack.tool:DEBUG] [KINDGI_LOG_LEVEL is "loud": it must be error, warn, info, debug or trace]
}

func ExampleParseTraceParent() {
	parent, ok := record.ParseTraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	fmt.Println(parent.TraceID, parent.ParentID, parent.Flags, ok)
	// Output:
	// 4bf92f3577b34da6a3ce929d0e0e4736 00f067aa0ba902b7 01 true
}

func ExampleHideSecrets() {
	fmt.Println(record.HideSecrets(`password "hunter\"22hunter" is wrong`, []string{`hunter"22hunter`}))
	// Output:
	// password "[redacted]" is wrong
}
