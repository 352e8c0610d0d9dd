package schema

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// machine runs a program over one text. It is used by one goroutine at a time.
type machine struct {
	text []byte

	// extents of the text's containers, in the order in which they open, when the program needs them;
	// next is the number of the container that opens next.
	indexed bool
	extents []extent
	next    int

	verdicts verdicts // on containers, when indexed

	unescaped []byte // the string or name last unescaped
	seen      []uint64
	hashes    hashes
	lists     [][]*node
}

var machines = sync.Pool{New: func() any { return new(machine) }}

// newMachine gives a machine for a text that must be valid JSON, and where its value begins.
func newMachine(p *program, text []byte) (*machine, int) {
	m := machines.Get().(*machine)
	m.text = text
	if p.indexed {
		m.index(len(p.nodes))
	}
	return m, scan.Space(text, 0)
}

// release gives the machine back, unless a large text made it large.
func (m *machine) release() {
	const limit = 1 << 16
	if cap(m.extents) > limit || cap(m.unescaped) > limit || m.verdicts.size() > limit || cap(m.seen) > limit || m.hashes.size() > limit {
		return
	}
	m.text = nil
	m.extents, m.next = m.extents[:0], 0
	m.verdicts.reset()
	m.hashes.reset()
	m.indexed = false
	m.seen = m.seen[:0]
	machines.Put(m)
}

// admits reports whether the program admits the text.
func (p *program) admits(text []byte) bool {
	if tooLong(text) {
		return false
	}
	m, start := newMachine(p, text)
	_, ok := m.check(p.root, start)
	m.release()
	return ok
}

// skip gives the index after the value at text[i].
func (m *machine) skip(i int) int {
	if c := m.text[i]; m.indexed && (c == '{' || c == '[') {
		e := m.extents[m.next]
		m.next = int(e.next)
		return int(e.end)
	}
	return scan.Skip(m.text, i)
}

// check reports whether n admits the value at text[i], and where the value ends if so.
func (m *machine) check(n *node, i int) (int, bool) {
	if n.always {
		return m.skip(i), true
	}
	k := kinds[m.text[i]]
	if n.types&k == 0 {
		return 0, false
	}
	if m.indexed && k >= kindArray {
		return m.remembered(n, i, k)
	}
	if n.applies {
		return m.checkAll(n, i, k)
	}
	return m.checkOwn(n, i, k)
}

// remembered is check with a memory, for containers.
func (m *machine) remembered(n *node, i int, k kind) (int, bool) {
	container := m.next
	known, ok := m.verdicts.get(n.id, container)
	if !known {
		if n.applies {
			_, ok = m.checkAll(n, i, k)
		} else {
			_, ok = m.checkOwn(n, i, k)
		}
		m.verdicts.put(n.id, container, ok)
	}
	e := m.extents[container]
	m.next = int(e.next)
	return int(e.end), ok
}

// checkOwn checks the node's own keywords.
func (m *machine) checkOwn(n *node, i int, k kind) (int, bool) {
	var end int
	switch k {
	case kindString:
		var escaped bool
		end, escaped = scan.String(m.text, i)
		if n.text != nil {
			text := m.text[i+1 : end-1]
			if escaped {
				text = m.unescape(text)
			}
			if !n.text.admit(text) {
				return 0, false
			}
		}
	case kindNumber:
		if n.number == nil && !n.integer {
			end = scan.SkipScalar(m.text, i)
			break
		}
		var d decimal
		d, end = numberAt(m.text, i)
		if n.integer && !d.isInteger() || n.number != nil && !n.number.admit(&d) {
			return 0, false
		}
	case kindObject:
		if n.object != nil {
			var ok bool
			start := m.next
			if end, ok = m.checkObject(n, i); !ok {
				return 0, false
			}
			if n.object.unevaluated != nil && !m.checkUnevaluatedProperties(n, i, start) {
				return 0, false
			}
		} else {
			end = m.skip(i)
		}
	case kindArray:
		if n.array != nil {
			var ok bool
			start := m.next
			if end, ok = m.checkArray(n.array, i); !ok {
				return 0, false
			}
			if n.array.unevaluated != nil && !m.checkUnevaluatedItems(n, i, start) {
				return 0, false
			}
		} else {
			end = m.skip(i)
		}
	default: // null, true and false
		if end = i + 4; m.text[i] == 'f' {
			end++
		}
	}
	if n.constant != nil && !n.constant.admit(m, i, end, k) || n.enum != nil && !n.enum.admit(m, i, end, k) {
		return 0, false
	}
	return end, true
}

