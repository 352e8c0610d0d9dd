package record

import (
	"log/slog"
	"time"
)

// lifecycle tells whether an event is one of the service's own life. Those are few, and never dropped.
func lifecycle(name string) bool {
	switch name {
	case "listening", "config-invalid", "boot-failed", "missing-env", "env-dropped", "draining", "stopped":
		return true
	default:
		return false
	}
}

// Event writes a record of the handler's subsystem whatever the level, with "kind" and "event" set to name.
// ids may be nil: those bound are written then. Groups opened on the handler do not matter: the attributes are
// members of the record.
func (h *Handler) Event(level slog.Level, name, message string, ids *IDs, attrs ...slog.Attr) {
	if ids == nil {
		ids = h.ids
	}
	now := h.now()
	e := getEncoder()
	defer h.rescue(now, level, h.subsystem, message, ids)
	e.renamed = h.renamed
	e.stacks = level >= slog.LevelError || h.level <= slog.LevelDebug
	e.begin(now, level, h.subsystem, message)
	e.ids(ids, "")
	e.event(name)
	for _, a := range attrs {
		e.gather(a, 0)
	}
	h.body(e, ids, true, h.scopes[:1])
	h.queue.add(h.finish(e, ids), lifecycle(name))
	putEncoder(e)
}

// CallRecord is what the record of one call says.
type CallRecord struct {
	Target   string        // "tool" or "check"
	ID       string        // the tool's, or the check's
	Outcome  string        // "ok", or the error's code
	Duration time.Duration // how long it took; written in whole milliseconds
	IDs      *IDs          // the context's, may be nil

	// ErrName and ErrMessage say why a call failed; left out when ErrMessage is "".
	ErrName, ErrMessage string
}

// Call writes the record of a call: at level info when the call went well, else warn. Other than the
// records of the service's life it obeys the level, so that an operator can have only the calls that
// failed. It is Event("call"), made cheap. The record's toolId is r.ID, in its place among the ids; a
// check's checkId comes after the event's fields, and after that why it failed.
func (h *Handler) Call(r *CallRecord) {
	level := slog.LevelInfo
	if r.Outcome != "ok" {
		level = slog.LevelWarn
	}
	if level < h.level {
		return
	}
	ids := r.IDs
	if ids == nil {
		ids = h.ids
	}
	tool := ""
	if r.Target == "tool" {
		tool = r.ID
	}
	ms := r.Duration.Milliseconds()
	now := h.now()
	e := getEncoder()
	defer h.rescue(now, level, h.subsystem, "call", ids)
	e.head(now, level, h.subsystem)
	e.buf = append(e.buf, `,"message":"`...)
	e.buf = appendText(e.buf, r.Target)
	e.buf = append(e.buf, ' ')
	e.buf = appendText(e.buf, r.ID)
	e.buf = append(e.buf, ' ')
	e.buf = appendText(e.buf, r.Outcome)
	e.buf = append(e.buf, ' ')
	e.buf = appendInt(e.buf, ms)
	e.buf = append(e.buf, `ms"`...)
	e.ids(ids, tool)
	e.buf = append(e.buf, `,"kind":"call","event":"call","target":`...)
	e.string(r.Target)
	e.buf = append(e.buf, `,"id":`...)
	e.string(r.ID)
	e.buf = append(e.buf, `,"outcome":`...)
	e.string(r.Outcome)
	e.buf = append(e.buf, `,"durationMs":`...)
	e.buf = appendInt(e.buf, ms)
	if r.Target == "check" {
		e.buf = append(e.buf, `,"checkId":`...)
		e.string(r.ID)
	}
	if r.ErrMessage != "" {
		e.buf = append(e.buf, `,"err":{"name":`...)
		e.string(r.ErrName)
		e.buf = append(e.buf, `,"message":`...)
		e.string(r.ErrMessage)
		e.buf = append(e.buf, '}')
	}
	h.queue.add(h.finish(e, ids), false)
	putEncoder(e)
}

// finish closes the record, takes the call's secrets out, and gives its line.
func (h *Handler) finish(e *encoder, ids *IDs) []byte {
	e.buf = append(e.buf, '}')
	if ids != nil && len(ids.Secrets) > 0 {
		e.hide(ids.Secrets)
	}
	if h.format == Pretty {
		e.pretty(h.color)
	}
	e.buf = append(e.buf, '\n')
	return e.buf
}
