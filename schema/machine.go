package schema

import (
	"math/bits"
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
		m.index()
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
	m, start := newMachine(p, text)
	_, ok := m.check(p.root, start)
	m.release()
	return ok
}

// skip gives the index after the value at text[i].
func (m *machine) skip(i int) int {
	if c := m.text[i]; m.indexed && (c == '{' || c == '[') {
		e := m.extents[m.next]
		m.next = e.next
		return e.end
	}
	return scan.Skip(m.text, i)
}

// check reports whether n admits the value at text[i], and where the value ends if so.
func (m *machine) check(n *node, i int) (int, bool) {
	if n.always {
		return m.skip(i), true
	}
	k := kinds[m.text[i]]
	if n.types&k == 0 || n.never {
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
	m.next = e.next
	return e.end, ok
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
	default:
		end = scan.SkipScalar(m.text, i)
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

// checkArray checks an array's items and their number.
func (m *machine) checkArray(r *arrayRules, i int) (int, bool) {
	text, start, opening := m.text, i, m.next
	m.next++
	count, contained := 0, 0
	for i = scan.Space(text, i+1); text[i] != ']'; {
		item := r.items
		if count < len(r.prefix) {
			item = r.prefix[count]
		}
		count++
		if r.maxItems >= 0 && count > r.maxItems {
			return 0, false
		}
		at, before := i, m.next
		if item == nil {
			if r.contains == nil {
				i = m.skip(i)
			}
		} else {
			var ok bool
			if i, ok = m.check(item, i); !ok {
				return 0, false
			}
		}
		if r.contains != nil {
			after := m.next
			m.next = before
			end, ok := m.check(r.contains, at)
			if ok {
				contained++
			}
			switch {
			case item != nil:
				m.next = after
			case ok:
				i = end
			default:
				m.next = before
				i = m.skip(at)
			}
		}
		if i = scan.Space(text, i); text[i] == ',' {
			i = scan.Space(text, i+1)
		}
	}
	if count < r.minItems {
		return 0, false
	}
	if r.contains != nil && (contained < r.minContains || r.maxContains >= 0 && contained > r.maxContains) {
		return 0, false
	}
	if r.unique && count > 1 {
		after := m.next
		m.next = opening
		if a, _ := m.duplicates(start, count); a >= 0 {
			return 0, false
		}
		m.next = after
	}
	return i + 1, true
}

// checkObject checks an object's members.
func (m *machine) checkObject(n *node, i int) (int, bool) {
	r := n.object
	text, start, opening := m.text, i, m.next
	m.next++
	count, expected := 0, 0
	var mask uint64
	var seen []uint64 // for more names than mask has bits
	if len(r.properties) > 64 {
		base := len(m.seen)
		words := (len(r.properties) + 63) / 64
		m.seen = slices.Grow(m.seen, words)[:base+words]
		seen = m.seen[base:]
		clear(seen)
		defer func() { m.seen = m.seen[:base] }()
	}
	for i = scan.Space(text, i+1); text[i] != '}'; {
		count++
		at, end, p := i, 0, -1
		// Most texts have their members in the order of the schema.
		if expected < len(r.properties) && hasPrefix(text[i:], r.properties[expected].quoted) {
			p = expected
			i += len(r.properties[p].quoted)
			end = i - 1
			i = scan.Space(text, i)
		} else {
			var escaped bool
			end, escaped = scan.String(text, i)
			name := text[i+1 : end-1]
			if text[end] == ':' {
				i = scan.Space(text, end+1)
			} else {
				i = scan.Space(text, scan.Space(text, end)+1)
			}
			if escaped {
				name = m.unescape(name)
			}
			p = r.find(name)
		}
		if p >= 0 {
			expected = p + 1
		}
		if r.propertyNames != nil {
			if _, ok := m.check(r.propertyNames, at); !ok {
				return 0, false
			}
		}
		var sub *node
		covered := false
		if p >= 0 {
			if seen == nil {
				mask |= 1 << p
			} else {
				seen[p/64] |= 1 << (p % 64)
			}
			sub, covered = r.properties[p].node, r.properties[p].listed
		}
		if len(r.patterns) > 0 {
			var ok bool
			if i, ok = m.checkPatterns(r, text[at:end], i, sub, covered); !ok {
				return 0, false
			}
		} else {
			if !covered {
				sub = r.additional
			}
			if sub == nil {
				i = m.skip(i)
			} else {
				var ok bool
				if i, ok = m.check(sub, i); !ok {
					return 0, false
				}
			}
		}
		if text[i] == ',' {
			i = scan.Space(text, i+1)
		} else if i = scan.Space(text, i); text[i] == ',' {
			i = scan.Space(text, i+1)
		}
	}
	if count < r.minProperties || r.maxProperties >= 0 && count > r.maxProperties {
		return 0, false
	}
	if seen == nil {
		if mask&r.requiredMask != r.requiredMask {
			return 0, false
		}
	} else {
		for _, p := range r.required {
			if seen[p/64]&(1<<(p%64)) == 0 {
				return 0, false
			}
		}
	}
	if r.dependentRequired != nil || r.dependentSchemas != nil {
		has := func(p int) bool {
			if seen == nil {
				return mask&(1<<p) != 0
			}
			return seen[p/64]&(1<<(p%64)) != 0
		}
		for _, d := range r.dependentRequired {
			if has(d.property) && slices.ContainsFunc(d.needs, func(p int) bool { return !has(p) }) {
				return 0, false
			}
		}
		after := m.next
		for _, d := range r.dependentSchemas {
			if has(d.property) {
				m.next = opening
				if _, ok := m.check(d.node, start); !ok {
					return 0, false
				}
			}
		}
		m.next = after
	}
	return i + 1, true
}

// checkPatterns checks one member of an object with patternProperties: its own subschema and that of
// every pattern that matches, or additionalProperties.
func (m *machine) checkPatterns(r *objectRules, quoted []byte, i int, sub *node, covered bool) (int, bool) {
	start, end := m.next, 0
	apply := func(sub *node) bool {
		if sub == nil {
			return true
		}
		m.next = start
		e, ok := m.check(sub, i)
		if ok {
			end = e
		}
		return ok
	}
	if !apply(sub) {
		return 0, false
	}
	for j := range r.patterns {
		// The name is unescaped anew: checking a value may have unescaped another string.
		if r.patterns[j].pattern.match(m.unquote(quoted)) {
			covered = true
			if !apply(r.patterns[j].node) {
				return 0, false
			}
		}
	}
	if !covered && !apply(r.additional) {
		return 0, false
	}
	if end == 0 {
		m.next = start
		end = m.skip(i)
	}
	return end, true
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

// extent is where a container ends, and the number of the container that opens after it.
type extent struct{ end, next int }

// index notes the extents of the text's containers, in one pass.
func (m *machine) index() {
	text := m.text
	if m.extents == nil {
		m.extents = make([]extent, 0, 64)
	}
	m.extents, m.next, m.indexed = m.extents[:0], 0, true
	open := -1 // the innermost open container; its extent's end holds the one around it
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i)
			continue
		case '{', '[':
			m.extents = append(m.extents, extent{end: open})
			open = len(m.extents) - 1
		case '}', ']':
			e := &m.extents[open]
			open = e.end
			*e = extent{end: i + 1, next: len(m.extents)}
		}
		i++
	}
}

