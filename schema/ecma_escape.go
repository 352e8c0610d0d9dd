package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape reads what follows a backslash outside brackets.
func (p *ecma) escape() (atom int, quantifiable bool, err error) {
	if !p.more() {
		return 0, false, p.fail("a backslash at the end")
	}
	start := p.at
	switch c := p.next(); {
	case c == 'b' || c == 'B':
		p.out.WriteString(`\` + string(c))
		return 0, false, nil
	case c == 'k' && (p.unicode || p.named):
		end := strings.IndexByte(p.source[p.at:], '>')
		if !p.take("<") || end < 0 {
			return 0, false, p.fail("invalid reference to a named group")
		}
		p.references = append(p.references, p.source[p.at:p.at+end-1])
		p.at += end
		return p.out.Len(), true, p.lacks("a back-reference", "spell out what may follow")
	case '1' <= c && c <= '9':
		p.at = start
		n, _ := p.number()
		if n <= p.captures {
			return p.out.Len(), true, p.lacks("a back-reference", "spell out what may follow")
		}
		if p.unicode {
			return 0, false, p.fail("reference to a group %d that is not there", n)
		}
		p.at = start + 1 // an octal escape or an identity escape; either is one character
		return p.literal(c), true, nil
	}
	p.at = start
	s, single, err := p.characterEscape(false)
	if err != nil {
		return 0, false, err
	}
	if single >= 0 {
		return p.literal(single), true, nil
	}
	return p.class(s), true, nil
}

// characterEscape reads an escape that stands for a character (single) or a set of them (single -1).
func (p *ecma) characterEscape(inBrackets bool) (s set, single rune, err error) {
	if !p.more() {
		return nil, 0, p.fail("a backslash at the end")
	}
	switch c := p.next(); c {
	case 'd':
		return decimalDigits, -1, nil
	case 'D':
		return decimalDigits.negate(), -1, nil
	case 'w':
		return wordCharacters, -1, nil
	case 'W':
		return wordCharacters.negate(), -1, nil
	case 's':
		return whiteSpace, -1, nil
	case 'S':
		return whiteSpace.negate(), -1, nil
	case 't':
		return nil, '\t', nil
	case 'n':
		return nil, '\n', nil
	case 'v':
		return nil, '\v', nil
	case 'f':
		return nil, '\f', nil
	case 'r':
		return nil, '\r', nil
	case 'b':
		if inBrackets {
			return nil, '\b', nil
		}
	case 'c':
		if p.more() {
			if l := p.source[p.at] | 0x20; 'a' <= l && l <= 'z' {
				p.at++
				return nil, rune(l - 'a' + 1), nil
			}
		}
		if p.unicode {
			return nil, 0, p.fail("invalid escape \\c")
		}
		p.at-- // the backslash stands for itself
		return nil, '\\', nil
	case 'x':
		if r, ok := p.hex(2); ok {
			return nil, r, nil
		}
		if p.unicode {
			return nil, 0, p.fail("invalid escape \\x")
		}
		return nil, 'x', nil
	case 'u':
		r, ok := p.unicodeEscape()
		if ok {
			return nil, r, nil
		}
		if p.unicode {
			return nil, 0, p.fail("invalid escape \\u")
		}
		return nil, 'u', nil
	case 'p', 'P':
		if p.unicode {
			s, err := p.property()
			if err == nil && c == 'P' {
				s = s.negate()
			}
			return s, -1, err
		}
		return nil, c, nil
	case '0':
		if !p.unicode {
			return nil, 0, nil
		}
		if p.more() && '0' <= p.source[p.at] && p.source[p.at] <= '9' {
			return nil, 0, p.fail("an octal escape is not allowed")
		}
		return nil, 0, nil
	case '-':
		if inBrackets {
			return nil, '-', nil
		}
	default:
		if strings.ContainsRune(`^$\.*+?()[]{}|/`, c) {
			return nil, c, nil
		}
	}
	if p.unicode {
		return nil, 0, p.fail("invalid escape \\%c", p.before())
	}
	if p.named && p.before() == 'k' {
		return nil, 0, p.fail("invalid reference to a named group")
	}
	return nil, p.before(), nil
}

// before gives the character just read.
func (p *ecma) before() rune {
	r, _ := utf8.DecodeLastRuneInString(p.source[:p.at])
	return r
}

// hex reads exactly n hexadecimal digits.
func (p *ecma) hex(n int) (rune, bool) {
	if p.at+n > len(p.source) {
		return 0, false
	}
	v, err := strconv.ParseUint(p.source[p.at:p.at+n], 16, 32)
	if err != nil || strings.ContainsAny(p.source[p.at:p.at+n], "+-_") {
		return 0, false
	}
	p.at += n
	return rune(v), true
}

// unicodeEscape reads what follows \u: four digits, a surrogate pair, or {…}.
func (p *ecma) unicodeEscape() (rune, bool) {
	if p.unicode && p.take("{") {
		end := strings.IndexByte(p.source[p.at:], '}')
		if end <= 0 {
			return 0, false
		}
		digits := strings.TrimLeft(p.source[p.at:p.at+end], "0")
		v, err := strconv.ParseUint("0"+digits, 16, 32)
		if err != nil || v > utf8.MaxRune {
			return 0, false
		}
		p.at += end + 1
		return rune(v), true
	}
	r, ok := p.hex(4)
	if ok && p.unicode && 0xd800 <= r && r < 0xdc00 {
		back := p.at
		if p.take(`\u`) {
			if low, ok := p.hex(4); ok && 0xdc00 <= low && low <= 0xdfff {
				return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, true
			}
			p.at = back
		}
	}
	return r, ok
}

// brackets reads a character class after its opening bracket.
func (p *ecma) brackets() (set, error) {
	negated := p.take("^")
	var s set
	for {
		if !p.more() {
			return nil, p.fail("missing ']'")
		}
		if p.take("]") {
			break
		}
		low, from, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if !p.looking("-") || strings.HasPrefix(p.source[p.at:], "-]") {
			s = append(s, low...)
			continue
		}
		p.at++
		if !p.more() {
			return nil, p.fail("missing ']'")
		}
		high, to, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		switch {
		case from >= 0 && to >= 0 && from > to:
			return nil, p.fail("range out of order in a character class")
		case from >= 0 && to >= 0:
			s = append(s, span32{from, to})
		case p.unicode:
			return nil, p.fail("invalid range in a character class")
		default: // Annex B: the dash stands for itself
			s = append(append(append(s, low...), span32{'-', '-'}), high...)
		}
	}
	s = s.normal()
	if negated {
		s = s.negate()
	}
	return s, nil
}

// classAtom reads one member of a character class; single is -1 when it is a set itself.
func (p *ecma) classAtom() (s set, single rune, err error) {
	c := p.next()
	if c != '\\' {
		return set{{c, c}}, c, nil
	}
	s, single, err = p.characterEscape(true)
	if err == nil && single >= 0 {
		s = set{{single, single}}
	}
	return s, single, err
}

// span32 is a range of characters, both ends included; set is a sorted list of them.
type span32 struct{ low, high rune }

type set []span32

// normal sorts and merges, and leaves out the surrogates, which no text has.
func (s set) normal() set {
	slices.SortFunc(s, func(a, b span32) int { return int(a.low - b.low) })
	var merged set
	for _, r := range s {
		if n := len(merged); n > 0 && r.low <= merged[n-1].high+1 {
			merged[n-1].high = max(merged[n-1].high, r.high)
			continue
		}
		merged = append(merged, r)
	}
	var kept set
	for _, r := range merged {
		if r.high < 0xd800 || r.low > 0xdfff {
			kept = append(kept, r)
			continue
		}
		if r.low < 0xd800 {
			kept = append(kept, span32{r.low, 0xd7ff})
		}
		if r.high > 0xdfff {
			kept = append(kept, span32{0xe000, r.high})
		}
	}
	return kept
}

// negate gives every other character.
func (s set) negate() set {
	var out set
	low := rune(0)
	for _, r := range s {
		if r.low > low {
			out = append(out, span32{low, r.low - 1})
		}
		low = r.high + 1
	}
	if low <= utf8.MaxRune {
		out = append(out, span32{low, utf8.MaxRune})
	}
	return out.normal()
}
