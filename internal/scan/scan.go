// Package scan reads JSON text byte by byte, without building values.
//
// [Valid] is the door: it says whether a text is one JSON value that Go can hold, in one pass and
// without an allocation for ordinary texts. The other functions walk a text that has passed the door
// and therefore check nothing.
package scan

import (
	"fmt"
	"math"
	"strconv"
	"sync"
	"unsafe"
)

// MaxDepth is how many levels of arrays and objects a text may nest.
const MaxDepth = 10000

// MaxNumber is how many bytes a number may have.
const MaxNumber = 1000

// Error says why a text is refused, and where.
type Error struct {
	Offset int    // in bytes
	Reason string // lower case, like: duplicate member name "a"
}

// Error gives the reason and the offset.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// Valid reports why text is not one JSON value that Go can hold (RFC 8259, RFC 7493): syntax,
// invalid UTF-8, a lone surrogate, a duplicate member name, nesting past [MaxDepth], a number beyond
// float64's range (or so small that it would round to zero) or of more than [MaxNumber] bytes,
// trailing data. The error is an *[Error]. It takes time linear in the text and memory for the names
// of the open objects only.
func Valid(text []byte) error {
	s := scanners.Get().(*scanner)
	defer s.release()
	if err := s.scan(text, nil); err != nil {
		return err
	}
	return nil
}

// frame is one open array or object.
type frame struct {
	names int    // where the object's names begin in scanner.names; -1 in an array
	bytes int    // where the object's unescaped names begin in scanner.unescaped
	table *table // finds the names once there are many, else nil
}

// scanner holds what one scan needs, for the next to use again.
type scanner struct {
	text      []byte
	frames    []frame
	names     []name
	unescaped []byte // the names that had escapes, without them
	tables    []*table
}

var scanners = sync.Pool{New: func() any {
	return &scanner{frames: make([]frame, 0, 64), names: make([]name, 0, 128)}
}}

// release gives the scanner back, unless an unusual text made it large.
func (s *scanner) release() {
	if cap(s.frames) > 1024 || cap(s.names) > 4096 || cap(s.unescaped) > 1<<16 || len(s.tables) > 8 {
		return
	}
	s.text = nil
	clear(s.frames) // those left open by an error
	s.frames, s.names, s.unescaped = s.frames[:0], s.names[:0], s.unescaped[:0]
	scanners.Put(s)
}

// scan is one loop with the open containers on a stack of its own: the depth of a text never
// becomes the depth of the goroutine's stack. Unless outer is nil, it appends the members of the
// outermost object to it.
func (s *scanner) scan(text []byte, outer *MemberList) *Error {
	if uint64(len(text)) >= math.MaxUint32 {
		return &Error{math.MaxInt32, "the text has more than 4 GiB"}
	}
	s.text = text
	i := 0
	object := false // whether the innermost container is an object
value:
	for {
		i = Space(text, i)
		if i >= len(text) {
			return truncated(text)
		}
		switch c := text[i]; c {
		case '"':
			var err *Error
			if i, _, err = quoted(text, i); err != nil {
				return err
			}
		case '{':
			if len(s.frames) >= MaxDepth {
				return tooDeep(i)
			}
			i = Space(text, i+1)
			if i < len(text) && text[i] == '}' {
				i++
				break
			}
			s.frames = append(s.frames, frame{names: len(s.names), bytes: len(s.unescaped)})
			object = true
			start := i
			var err *Error
			if i, err = s.name(i); err != nil {
				return err
			}
			if outer != nil && len(s.frames) == 1 {
				outer.begin(text, start, i)
			}
			continue value
		case '[':
			if len(s.frames) >= MaxDepth {
				return tooDeep(i)
			}
			i = Space(text, i+1)
			if i < len(text) && text[i] == ']' {
				i++
				break
			}
			s.frames = append(s.frames, frame{names: -1})
			object = false
			continue value
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			var err *Error
			if i, err = number(text, i); err != nil {
				return err
			}
		case 't':
			if !literal(text, i, "true") {
				return badLiteral(text, i, "true")
			}
			i += 4
		case 'f':
			if !literal(text, i, "false") {
				return badLiteral(text, i, "false")
			}
			i += 5
		case 'n':
			if !literal(text, i, "null") {
				return badLiteral(text, i, "null")
			}
			i += 4
		default:
			return unexpected(text, i, "a value")
		}

		// After a value: close what ends here, then go on to the next member or element.
		for {
			if outer != nil && len(s.frames) == 1 && object {
				outer.At(outer.n - 1).ValueEnd = uint32(i)
			}
			i = Space(text, i)
			if len(s.frames) == 0 {
				if i < len(text) {
					return unexpected(text, i, "the end of the text")
				}
				return nil
			}
			if i >= len(text) {
				return truncated(text)
			}
			c := text[i]
			if c == ',' {
				i++
				if !object {
					continue value
				}
				start := Space(text, i)
				var err *Error
				if i, err = s.name(start); err != nil {
					return err
				}
				if outer != nil && len(s.frames) == 1 {
					outer.begin(text, start, i)
				}
				continue value
			}
			if object && c != '}' {
				return unexpected(text, i, "',' or '}'")
			}
			if !object && c != ']' {
				return unexpected(text, i, "',' or ']'")
			}
			i++
			s.close()
			object = len(s.frames) > 0 && s.frames[len(s.frames)-1].names >= 0
		}
	}
}