// countContainers counts the objects and arrays in a valid JSON text.
func countContainers(text []byte) int {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i) - 1
		case '{', '[':
			n++
		}
	}
	return n
}

// verdicts remembers which node admits which container.
type verdicts struct {
	slots []verdict
	used  int
}

// verdict has the container's number and the node's in its key, plus one so that 0 is free, and the
// verdict in the lowest bit.
type verdict uint64

func (v *verdicts) size() int { return 2 * len(v.slots) }

func (v *verdicts) reset() {
	clear(v.slots)
	v.used = 0
}

func verdictKey(node, container int) uint64 {
	return (uint64(container+1)<<24 | uint64(node&(1<<24-1))) << 1
}

func (v *verdicts) at(key uint64) *verdict {
	mask := uint64(len(v.slots) - 1)
	for at := key * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask)); ; at++ {
		if s := &v.slots[at&mask]; *s == 0 || uint64(*s)&^1 == key {
			return s
		}
	}
}

func (v *verdicts) get(node, container int) (known, ok bool) {
	if len(v.slots) == 0 {
		return false, false
	}
	s := *v.at(verdictKey(node, container))
	return s != 0, s&1 != 0
}

func (v *verdicts) put(node, container int, ok bool) {
	if 2*v.used >= len(v.slots) {
		old := v.slots
		v.slots = make([]verdict, max(64, 2*len(old)))
		for _, s := range old {
			if s != 0 {
				*v.at(uint64(s) &^ 1) = s
			}
		}
	}
	key := verdictKey(node, container)
	s := v.at(key)
	if *s == 0 {
		v.used++
	}
	*s = verdict(key)
	if ok {
		*s |= 1
	}
}
