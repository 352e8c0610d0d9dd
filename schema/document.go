package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// kind is the JSON type of a value.
type kind uint8

const (
	kindNull kind = 1 << iota
	kindBoolean
	kindNumber
	kindString
	kindArray
	kindObject

	kindAny = kindNull | kindBoolean | kindNumber | kindString | kindArray | kindObject
)

// kinds tells a value's kind from its first byte.
var kinds = [256]kind{
	'n': kindNull, 't': kindBoolean, 'f': kindBoolean, '"': kindString, '[': kindArray, '{': kindObject,
	'-': kindNumber, '0': kindNumber, '1': kindNumber, '2': kindNumber, '3': kindNumber, '4': kindNumber,
	'5': kindNumber, '6': kindNumber, '7': kindNumber, '8': kindNumber, '9': kindNumber,
}

// value is one value of a schema document. Documents are small and read once, so they may be trees;
// the values a schema checks never are.
type value struct {
	kind    kind
	raw     []byte // the value as written
	text    string // of a string
	items   []*value
	members []member // in the order of the document
}

type member struct {
	name  string
	value *value
}

// parse reads a document that scan.Valid admits. Its values share a few allocations: they live as long as
// the document does.
func parse(raw []byte) *value {
	p := parser{raw: raw, text: string(raw)}
	v, _ := p.value(scan.Space(raw, 0))
	return v
}

type parser struct {
	raw     []byte
	text    string // raw once more, for the strings in it
	values  []value
	items   []*value // of the arrays that are open
	members []member // of the objects that are open
}

// string gives the text of the string whose quotes are at start and end-1.
func (p *parser) string(start, end int) string {
	if inside := p.raw[start+1 : end-1]; hasEscape(inside) {
		return string(scan.AppendUnescaped(nil, inside))
	}
	return p.text[start+1 : end-1]
}

func (p *parser) value(start int) (*value, int) {
	if len(p.values) == cap(p.values) {
		p.values = make([]value, 0, max(4, min(32, len(p.raw)/16)))
	}
	text := p.raw
	p.values = append(p.values, value{kind: kinds[text[start]]})
	v := &p.values[len(p.values)-1]
	i := start
	switch v.kind {
	case kindString:
		i = scan.SkipString(text, start)
		v.text = p.string(start, i)
	case kindArray:
		open := len(p.items)
		for i = scan.Space(text, start+1); text[i] != ']'; {
			var item *value
			item, i = p.value(i)
			p.items = append(p.items, item)
			if i = scan.Space(text, i); text[i] == ',' {
				i = scan.Space(text, i+1)
			}
		}
		i++
		v.items = slices.Clone(p.items[open:])
		p.items = p.items[:open]
	case kindObject:
		open := len(p.members)
		for i = scan.Space(text, start+1); text[i] != '}'; {
			end := scan.SkipString(text, i)
			m := member{name: p.string(i, end)}
			i = scan.Space(text, scan.Space(text, end)+1)
			m.value, i = p.value(i)
			p.members = append(p.members, m)
			if i = scan.Space(text, i); text[i] == ',' {
				i = scan.Space(text, i+1)
			}
		}
		i++
		v.members = slices.Clone(p.members[open:])
		p.members = p.members[:open]
	default:
		i = scan.SkipScalar(text, start)
	}
	v.raw = text[start:i]
	return v, i
}

