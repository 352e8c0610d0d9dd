package record_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
)

// settle lets the writer catch up now and then, as it does while calls run: a loop that only logs would
// measure a queue that is always full.
func settle(b *testing.B, h *record.Handler, i *int) {
	if *i++; *i%64 == 0 {
		_ = h.Flush(b.Context())
	}
}

// callIDs are those a runtime sends with a tool call.
func callIDs() *record.IDs {
	return &record.IDs{
		TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", SpanID: "00f067aa0ba902b7",
		RequestID: "call_0123456789", TenantID: "0b9f1a52-5a0c-4f6e-8f0a-1f4a5b6c7d8e",
		ProjectID: "1b9f1a52-5a0c-4f6e-8f0a-1f4a5b6c7d8e", OrgID: "2b9f1a52-5a0c-4f6e-8f0a-1f4a5b6c7d8e",
		RunID: "4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13", ToolID: "acme.orders.lookup", Subsystem: "pack.tool",
	}
}

func BenchmarkCall(b *testing.B) {
	run := func(b *testing.B, ids *record.IDs) {
		h := record.New(io.Discard, record.Config{})
		r := record.CallRecord{Target: "tool", ID: "acme.orders.lookup", Outcome: "ok", Duration: 12 * time.Millisecond, IDs: ids}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			h.Call(&r)
			settle(b, h, &i)
		}
	}
	b.Run("ids", func(b *testing.B) { run(b, callIDs()) })
	b.Run("no ids", func(b *testing.B) { run(b, nil) })
	b.Run("secrets", func(b *testing.B) {
		ids := callIDs()
		ids.Secrets = []string{"sk_live_0123456789abcdef", "another-secret-value", "p4ssw0rd-of-the-database"}
		run(b, ids)
	})
	b.Run("idle stream", func(b *testing.B) {
		// Every record finds the writer's goroutine gone, as under light load.
		h := record.New(io.Discard, record.Config{})
		r := record.CallRecord{Target: "tool", ID: "acme.orders.lookup", Outcome: "ok", Duration: 12 * time.Millisecond, IDs: callIDs()}
		b.ReportAllocs()
		for b.Loop() {
			h.Call(&r)
			_ = h.Flush(b.Context())
		}
	})
	b.Run("parallel", func(b *testing.B) {
		h := record.New(io.Discard, record.Config{})
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			r := record.CallRecord{Target: "tool", ID: "acme.orders.lookup", Outcome: "ok", Duration: 12 * time.Millisecond, IDs: callIDs()}
			i := 0
			for pb.Next() {
				h.Call(&r)
				settle(b, h, &i)
			}
		})
	})
}

func BenchmarkEvent(b *testing.B) {
	h := record.New(io.Discard, record.Config{})
	ids := callIDs()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		settle(b, h, &i)
		h.Event(slog.LevelInfo, "call", "tool acme.orders.lookup ok 12ms", ids, slog.String("target", "tool"),
			slog.String("id", "acme.orders.lookup"), slog.String("outcome", "ok"), slog.Int64("durationMs", 12))
	}
}

func BenchmarkHandle(b *testing.B) {
	ids := callIDs()
	h := record.New(io.Discard, record.Config{})
	bound, free := slog.New(h.WithIDs(ids)), slog.New(h)
	ctx := context.WithValue(context.Background(), record.Key{}, ids)
	b.Run("bound ids, three fields", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			settle(b, h, &i)
			bound.LogAttrs(ctx, slog.LevelInfo, "order found", slog.String("number", "A-1"), slog.Int("lines", 3), slog.Bool("paid", true))
		}
	})
	b.Run("ids of the context, three fields", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			settle(b, h, &i)
			free.LogAttrs(ctx, slog.LevelInfo, "order found", slog.String("number", "A-1"), slog.Int("lines", 3), slog.Bool("paid", true))
		}
	})
	b.Run("below the level", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			settle(b, h, &i)
			bound.LogAttrs(ctx, slog.LevelDebug, "order found", slog.String("number", "A-1"))
		}
	})
	b.Run("error", func(b *testing.B) {
		err := errors.New("no such order")
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			settle(b, h, &i)
			bound.LogAttrs(ctx, slog.LevelError, "order not found", slog.Any("err", err))
		}
	})
	b.Run("struct", func(b *testing.B) {
		v := struct {
			Number string `json:"number"`
			Token  string `json:"token"`
			Lines  []int  `json:"lines"`
		}{"A-1", "secret", []int{1, 2, 3}}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			settle(b, h, &i)
			bound.LogAttrs(ctx, slog.LevelInfo, "order", slog.Any("order", &v))
		}
	})
}

func BenchmarkNewSpanID(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		record.NewSpanID()
	}
}

func BenchmarkParseTraceParent(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		record.ParseTraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	}
}
