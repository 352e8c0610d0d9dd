package record

import (
	"log/slog"
)

// reserved tells whether the record has a member of the name already, so that a field of that name goes
// under "fields".
func reserved(name string, ids *IDs, event bool) bool {
	switch name {
	case "time", "level", "severity", "subsystem", "message":
		return true
	case "kind", "event":
		return event
	}
	return ids != nil && ids.named(name) != ""
}

// body writes the bound attributes, the open groups and, innermost, the attributes gathered.
func (h *Handler) body(e *encoder, ids *IDs, event bool, scopes []scope) {
	root, groups := scopes[0].segments, scopes[1:]
	var own []slog.Attr // the record's attributes that are members of the record itself
	if len(groups) == 0 {
		own = e.attrs
	}
	group := ""
	if len(groups) > 0 {
		group = groups[0].name
	}
	clashes := group != "" && reserved(group, ids, event)
	for i := range root {
		clashes = clashes || reserved(root[i].name, ids, event)
	}
	for i := range own {
		clashes = clashes || reserved(own[i].Key, ids, event)
	}
	under := func(name string) bool {
		return clashes && (name == "fields" || reserved(name, ids, event))
	}
	write := func(fields bool) {
		for i := range root {
			if s := &root[i]; under(s.name) == fields && !named(own, s.name) {
				e.segment(s)
			}
		}
		for i := range own {
			a := own[i]
			if under(a.Key) == fields && !named(own[i+1:], a.Key) && !(fields && repeats(a, ids)) {
				e.member(a)
			}
		}
		if group != "" && under(group) == fields {
			e.groups(groups)
		}
	}
	write(false)
	if clashes {
		mark := len(e.buf)
		e.key("fields")
		e.buf = append(e.buf, '{')
		write(true)
		if e.buf[len(e.buf)-1] == '{' {
			e.buf = e.buf[:mark]
		} else {
			e.buf = append(e.buf, '}')
		}
	}
	e.attrs = e.attrs[:0]
}

// repeats tells whether an attribute says what an id of the same name does.
func repeats(a slog.Attr, ids *IDs) bool {
	return ids != nil && a.Value.Kind() == slog.KindString && a.Value.String() == ids.named(a.Key)
}

// segment writes a bound attribute.
func (e *encoder) segment(s *segment) {
	if e.full() {
		return
	}
	e.comma()
	if e.stacks {
		e.buf = append(e.buf, s.long...)
	} else {
		e.buf = append(e.buf, s.short...)
	}
}

// groups writes the open groups inside one another, and the attributes gathered in the last. A group without
// anything in it is left out.
func (e *encoder) groups(groups []scope) {
	g, inner := groups[0], groups[1:]
	mark := len(e.buf)
	e.key(g.name)
	start := len(e.buf)
	e.buf = append(e.buf, '{')
	deep := e.depth >= maxDepth
	e.depth++
	if len(inner) > 0 {
		for i := range g.segments {
			e.segment(&g.segments[i])
		}
		e.groups(inner)
	} else {
		for i := range g.segments {
			if !named(e.attrs, g.segments[i].name) {
				e.segment(&g.segments[i])
			}
		}
		e.members(0)
	}
	e.depth--
	switch {
	case e.buf[len(e.buf)-1] == '{':
		e.buf = e.buf[:mark]
	case deep:
		e.buf = e.buf[:start]
		e.string(tooDeep)
	case sensitive(g.name):
		e.buf = e.buf[:start]
		e.string(redacted)
	default:
		e.buf = append(e.buf, '}')
	}
}