// get gives the member of an object, or nil.
func (v *value) get(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

func (v *value) isTrue() bool  { return v.kind == kindBoolean && v.raw[0] == 't' }
func (v *value) isFalse() bool { return v.kind == kindBoolean && v.raw[0] == 'f' }

// ordered gives the members as JavaScript enumerates them, which is the order of Ajv's issues: names
// that are array indices first, by number, then the others as written.
func (v *value) ordered() []member {
	if !slices.ContainsFunc(v.members, func(m member) bool { _, ok := arrayIndex(m.name); return ok }) {
		return v.members
	}
	sorted := slices.Clone(v.members)
	slices.SortStableFunc(sorted, func(a, b member) int { return compareNames(a.name, b.name) })
	return sorted
}

// compareNames orders two member names as JavaScript enumerates them; names that are not array
// indices are equal.
func compareNames[T string | []byte](a, b T) int {
	i, isA := arrayIndex(a)
	j, isB := arrayIndex(b)
	switch {
	case isA && isB:
		if i < j {
			return -1
		}
		return 1
	case isA:
		return -1
	case isB:
		return 1
	}
	return 0
}

// arrayIndex reads a name that ECMA-262 calls an array index: a canonical integer below 2^32-1.
func arrayIndex[T string | []byte](name T) (uint64, bool) {
	if len(name) == 0 || len(name) > 10 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	var n uint64
	for i := range len(name) {
		c := name[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	return n, n < 1<<32-1
}

// appendJSON appends v as JavaScript's JSON.stringify writes it. A number that a double cannot hold
// exactly keeps its digits: to report a limit other than the one checked would be a lie.
func (v *value) appendJSON(b []byte) []byte {
	switch v.kind {
	case kindString:
		return appendQuoted(b, v.text)
	case kindNumber:
		return appendNumber(b, v.raw)
	case kindArray:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	case kindObject:
		b = append(b, '{')
		for i, m := range v.ordered() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendQuoted(b, m.name), ':')
			b = m.value.appendJSON(b)
		}
		return append(b, '}')
	default:
		return append(b, v.raw...)
	}
}

// appendQuoted appends text as a JSON string, escaped only where JSON.stringify escapes.
func appendQuoted[T string | []byte](b []byte, text T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20:
			b = append(b, c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(b, '"')
}

// appendNumber appends a JSON number as JavaScript prints it, or with its own digits when a double
// holds another number.
func appendNumber(b, raw []byte) []byte {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return append(b, raw...)
	}
	start := len(b)
	b = appendFloat(b, f)
	if compareNumbers(b[start:], raw) != 0 {
		return append(b[:start], raw...)
	}
	return b
}

// appendFloat appends a number as ECMA-262's Number::toString does.
func appendFloat(b []byte, f float64) []byte {
	if f == 0 {
		return append(b, '0')
	}
	if a := math.Abs(f); a >= 1e21 || a < 1e-6 {
		start := len(b)
		b = strconv.AppendFloat(b, f, 'e', -1, 64)
		// Go pads the exponent to two digits; JavaScript does not.
		if n := len(b); n-start > 3 && b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') {
			b[n-2] = b[n-1]
			b = b[:n-1]
		}
		return b
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// runes counts the code points of valid UTF-8 text.
func runes(text []byte) int { return utf8.RuneCount(text) }

// appendPointer appends a slash and the escaped segment.
func appendPointer[T string | []byte](b []byte, segment T) []byte {
	b = append(b, '/')
	for i := range len(segment) {
		switch c := segment[i]; c {
		case '~':
			b = append(b, '~', '0')
		case '/':
			b = append(b, '~', '1')
		default:
			b = append(b, c)
		}
	}
	return b
}

// appendFragment appends a slash and the segment as Ajv writes it in a schemaPath: an escaped pointer
// segment, percent-encoded as encodeURIComponent does.
func appendFragment(b []byte, segment string) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '/')
	for i := range len(segment) {
		switch c := segment[i]; {
		case c == '~':
			b = append(b, '~', '0')
		case c == '/':
			b = append(b, '~', '1')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '-', c == '_', c == '.', c == '!', c == '*', c == '\'', c == '(', c == ')':
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}

// show gives a short form of a value for an error's text.
func (v *value) show() string {
	const limit = 60
	if len(v.raw) > limit {
		return fmt.Sprintf("%s…", v.raw[:limit])
	}
	return string(v.raw)
}
