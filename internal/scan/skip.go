package scan

import (
	"encoding/binary"
	"math/bits"
)

// Space gives the index of the first byte at or after i that is not JSON white space.
func Space(text []byte, i int) int {
	if i < len(text) && text[i] > ' ' {
		return i
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// Skip gives the index after the value that starts at text[i], which must be known to be valid.
func Skip(text []byte, i int) int {
	switch text[i] {
	case '"':
		return SkipString(text, i)
	case '{', '[':
	default:
		return SkipScalar(text, i)
	}
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = SkipString(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}

// SkipString gives the index after the valid string that starts at text[i], a quote.
func SkipString(text []byte, i int) int {
	end, _ := String(text, i)
	return end
}

// String gives the index after the valid string that starts at text[i], a quote, and whether it has
// escapes.
func String(text []byte, i int) (end int, escaped bool) {
	i++
	for {
		for i+8 <= len(text) {
			x := binary.LittleEndian.Uint64(text[i:])
			quote := x ^ ones*'"'
			escape := x ^ ones*'\\'
			m := ((quote-ones)&^quote | (escape-ones)&^escape) & highs
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(text) {
			return len(text), escaped
		}
		switch text[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			i += 2
		default:
			i++
		}
	}
}

// SkipScalar gives the index after the valid number, true, false or null that starts at text[i].
func SkipScalar(text []byte, i int) int {
	for i < len(text) && text[i] > ' ' && text[i] != ',' && text[i] != '}' && text[i] != ']' {
		i++
	}
	return i
}
