package schema

import (
	"slices"
	"unicode/utf16"
)

// appendExact appends a document in one form: that of protocol.AppendCanonical, but for the numbers
// that a float64 does not hold. Those keep every digit, since a bound that is rounded is another bound.
func appendExact(b []byte, v *value) []byte {
	switch v.kind {
	case kindString:
		return appendQuoted(b, v.text)
	case kindNumber:
		n := len(b)
		if b = appendNumber(b, v.raw); compareNumbers(b[n:], v.raw) == 0 {
			return b
		}
		if digits, ok := plainInteger(v.raw, maxBigIntDigits); ok {
			return append(b[:n], digits...)
		}
		return append(b[:n], v.raw...)
	case kindArray:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendExact(b, item)
		}
		return append(b, ']')
	case kindObject:
		members := slices.Clone(v.members)
		slices.SortFunc(members, func(a, b member) int {
			return slices.Compare(utf16.Encode([]rune(a.name)), utf16.Encode([]rune(b.name)))
		})
		b = append(b, '{')
		for i, m := range members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendQuoted(b, m.name), ':')
			b = appendExact(b, m.value)
		}
		return append(b, '}')
	}
	return append(b, v.raw...)
}
