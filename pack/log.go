package pack

import (
	"context"
	"log/slog"
	"os"
	"sync"

	"github.com/kindgi/kindgi-go/internal/record"
)

// processLog is the handler of the process's records: standard error, as the environment
// sets it. A problem in those settings is reported by [Serve]; here the defaults stand in.
var processLog = sync.OnceValue(func() *record.Handler {
	config, _ := record.ParseConfig(os.Getenv, isTerminal(os.Stderr))
	return record.New(os.Stderr, config).Subsystem("pack")
})

// isTerminal reports whether a file is a terminal, as far as the standard library can
// tell: a character device that is not the null device.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// LogHandler gives a handler for an author's own loggers: slog.New(pack.LogHandler())
// writes the same records as [Call.Log]. A record written with a call's context
// (slog.InfoContext and its kin) carries that call's ids and goes where its service's
// records go; any other is of the subsystem pack.tool and goes to standard error. The handler
// is safe for concurrent use.
func LogHandler() slog.Handler { return logHandler{} }

// logHandler finds the service's handler when a record is written. It replays groups and
// attributes on it, since only then is it known which one it is.
type logHandler struct {
	with []func(slog.Handler) slog.Handler
}

func (h logHandler) target(ctx context.Context) slog.Handler {
	call, ok := CallFromContext(ctx)
	switch {
	case ok && call.log != nil:
		return call.log
	case ok && call.Log != nil:
		return call.Log.Handler() // a test's call
	default:
		return processLog().Subsystem("pack.tool")
	}
}

func (h logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.target(ctx).Enabled(ctx, level) // groups and attributes do not matter
}

func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	target := h.target(ctx)
	for _, with := range h.with {
		target = with(target)
	}
	return target.Handle(ctx, r)
}

func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	if len(attrs) == 0 {
		return h
	}
	return h.and(func(t slog.Handler) slog.Handler { return t.WithAttrs(attrs) })
}

func (h logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	return h.and(func(t slog.Handler) slog.Handler { return t.WithGroup(name) })
}

func (h logHandler) and(f func(slog.Handler) slog.Handler) slog.Handler {
	with := make([]func(slog.Handler) slog.Handler, len(h.with), len(h.with)+1)
	copy(with, h.with)
	return logHandler{append(with, f)}
}