// close leaves the innermost container and forgets its names.
func (s *scanner) close() {
	last := &s.frames[len(s.frames)-1]
	if last.names >= 0 {
		s.names = s.names[:last.names]
		s.unescaped = s.unescaped[:last.bytes]
		if last.table != nil {
			s.tables = append(s.tables, last.table)
			last.table = nil
		}
	}
	s.frames = s.frames[:len(s.frames)-1]
}

// literal reports whether text has word at i.
func literal(text []byte, i int, word string) bool {
	return len(text)-i >= len(word) && string(text[i:i+len(word)]) == word
}

// number gives the index after the number that starts at text[i], a digit or a minus sign.
func number(text []byte, start int) (int, *Error) {
	i := start
	if text[i] == '-' {
		i++
	}
	digits := i
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	switch {
	case i == digits:
		if i == len(text) {
			return 0, truncated(text)
		}
		return 0, unexpected(text, i, "a digit")
	case text[digits] == '0' && i > digits+1:
		return 0, &Error{digits, "leading zero in a number"}
	}
	exponent := false
	if i < len(text) && text[i] == '.' {
		i++
		digits = i
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		if i == digits {
			if i == len(text) {
				return 0, truncated(text)
			}
			return 0, unexpected(text, i, "a digit")
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		exponent = true
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		digits = i
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		if i == digits {
			if i == len(text) {
				return 0, truncated(text)
			}
			return 0, unexpected(text, i, "a digit")
		}
	}
	// Without an exponent, 300 bytes stay well within 1e±308.
	if exponent || i-start > 300 {
		if err := inRange(text[start:i], start); err != nil {
			return 0, err
		}
	}
	return i, nil
}

// inRange refuses a number that float64 cannot hold. The number's length is checked first: it bounds
// the work of the exact conversion.
func inRange(number []byte, at int) *Error {
	if len(number) > MaxNumber {
		return &Error{at, fmt.Sprintf("number of more than %d bytes", MaxNumber)}
	}
	f, err := strconv.ParseFloat(unsafe.String(&number[0], len(number)), 64)
	if err != nil {
		return &Error{at, "number beyond the range of a 64-bit float"}
	}
	if f != 0 {
		return nil
	}
	for _, c := range number {
		if c|0x20 == 'e' {
			break
		}
		if '1' <= c && c <= '9' {
			return &Error{at, "number too small for a 64-bit float"}
		}
	}
	return nil
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// quote gives a short quoted form of what a caller sent, for a reason.
func quote(b []byte) string {
	const limit = 64
	if len(b) <= limit {
		return strconv.Quote(string(b))
	}
	return strconv.Quote(string(b[:limit])) + "…"
}

func truncated(text []byte) *Error { return &Error{len(text), "unexpected end of the text"} }

func tooDeep(i int) *Error {
	return &Error{i, fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
}

func unexpected(text []byte, i int, wanted string) *Error {
	if i >= len(text) {
		return truncated(text)
	}
	if c := text[i]; c < 0x20 || c >= 0x7f {
		return &Error{i, fmt.Sprintf("expected %s, found byte 0x%02x", wanted, c)}
	}
	return &Error{i, fmt.Sprintf("expected %s, found %q", wanted, rune(text[i]))}
}

func badLiteral(text []byte, i int, word string) *Error {
	for j := range len(word) {
		if i+j >= len(text) {
			return truncated(text)
		}
		if text[i+j] != word[j] {
			return unexpected(text, i+j, word)
		}
	}
	return nil
}
