package scan

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, with the high bit of each byte, the bytes of x that end a run of plain characters
// in a string: a quote, a backslash, a control character, or a byte beyond ASCII. Bytes above the
// lowest mark may be marked falsely.
func special(x uint64) uint64 {
	quote := x ^ ones*'"'
	escape := x ^ ones*'\\'
	return (x | (x - ones*0x20) | (quote - ones) | (escape - ones)) & highs
}

// quoted gives the index after the string that starts at text[i], a quote, and whether it has
// escapes.
func quoted(text []byte, start int) (end int, escaped bool, err *Error) {
	i := start + 1
	for {
		for i+8 <= len(text) {
			m := special(binary.LittleEndian.Uint64(text[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(text) {
			return 0, false, truncated(text)
		}
		switch c := text[i]; {
		case c == '"':
			return i + 1, escaped, nil
		case c == '\\':
			escaped = true
			if i, err = escape(text, i); err != nil {
				return 0, false, err
			}
		case c < 0x20:
			return 0, false, &Error{i, fmt.Sprintf("control character 0x%02x in a string", c)}
		case c < utf8.RuneSelf:
			i++
		default:
			_, n := utf8.DecodeRune(text[i:])
			if n == 1 {
				return 0, false, &Error{i, "invalid UTF-8"}
			}
			i += n
		}
	}
}

// escape gives the index after the escape sequence at text[i], a backslash; a surrogate pair is one.
func escape(text []byte, i int) (int, *Error) {
	if i+1 >= len(text) {
		return 0, truncated(text)
	}
	switch text[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
	default:
		return 0, &Error{i, "invalid escape sequence in a string"}
	}
	unit, ok := hex4(text, i+2)
	switch {
	case !ok && i+6 > len(text):
		return 0, truncated(text)
	case !ok:
		return 0, &Error{i, "invalid escape sequence in a string"}
	case unit < 0xd800 || unit > 0xdfff:
		return i + 6, nil
	}
	if unit < 0xdc00 && i+8 <= len(text) && text[i+6] == '\\' && text[i+7] == 'u' {
		if low, ok := hex4(text, i+8); ok && 0xdc00 <= low && low <= 0xdfff {
			return i + 12, nil
		}
	}
	return 0, &Error{i, "lone surrogate in a string"}
}

// hex4 reads four hexadecimal digits at text[i].
func hex4(text []byte, i int) (rune, bool) {
	if i+4 > len(text) {
		return 0, false
	}
	var r rune
	for _, c := range text[i : i+4] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// AppendUnescaped appends to dst the text of a valid string whose inside, without the quotes, is given.
func AppendUnescaped(dst, inside []byte) []byte {
	for i := 0; i < len(inside); {
		if inside[i] != '\\' {
			start := i
			for i < len(inside) && inside[i] != '\\' {
				i++
			}
			dst = append(dst, inside[start:i]...)
			continue
		}
		r, n := Unescape(inside, i)
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst
}

// Unescape gives the character of the escape sequence at text[i], a backslash in a valid string, and
// the length of the sequence. A surrogate pair is one sequence.
func Unescape(text []byte, i int) (r rune, n int) {
	switch c := text[i+1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, _ = hex4(text, i+2)
		if 0xd800 <= r && r < 0xdc00 {
			low, _ := hex4(text, i+8)
			return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, 12
		}
		return r, 6
	default:
		return rune(c), 2
	}
}

// Unquote gives the text of a valid JSON string (quotes included): a part of quoted itself
// when it has no escapes.
func Unquote(quoted []byte) []byte {
	inside := quoted[1 : len(quoted)-1]
	for i, c := range inside {
		if c == '\\' {
			return AppendUnescaped(append(make([]byte, 0, len(inside)), inside[:i]...), inside[i:])
		}
	}
	return inside
}
