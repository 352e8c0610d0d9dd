package pack

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// The records of the service's life, apart from that of a call (invocation.report). They
// are written whatever the log level.

func (s *Service) recordMissingEnv() {
	level, text := slog.LevelError, "not ready: required env names are unset or empty: "
	if s.options.EnvCheck == EnvWarn {
		level, text = slog.LevelWarn, "required env names are unset or empty: "
	}
	s.log.Event(level, "missing-env", text+strings.Join(s.missingEnv, ", "), nil,
		slog.String("check", string(s.options.EnvCheck)), slog.Any("names", s.missingEnv))
}

func (s *Service) recordStaleIndex() {
	s.log.Event(slog.LevelWarn, "index-stale",
		"the index's schemas are enforced, and these are not the binary's own: "+strings.Join(s.catalog.stale, ", "), nil,
		slog.Any("names", s.catalog.stale))
}

// recordWarnings says what the author of the pack probably did not mean.
func (s *Service) recordWarnings() {
	texts := make([]string, len(s.catalog.warnings))
	for i, w := range s.catalog.warnings {
		texts[i] = w.Error()
	}
	s.log.Event(slog.LevelWarn, "registration-warning", "registration-warning: "+strings.Join(texts, "; "), nil,
		slog.Any("warnings", texts))
}

// promptly is how soon after its call was given up a handler ends that honours its context.
const promptly = time.Second

// late records that a handler ended after its call's time was over, at level warn unless it
// heeded its context. What it threw tells what it waited for, which its caller never hears. Like
// the call's own record, it obeys the level.
func (c *invocation) late(heeded bool, thrown throw) {
	level := slog.LevelWarn
	if heeded {
		level = slog.LevelInfo
	}
	if c.service.options.quiet || !c.service.log.Enabled(context.Background(), level) {
		return
	}
	after := milliseconds(time.Since(c.arrival))
	fields := []slog.Attr{slog.String("target", c.target), slog.String("id", c.id), slog.Int64("afterMs", after)}
	if thrown.name != "" {
		fields = append(fields, slog.Group("err", slog.String("name", thrown.name), slog.String("message", thrown.text)))
	}
	c.service.log.Event(level, "handler-finished-late",
		fmt.Sprintf("%s %s finished %dms after its call arrived, too late for its answer", c.target, c.id, after), c.ids,
		fields...)
}

// recordPanic records where the author's code panicked. The call's own record, and the one
// answer that its caller gets, say what and not where.
func (c *invocation) recordPanic(t throw) {
	if c.service.options.quiet {
		return
	}
	c.service.log.Event(slog.LevelError, "handler-panicked", c.target+" "+c.id+" panicked: "+t.text, c.ids,
		slog.String("target", c.target), slog.String("id", c.id),
		slog.Group("err", slog.String("name", t.name), slog.String("message", t.text), slog.String("stack", t.stack)))
}

// recordRefusal records, for who looks closely, a request that never became a call. Anybody
// can send those, so it is written at debug only.
func (s *Service) recordRefusal(r *http.Request, status int) {
	const longest = 200
	path := r.URL.EscapedPath()
	path = path[:min(len(path), longest)]
	s.log.Event(slog.LevelDebug, "request-refused", fmt.Sprintf("refused with %d: %s %s", status, r.Method, path), nil,
		slog.Int("status", status), slog.String("method", r.Method), slog.String("path", path))
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
