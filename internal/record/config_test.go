package record_test

import (
	"context"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/internal/record"
)

func TestParseConfig(t *testing.T) {
	t.Parallel()
	const level, levels, format, noColor = "KINDGI_LOG_LEVEL", "KINDGI_LOG_LEVELS", "KINDGI_LOG_FORMAT", "NO_COLOR"
	tests := []struct {
		name     string
		env      map[string]string
		terminal bool
		want     record.Config
		problems []string // what each contains
	}{
		{name: "nothing set"},
		{name: "nothing set, at a terminal", terminal: true, want: record.Config{Format: record.Pretty, Color: true}},
		{name: "all empty", env: map[string]string{level: "", levels: "", format: "", noColor: ""}},
		{name: "error", env: map[string]string{level: "error"}, want: record.Config{Level: slog.LevelError}},
		{name: "warn", env: map[string]string{level: "warn"}, want: record.Config{Level: slog.LevelWarn}},
		{name: "info", env: map[string]string{level: "info"}, want: record.Config{Level: slog.LevelInfo}},
		{name: "debug", env: map[string]string{level: "debug"}, want: record.Config{Level: slog.LevelDebug}},
		{name: "trace", env: map[string]string{level: "trace"}, want: record.Config{Level: record.LevelTrace}},
		{name: "unknown level", env: map[string]string{level: "loud"},
			problems: []string{`KINDGI_LOG_LEVEL is "loud": it must be error, warn, info, debug or trace`}},
		{name: "level in capitals", env: map[string]string{level: "INFO"}, problems: []string{`KINDGI_LOG_LEVEL is "INFO"`}},
		{name: "levels", env: map[string]string{levels: "pack=warn, pack.tool = debug,a.b.c=trace,"},
			want: record.Config{Levels: map[string]slog.Level{"pack": slog.LevelWarn, "pack.tool": slog.LevelDebug, "a.b.c": record.LevelTrace}}},
		{name: "bad levels", env: map[string]string{levels: "pack,=info,a=,b=loud,c d=info,e=info,f=info,f=debug,f=info"},
			want: record.Config{Levels: map[string]slog.Level{"e": slog.LevelInfo, "f": slog.LevelInfo}},
			problems: []string{`KINDGI_LOG_LEVELS has "pack": it must be subsystem=level, such as pack.tool=debug`, `has "=info"`, `gives "a" the level "": it must be error`,
				`gives "b" the level "loud"`, `has "c d=info"`, `gives "f" two levels`}},
		{name: "auto", env: map[string]string{format: "auto"}},
		{name: "auto at a terminal", env: map[string]string{format: "auto"}, terminal: true, want: record.Config{Format: record.Pretty, Color: true}},
		{name: "json at a terminal", env: map[string]string{format: "json"}, terminal: true},
		{name: "pretty", env: map[string]string{format: "pretty"}, want: record.Config{Format: record.Pretty}},
		{name: "no color", env: map[string]string{noColor: "0"}, terminal: true, want: record.Config{Format: record.Pretty}},
		{name: "unknown format", env: map[string]string{format: "xml"}, problems: []string{`KINDGI_LOG_FORMAT is "xml": it must be auto, json or pretty`}},
		{name: "all wrong", env: map[string]string{level: "a", levels: "b", format: "c"},
			problems: []string{"KINDGI_LOG_LEVEL is", "KINDGI_LOG_LEVELS has", "KINDGI_LOG_FORMAT is"}},
		{name: "a secret in the wrong place", env: map[string]string{level: "kgi_bt_0123456789abcdefWXYZ", format: "a\n" + strings.Repeat("x", 1000)},
			problems: []string{`KINDGI_LOG_LEVEL is "kgi_bt_…WXYZ"`, `KINDGI_LOG_FORMAT is "a\nxxx`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, problems := record.ParseConfig(func(name string) string { return tt.env[name] }, tt.terminal)
			if got.Level != tt.want.Level || got.Format != tt.want.Format || got.Color != tt.want.Color || !maps.Equal(got.Levels, tt.want.Levels) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if len(problems) != len(tt.problems) {
				t.Fatalf("got problems %q, want %q", problems, tt.problems)
			}
			for i, want := range tt.problems {
				if text := problems[i].Error(); !strings.Contains(text, want) || len(text) > 200 {
					t.Errorf("problem %d: got %s, want %s", i, text, want)
				}
			}
		})
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	var s stream
	h := record.New(&s, record.Config{Level: slog.LevelWarn, Levels: map[string]slog.Level{
		"pack": slog.LevelInfo, "pack.tool": slog.LevelDebug, "acme.db": slog.LevelError, "pack.check": record.LevelTrace,
	}})
	tests := []struct {
		subsystem string
		want      slog.Level
	}{
		{"pack", slog.LevelInfo},
		{"pack.tool", slog.LevelDebug},
		{"pack.tool.orders.lines", slog.LevelDebug},
		{"pack.tools", slog.LevelInfo},
		{"packs", slog.LevelWarn},
		{"acme", slog.LevelWarn},
		{"acme.db", slog.LevelError},
		{"acme.db.pool", slog.LevelError},
		{"pack.check", record.LevelTrace},
		{"", slog.LevelWarn},
	}
	for _, tt := range tests {
		bound := &record.IDs{Subsystem: tt.subsystem}
		for _, level := range []slog.Level{record.LevelTrace - 1, record.LevelTrace, slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, slog.LevelError + 4} {
			want := level >= tt.want
			if got := h.Subsystem(tt.subsystem).Enabled(t.Context(), level); got != want {
				t.Errorf("%s at %v: got %t, want %t", tt.subsystem, level, got, want)
			}
			if tt.subsystem == "" {
				continue // ids without a subsystem leave the handler's
			}
			if got := h.WithIDs(bound).Enabled(t.Context(), level); got != want {
				t.Errorf("%s of bound ids at %v: got %t, want %t", tt.subsystem, level, got, want)
			}
			if got := h.Enabled(contextWith(t, bound), level); got != want {
				t.Errorf("%s of the context's ids at %v: got %t, want %t", tt.subsystem, level, got, want)
			}
			other := &record.IDs{Subsystem: "pack.check"}
			if got := h.WithIDs(bound).Enabled(contextWith(t, other), level); got != want {
				t.Errorf("%s of bound ids before the context's at %v: got %t, want %t", tt.subsystem, level, got, want)
			}
		}
	}
	if h.Enabled(context.WithValue(t.Context(), record.Key{}, "not ids"), slog.LevelDebug) {
		t.Error("what is not ids changed the level")
	}
	//nolint:staticcheck // a caller's mistake must not become a panic of ours
	var none context.Context
	if !h.Enabled(none, slog.LevelInfo) {
		t.Error("without a context the level is another")
	}
	if err := h.Handle(none, slog.Record{Message: "m"}); err != nil {
		t.Error(err)
	}
	if got := written(t, h, &s)[0]; got != `{"level":"info","severity":"INFO","subsystem":"pack","message":"m"}` {
		t.Errorf("got %s", got)
	}
}

// Every record has one of five levels, whatever the number.
func TestLevelNames(t *testing.T) {
	t.Parallel()
	for level, want := range map[slog.Level]string{
		-100: `"level":"trace","severity":"DEBUG"`, record.LevelTrace: `"level":"trace","severity":"DEBUG"`, -5: `"level":"trace","severity":"DEBUG"`,
		slog.LevelDebug: `"level":"debug","severity":"DEBUG"`, -1: `"level":"debug","severity":"DEBUG"`,
		slog.LevelInfo: `"level":"info","severity":"INFO"`, 2: `"level":"info","severity":"INFO"`,
		slog.LevelWarn:  `"level":"warn","severity":"WARNING"`,
		slog.LevelError: `"level":"error","severity":"ERROR"`, 100: `"level":"error","severity":"ERROR"`,
	} {
		var s stream
		h := record.New(&s, record.Config{})
		h.Event(level, "x", "m", nil)
		if got := written(t, h, &s)[0]; !strings.Contains(got, want) {
			t.Errorf("%d: got %s, want %s", level, got, want)
		}
	}
}

// The records of calls obey the level of the service's own subsystem; those of its life do not.
func TestCallsObeyTheLevel(t *testing.T) {
	t.Parallel()
	var s stream
	h := record.New(&s, record.Config{Level: slog.LevelWarn, Levels: map[string]slog.Level{"pack.tool": slog.LevelDebug}})
	ids := &record.IDs{Subsystem: "pack.tool"}
	h.Call(&record.CallRecord{Target: "tool", ID: "a", Outcome: "ok", IDs: ids})
	h.Call(&record.CallRecord{Target: "tool", ID: "b", Outcome: "handler-throw", IDs: ids})
	h.Event(slog.LevelInfo, "draining", "draining", nil)
	lines := written(t, h, &s)
	if len(lines) != 2 || !strings.Contains(lines[0], "tool b handler-throw") || !strings.Contains(lines[1], "draining") {
		t.Errorf("got %q", lines)
	}
}
