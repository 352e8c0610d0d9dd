package schema

import (
	"slices"

	"github.com/kindgi/kindgi-go/internal/scan"
)

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
