package schema

import (
	"bytes"
	"slices"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// equalRules are the values that const or enum admits.
type equalRules struct {
	source  *value // the keyword's value
	kinds   kind   // of the values
	strings []string
	many    map[string]struct{} // the strings, when there are many
	others  []*value
}

// manyStrings is how many strings are compared one by one.
const manyStrings = 8

func newEqualRules(source *value, values []*value) *equalRules {
	r := &equalRules{source: source}
	for _, v := range values {
		r.kinds |= v.kind
		if v.kind == kindString {
			r.strings = append(r.strings, v.text)
		} else {
			r.others = append(r.others, v)
		}
	}
	if len(r.strings) > manyStrings {
		r.many = make(map[string]struct{}, len(r.strings))
		for _, s := range r.strings {
			r.many[s] = struct{}{}
		}
	}
	return r
}

// admit reports whether the value at text[i:end] equals one of the values.
func (r *equalRules) admit(m *machine, i, end int, k kind) bool {
	if r.kinds&k == 0 {
		return false
	}
	if k == kindString {
		text := m.unquote(m.text[i:end])
		if r.many != nil {
			_, ok := r.many[string(text)]
			return ok
		}
		for _, s := range r.strings {
			if s == string(text) {
				return true
			}
		}
		return false
	}
	for _, v := range r.others {
		if v.kind == k {
			if _, ok := m.equalsValue(i, v); ok {
				return true
			}
		}
	}
	return false
}

// equalsValue compares the value at text[i] with one of a document, and gives its end if equal. It
// stops at the first difference, so it never reads much more than the document's value is long.
func (m *machine) equalsValue(i int, v *value) (int, bool) {
	text := m.text
	if kinds[text[i]] != v.kind {
		return 0, false
	}
	switch v.kind {
	case kindString:
		end := scan.SkipString(text, i)
		return end, v.text == string(m.unquote(text[i:end]))
	case kindNumber:
		end := scan.SkipScalar(text, i)
		return end, compareNumbers(text[i:end], v.raw) == 0
	case kindArray:
		count := 0
		for i = scan.Space(text, i+1); text[i] != ']'; count++ {
			if count == len(v.items) {
				return 0, false
			}
			var ok bool
			if i, ok = m.equalsValue(i, v.items[count]); !ok {
				return 0, false
			}
			i = nextItem(text, i)
		}
		return i + 1, count == len(v.items)
	case kindObject:
		count := 0
		for i = scan.Space(text, i+1); text[i] != '}'; count++ {
			if count == len(v.members) {
				return 0, false
			}
			name, at := memberAt(text, i)
			w := v.get(string(m.unquote(name)))
			if w == nil {
				return 0, false
			}
			var ok bool
			if i, ok = m.equalsValue(at, w); !ok {
				return 0, false
			}
			i = nextItem(text, i)
		}
		return i + 1, count == len(v.members)
	default:
		end := scan.SkipScalar(text, i)
		return end, bytes.Equal(text[i:end], v.raw)
	}
}

// memberAt gives the quoted name of the member at text[i] and where its value begins.
func memberAt(text []byte, i int) (quoted []byte, at int) {
	end := scan.SkipString(text, i)
	return text[i:end], scan.Space(text, scan.Space(text, end)+1)
}

// nextItem gives where the next item or member begins, or the closing bracket, after one that ends at
// text[i].
func nextItem(text []byte, i int) int {
	if i = scan.Space(text, i); text[i] == ',' {
		i = scan.Space(text, i+1)
	}
	return i
}

// equals compares the values at text[i] and text[j], and gives their ends if equal.
func (m *machine) equals(i, j int) (int, int, bool) {
	text := m.text
	k := kinds[text[i]]
	if k != kinds[text[j]] {
		return 0, 0, false
	}
	switch k {
	case kindString:
		a, b := scan.SkipString(text, i), scan.SkipString(text, j)
		return a, b, sameText(text[i:a], text[j:b])
	case kindNumber:
		a, b := scan.SkipScalar(text, i), scan.SkipScalar(text, j)
		return a, b, compareNumbers(text[i:a], text[j:b]) == 0
	case kindArray:
		i, j = scan.Space(text, i+1), scan.Space(text, j+1)
		for text[i] != ']' && text[j] != ']' {
			var ok bool
			if i, j, ok = m.equals(i, j); !ok {
				return 0, 0, false
			}
			i, j = nextItem(text, i), nextItem(text, j)
		}
		return i + 1, j + 1, text[i] == text[j]
	case kindObject:
		return m.equalObjects(i, j)
	default:
		a, b := scan.SkipScalar(text, i), scan.SkipScalar(text, j)
		return a, b, bytes.Equal(text[i:a], text[j:b])
	}
}

func sameText(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	return (hasEscape(a) || hasEscape(b)) && bytes.Equal(scan.Unquote(a), scan.Unquote(b))
}

// equalObjects compares two objects: in step while their members have the same order, sorted after.
func (m *machine) equalObjects(i, j int) (int, int, bool) {
	text := m.text
	i, j = scan.Space(text, i+1), scan.Space(text, j+1)
	for text[i] != '}' && text[j] != '}' {
		a, x := memberAt(text, i)
		b, y := memberAt(text, j)
		if !sameText(a, b) {
			return m.equalSorted(i, j)
		}
		var ok bool
		if i, j, ok = m.equals(x, y); !ok {
			return 0, 0, false
		}
		i, j = nextItem(text, i), nextItem(text, j)
	}
	return i + 1, j + 1, text[i] == text[j]
}

// span is one member of an object: its name, unescaped, and where its value begins.
type span struct {
	name []byte
	at   int
}

// equalSorted compares what is left of two objects from the members at text[i] and text[j] on.
func (m *machine) equalSorted(i, j int) (int, int, bool) {
	a, i := m.sortedMembers(i)
	b, j := m.sortedMembers(j)
	if len(a) != len(b) {
		return 0, 0, false
	}
	for k := range a {
		if !bytes.Equal(a[k].name, b[k].name) {
			return 0, 0, false
		}
	}
	for k := range a {
		if _, _, ok := m.equals(a[k].at, b[k].at); !ok {
			return 0, 0, false
		}
	}
	return i, j, true
}

func (m *machine) sortedMembers(i int) ([]span, int) {
	var spans []span
	for m.text[i] != '}' {
		name, at := memberAt(m.text, i)
		spans = append(spans, span{scan.Unquote(name), at})
		i = nextItem(m.text, scan.Skip(m.text, at))
	}
	slices.SortFunc(spans, func(a, b span) int { return bytes.Compare(a.name, b.name) })
	return spans, i + 1
}
