package record

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"
)

// Handler is an slog.Handler. All its methods are safe for concurrent use, and what they derive from
// it shares its stream.
type Handler struct {
	queue  *queue
	format Format
	color  bool
	levels *levels
	now    func() time.Time

	subsystem string
	level     slog.Level // the subsystem's
	ids       *IDs
	scopes    []scope // the record itself, then the groups that are open
	renamed   int     // see encoder.renamed
}

// scope is the record, or a group opened by WithGroup, with the attributes bound inside.
type scope struct {
	name     string
	segments []segment
}

// segment is a bound attribute, as JSON: "name":value. A value with an error in it has a longer form
// too, which has the stack.
type segment struct {
	name        string
	short, long []byte
}

// New gives a handler that writes to w, for the subsystem "pack". Records are written in order, off the
// caller's path, about a millisecond later, so that many go into one write; Flush waits for them.
//
// When w stands still, records wait for it, up to 1 MiB of them. Then a caller waits for up to 100 ms,
// and its record is dropped; later ones are dropped at once until there is room again, and a record
// tells their number ("records-dropped"). The records of the service's own life are never dropped. When w
// fails, what it did not take is lost and counted the same way, and the next records are tried again.
//
// A write to a closed standard error ends a Go process with SIGPIPE unless the process ignores that
// signal (see os/signal): whoever hands os.Stderr over does that.
func New(w io.Writer, c Config) *Handler {
	h := &Handler{
		format: c.Format,
		color:  c.Color && c.Format == Pretty,
		levels: newLevels(c),
		now:    time.Now,
		scopes: []scope{{}},
	}
	h.queue = newQueue(w, h.droppedNotice)
	return h.Subsystem("pack")
}

// Subsystem gives a handler like h whose records are of the named subsystem.
func (h *Handler) Subsystem(name string) *Handler {
	d := *h
	d.subsystem, d.level = name, d.levels.of(name)
	return &d
}

// WithIDs gives a handler like h that binds the ids; they come before those of a context. When they
// name a subsystem, it is the handler's. nil binds none.
func (h *Handler) WithIDs(ids *IDs) *Handler {
	d := h.Bind(ids)
	return &d
}

// Bind is [Handler.WithIDs] for a caller that has a place for the handler.
func (h *Handler) Bind(ids *IDs) Handler {
	d := *h
	d.ids = ids
	if ids != nil && ids.Subsystem != "" && ids.Subsystem != h.subsystem {
		d.subsystem, d.level = ids.Subsystem, d.levels.of(ids.Subsystem)
	}
	return d
}

// Name gives the handler's subsystem.
func (h *Handler) Name() string { return h.subsystem }

// Flush waits until every record handed over before it is written, or ctx ends; the error then tells
// how many are not. Otherwise the error is that of the last write, if it failed.
func (h *Handler) Flush(ctx context.Context) error { return h.queue.flush(ctx) }

// Enabled implements slog.Handler. The level is that of the handler's subsystem or, when no ids are bound,
// of the subsystem of the call that ctx belongs to.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	if level < h.levels.least {
		return false
	}
	limit := h.level
	if h.ids == nil && len(h.levels.named) > 0 {
		if ids := fromContext(ctx); ids != nil && ids.Subsystem != "" {
			limit = h.levels.of(ids.Subsystem)
		}
	}
	return level >= limit
}

// Handle implements slog.Handler. It never fails. Without bound ids, the record is of the call that
// ctx belongs to, and of that call's subsystem.
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	ids, subsystem, level := h.ids, h.subsystem, h.level
	if ids == nil {
		if ids = fromContext(ctx); ids != nil && ids.Subsystem != "" {
			subsystem = ids.Subsystem
			level = h.levels.of(subsystem)
		}
	}
	e := getEncoder()
	defer h.rescue(r.Time, r.Level, subsystem, r.Message, ids)
	e.renamed = h.renamed
	e.stacks = r.Level >= slog.LevelError || level <= slog.LevelDebug
	e.begin(r.Time, r.Level, subsystem, r.Message)
	e.ids(ids, "")
	r.Attrs(func(a slog.Attr) bool {
		e.gather(a, 0)
		return true
	})
	h.body(e, ids, false, h.scopes)
	h.queue.add(h.finish(e, ids), false)
	putEncoder(e)
	return nil
}

// rescue writes a record without its fields when writing them panicked: logging never fails a call.
func (h *Handler) rescue(t time.Time, level slog.Level, subsystem, message string, ids *IDs) {
	r := recover()
	if r == nil {
		return
	}
	defer func() { _ = recover() }() // nothing is left to try
	e := getEncoder()
	e.begin(t, level, subsystem, message)
	e.ids(ids, "")
	e.key("logError")
	e.string(fmt.Sprintf("the fields of this record could not be written: %v", r))
	h.queue.add(h.finish(e, ids), false)
	putEncoder(e)
}

// WithAttrs implements slog.Handler.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	e := getEncoder()
	for _, a := range attrs {
		e.gather(a, 0)
	}
	if len(e.attrs) == 0 {
		putEncoder(e)
		return h
	}
	d := *h
	d.scopes = slices.Clone(h.scopes)
	last := &d.scopes[len(d.scopes)-1]
	for i, a := range e.attrs {
		last.segments = without(last.segments, a.Key)
		if named(e.attrs[i+1:], a.Key) {
			continue
		}
		if s, ok := d.bind(e, a); ok {
			last.segments = append(last.segments, s)
		}
	}
	putEncoder(e)
	return &d
}

// bind writes an attribute for the innermost scope. An empty group gives false.
func (h *Handler) bind(e *encoder, a slog.Attr) (s segment, ok bool) {
	defer func() {
		if r := recover(); r != nil { // see rescue
			text := appendString([]byte(`"logError":`), fmt.Sprintf("a bound attribute could not be written: %v", r))
			s, ok = segment{name: "logError", short: text, long: text}, true
		}
	}()
	e.depth = len(h.scopes) - 1
	write := func(stacks bool) []byte {
		e.buf, e.stacks, e.stacked, e.renamed = append(e.buf[:0], '{'), stacks, false, h.renamed
		e.member(a)
		return slices.Clone(e.buf[1:])
	}
	s = segment{name: a.Key, long: write(true)}
	s.short = s.long
	if e.stacked {
		s.short = write(false)
	}
	h.renamed = e.renamed
	return s, len(s.long) > 0
}

// WithGroup implements slog.Handler.
func (h *Handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	d := *h
	d.scopes = slices.Clone(h.scopes)
	last := &d.scopes[len(d.scopes)-1]
	last.segments = without(last.segments, name)
	d.scopes = append(d.scopes, scope{name: name})
	return &d
}

// without gives a copy of the segments that lacks those of the name.
func without(segments []segment, name string) []segment {
	return slices.DeleteFunc(slices.Clone(segments), func(s segment) bool { return s.name == name })
}
