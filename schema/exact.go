package schema

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
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
			return compareUTF16(a.name, b.name)
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

// compareUTF16 compares texts by their UTF-16 code units.
func compareUTF16(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] || a[i] >= utf8.RuneSelf {
			if a[i] < utf8.RuneSelf && b[i] < utf8.RuneSelf {
				return int(a[i]) - int(b[i])
			}
			return slices.Compare(utf16.Encode([]rune(a[i:])), utf16.Encode([]rune(b[i:])))
		}
	}
	return len(a) - len(b)
}
