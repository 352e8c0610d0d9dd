package record

import (
	"log/slog"
	"strconv"
)

// attrValue writes the value of an attribute.
func (e *encoder) attrValue(v slog.Value) {
	v = e.resolve(v)
	switch v.Kind() {
	case slog.KindString:
		e.string(v.String())
	case slog.KindInt64:
		e.buf = appendInt(e.buf, v.Int64())
	case slog.KindUint64:
		e.buf = appendUint(e.buf, v.Uint64())
	case slog.KindFloat64:
		e.buf = appendFloat(e.buf, v.Float64(), 64)
	case slog.KindBool:
		e.buf = strconv.AppendBool(e.buf, v.Bool())
	case slog.KindDuration:
		e.string(v.Duration().String())
	case slog.KindTime:
		e.time(v.Time())
	case slog.KindGroup:
		if e.open('{') {
			from := len(e.attrs)
			for _, a := range v.Group() {
				e.gather(a, 0)
			}
			e.members(from)
			e.close('}')
		}
	default:
		e.any(v.Any())
	}
}

// resolve gives the value that a LogValuer stands for.
func (e *encoder) resolve(v slog.Value) slog.Value {
	const limit = 100 // a LogValuer may give itself
	for range limit {
		if v.Kind() != slog.KindLogValuer {
			return v
		}
		valuer := v.LogValuer()
		next, failed := try(valuer, "LogValue", func() (slog.Value, error) { return valuer.LogValue(), nil })
		if failed != "" {
			return slog.StringValue(failed)
		}
		v = next
	}
	return slog.StringValue(circular)
}

// gather adds an attribute to e.attrs, resolved: a group without a name gives its members, and the zero
// attribute nothing.
func (e *encoder) gather(a slog.Attr, depth int) {
	a.Value = e.resolve(a.Value)
	if a.Value.Kind() == slog.KindGroup && a.Key == "" {
		if depth == maxDepth {
			a.Key, a.Value = tooDeep, slog.StringValue(tooDeep)
		} else {
			for _, member := range a.Value.Group() {
				e.gather(member, depth+1)
			}
			return
		}
	}
	if a.Key == "" && a.Value.Kind() == slog.KindAny && a.Value.Any() == nil {
		return
	}
	e.attrs = append(e.attrs, a)
	e.used = max(e.used, len(e.attrs))
}

// members writes, as members of the open object, the attributes gathered since there were from of
// them, and forgets them.
func (e *encoder) members(from int) {
	for i := from; i < len(e.attrs); i++ {
		if e.full() {
			e.key(tooLarge)
			e.buf = append(e.buf, "true"...)
			break
		}
		if !named(e.attrs[i+1:], e.attrs[i].Key) {
			e.member(e.attrs[i])
		}
	}
	e.attrs = e.attrs[:from]
}

// named tells whether one of the attributes has the name.
func named(attrs []slog.Attr, name string) bool {
	for i := range attrs {
		if attrs[i].Key == name {
			return true
		}
	}
	return false
}

// member writes an attribute, unless it is an empty group, as a member of the open object.
func (e *encoder) member(a slog.Attr) {
	mark := len(e.buf)
	if a.Value.Kind() != slog.KindGroup {
		e.key(a.Key)
		if sensitive(a.Key) {
			e.string(redacted)
		} else {
			e.attrValue(a.Value)
		}
		return
	}
	e.key(a.Key)
	start := len(e.buf)
	e.attrValue(a.Value)
	switch {
	case string(e.buf[start:]) == "{}":
		e.buf = e.buf[:mark]
	case sensitive(a.Key):
		e.buf = e.buf[:start]
		e.string(redacted)
	}
}