// checkAll checks the node's own keywords and then the subschemas that apply to the same value.
func (m *machine) checkAll(n *node, i int, k kind) (int, bool) {
	start := m.next
	end, after := 0, 0
	if !n.bare {
		var ok bool
		if end, ok = m.checkOwn(n, i, k); !ok {
			return 0, false
		}
		after = m.next
	}
	// apply checks one of them, from the same place.
	apply := func(sub *node) bool {
		m.next = start
		e, ok := m.check(sub, i)
		if ok && end == 0 {
			end, after = e, m.next
		}
		return ok
	}
	if n.ref != nil && !apply(n.ref.target) || n.dynamic != nil && !apply(n.dynamic.target) {
		return 0, false
	}
	for _, sub := range n.allOf {
		if !apply(sub) {
			return 0, false
		}
	}
	if n.anyOf != nil && !slices.ContainsFunc(n.anyOf, apply) {
		return 0, false
	}
	if n.oneOf != nil {
		passing := 0
		for _, sub := range n.oneOf {
			if apply(sub) {
				if passing++; passing > 1 {
					return 0, false
				}
			}
		}
		if passing != 1 {
			return 0, false
		}
	}
	if n.not != nil && apply(n.not) {
		return 0, false
	}
	if n.then != nil || n.otherwise != nil {
		branch := n.otherwise
		if apply(n.cond) {
			branch = n.then
		}
		if branch != nil && !apply(branch) {
			return 0, false
		}
	}
	if end == 0 {
		m.next = start
		return m.skip(i), true
	}
	m.next = after
	return end, true
}

// admit checks a number.
func (r *numberRules) admit(d *decimal) bool {
	return (r.minimum == nil || d.compare(&r.minimum.exact) >= 0) &&
		(r.maximum == nil || d.compare(&r.maximum.exact) <= 0) &&
		(r.exclusiveMinimum == nil || d.compare(&r.exclusiveMinimum.exact) > 0) &&
		(r.exclusiveMaximum == nil || d.compare(&r.exclusiveMaximum.exact) < 0) &&
		(r.multipleOf == nil || d.multipleOf(&r.multipleOf.exact)) &&
		(r.format == nil || r.format.number(*d))
}

// admit checks the text of a string.
func (r *textRules) admit(text []byte) bool {
	if r.minLength > 0 && (len(text) < r.minLength || len(text) < 4*r.minLength && utf8.RuneCount(text) < r.minLength) {
		return false
	}
	if r.maxLength >= 0 && len(text) > r.maxLength && utf8.RuneCount(text) > r.maxLength {
		return false
	}
	if r.pattern != nil && !r.pattern.match(text) {
		return false
	}
	if r.format != nil && !r.format.text(text) {
		return false
	}
	for i := range r.formatLimits {
		if !r.formatLimits[i].admits(text) {
			return false
		}
	}
	return true
}

// unquote gives the text of a quoted string, until the next call.
func (m *machine) unquote(quoted []byte) []byte {
	inside := quoted[1 : len(quoted)-1]
	if !hasEscape(inside) {
		return inside
	}
	return m.unescape(inside)
}

func (m *machine) unescape(inside []byte) []byte {
	m.unescaped = scan.AppendUnescaped(m.unescaped[:0], inside)
	return m.unescaped
}

func hasPrefix(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// hasEscape reports whether the inside of a string has a backslash.
func hasEscape(inside []byte) bool {
	for len(inside) >= 8 {
		x := uint64(inside[0]) | uint64(inside[1])<<8 | uint64(inside[2])<<16 | uint64(inside[3])<<24 |
			uint64(inside[4])<<32 | uint64(inside[5])<<40 | uint64(inside[6])<<48 | uint64(inside[7])<<56
		x ^= 0x5c5c5c5c5c5c5c5c
		if (x-0x0101010101010101)&^x&0x8080808080808080 != 0 {
			return true
		}
		inside = inside[8:]
	}
	for _, c := range inside {
		if c == '\\' {
			return true
		}
	}
	return false
}
