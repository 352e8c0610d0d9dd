package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ecma reads one pattern of ECMA-262, section 22.2.1, and writes it in the syntax of Go's regexp
// (RE2). With the u flag it is strict; without, it takes what Annex B takes, to answer whether a
// string is a regular expression at all.
type ecma struct {
	source  string
	unicode bool
	// check says that only the syntax matters: what RE2 lacks is no error then.
	check bool

	at     int
	out    strings.Builder
	groups []ecmaGroup // open
	names  map[string]bool
	// named says that the pattern has a named group, which makes \k a reference even without u.
	named bool
	// captures is how many groups the whole pattern has, for references.
	captures   int
	references []string // names referred to, checked at the end
}

type ecmaGroup struct {
	start      int  // where it begins in out
	assertion  bool // a lookaround
	lookbehind bool
}

// patternError says why a pattern is not one.
type patternError struct {
	pattern string
	reason  string
}

func (e *patternError) Error() string {
	return fmt.Sprintf("pattern %q: %s", e.pattern, e.reason)
}

// translate writes a pattern of ECMA-262, with the u flag or without, in the syntax of Go's regexp.
func translate(source string, unicode bool) (string, error) {
	p := &ecma{source: source, unicode: unicode}
	if err := p.run(); err != nil {
		return "", err
	}
	return p.out.String(), nil
}

// isRegExp reports whether ECMA-262 takes source as a pattern without flags.
func isRegExp(source string) bool {
	p := &ecma{source: source, check: true}
	return p.run() == nil
}

func (p *ecma) fail(format string, args ...any) error {
	return &patternError{p.source, fmt.Sprintf(format, args...)}
}

// lacks refuses what RE2 cannot express.
func (p *ecma) lacks(what, instead string) error {
	if p.check {
		return nil
	}
	return p.fail("%s cannot be checked in linear time; %s", what, instead)
}

func (p *ecma) more() bool             { return p.at < len(p.source) }
func (p *ecma) looking(at string) bool { return strings.HasPrefix(p.source[p.at:], at) }
func (p *ecma) take(text string) bool {
	if p.looking(text) {
		p.at += len(text)
		return true
	}
	return false
}

func (p *ecma) next() rune {
	r, n := utf8.DecodeRuneInString(p.source[p.at:])
	p.at += n
	return r
}

// whiteSpace is \s, and lineTerminators what a dot does not match.
var (
	decimalDigits   = set{{'0', '9'}}
	wordCharacters  = set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	whiteSpace      = set{{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}}
	lineTerminators = set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
)

func (p *ecma) run() error {
	p.count()
	quantifiable := false // whether something to repeat comes just before
	atom := 0             // where it begins in out
	for p.more() {
		start := p.at
		switch c := p.next(); c {
		case '^':
			p.out.WriteString(`\A`)
			quantifiable = false
		case '$':
			p.out.WriteString(`\z`)
			quantifiable = false
		case '|':
			p.out.WriteByte('|')
			quantifiable = false
		case '(':
			if err := p.open(); err != nil {
				return err
			}
			quantifiable = false
		case ')':
			if len(p.groups) == 0 {
				return p.fail("unmatched ')'")
			}
			g := p.groups[len(p.groups)-1]
			p.groups = p.groups[:len(p.groups)-1]
			p.out.WriteByte(')')
			atom = g.start
			// Annex B lets a lookahead be repeated.
			quantifiable = !g.assertion || !p.unicode && !g.lookbehind
		case '*', '+', '?', '{':
			p.at = start
			low, high, lazy, ok, err := p.quantifier()
			if err != nil {
				return err
			}
			if !ok { // a brace that stands for itself
				if p.unicode {
					return p.fail("a lone '{' must be written \\{")
				}
				p.at = start + 1
				atom = p.literal('{')
				quantifiable = true
				continue
			}
			if !quantifiable {
				return p.fail("nothing to repeat before %q", p.source[start:p.at])
			}
			p.repeat(atom, low, high, lazy)
			quantifiable = false
		case '}', ']':
			if p.unicode {
				return p.fail("a lone '%c' must be written \\%c", c, c)
			}
			atom, quantifiable = p.literal(c), true
		case '.':
			atom, quantifiable = p.class(lineTerminators.negate()), true
		case '[':
			s, err := p.brackets()
			if err != nil {
				return err
			}
			atom, quantifiable = p.class(s), true
		case '\\':
			var err error
			if atom, quantifiable, err = p.escape(); err != nil {
				return err
			}
		default:
			atom, quantifiable = p.literal(c), true
		}
	}
	if len(p.groups) > 0 {
		return p.fail("missing ')'")
	}
	for _, name := range p.references {
		if !p.names[name] {
			return p.fail("reference to a group %q that is not there", name)
		}
	}
	return nil
}

// count finds how many groups capture and whether one has a name, which decides what \1 and \k mean.
func (p *ecma) count() {
	class := false
	for i := 0; i < len(p.source); i++ {
		switch p.source[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '(':
			if class {
				continue
			}
			rest := p.source[i+1:]
			if !strings.HasPrefix(rest, "?") {
				p.captures++
			} else if strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!") {
				p.captures++
				p.named = true
			}
		}
	}
}

// open reads what follows an opening parenthesis.
func (p *ecma) open() error {
	g := ecmaGroup{start: p.out.Len()}
	switch {
	case p.take("?:"):
		p.out.WriteString("(?:")
	case p.looking("?=") || p.looking("?!") || p.looking("?<=") || p.looking("?<!"):
		g.assertion = true
		what := "a lookahead"
		if g.lookbehind = p.looking("?<"); g.lookbehind {
			what = "a lookbehind"
			p.at++
		}
		p.at += 2
		if err := p.lacks(what, "write the pattern without it, or check that part in the type's own validation"); err != nil {
			return err
		}
		p.out.WriteString("(?:")
	case p.take("?<"):
		end := strings.IndexByte(p.source[p.at:], '>')
		if end < 0 || !isGroupName(p.source[p.at:p.at+end]) {
			return p.fail("invalid name of a group")
		}
		name := p.source[p.at : p.at+end]
		if p.names[name] {
			return p.fail("two groups named %q", name)
		}
		if p.names == nil {
			p.names = map[string]bool{}
		}
		p.names[name] = true
		p.at += end + 1
		p.out.WriteString("(?:")
	case p.looking("?"):
		return p.fail("invalid group")
	default:
		p.out.WriteString("(?:")
	}
	p.groups = append(p.groups, g)
	return nil
}

func isGroupName(name string) bool {
	for i, r := range name {
		ok := r == '$' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && '0' <= r && r <= '9'
		if !ok && r < utf8.RuneSelf {
			return false
		}
	}
	return name != ""
}

// quantifier reads *, +, ?, {n}, {n,} or {n,m}; high is -1 when there is no end.
func (p *ecma) quantifier() (low, high int, lazy, ok bool, err error) {
	start := p.at
	switch p.next() {
	case '*':
		low, high = 0, -1
	case '+':
		low, high = 1, -1
	case '?':
		low, high = 0, 1
	default:
		if low, ok = p.number(); !ok {
			return 0, 0, false, false, nil
		}
		high = low
		if p.take(",") {
			if high, ok = p.number(); !ok {
				high = -1
			}
		}
		if !p.take("}") {
			return 0, 0, false, false, nil
		}
		if high >= 0 && high < low {
			return 0, 0, false, false, p.fail("numbers out of order in %q", p.source[start:p.at])
		}
	}
	lazy = p.take("?")
	return low, high, lazy, true, nil
}

// number reads a decimal number, saturating.
func (p *ecma) number() (int, bool) {
	start, n := p.at, 0
	for p.more() && '0' <= p.source[p.at] && p.source[p.at] <= '9' {
		n = min(n*10+int(p.source[p.at]-'0'), 1<<31)
		p.at++
	}
	return n, p.at > start
}

// repeat repeats what out holds from atom on. RE2 repeats up to a thousand times; more is written as a
// sequence.
func (p *ecma) repeat(atom, low, high int, lazy bool) {
	const most = 1000
	suffix := ""
	if lazy {
		suffix = "?"
	}
	write := func(low, high int) {
		switch {
		case low == 0 && high < 0:
			p.out.WriteString("*")
		case low == 1 && high < 0:
			p.out.WriteString("+")
		case low == 0 && high == 1:
			p.out.WriteString("?")
		case high < 0:
			fmt.Fprintf(&p.out, "{%d,}", low)
		case low == high:
			fmt.Fprintf(&p.out, "{%d}", low)
		default:
			fmt.Fprintf(&p.out, "{%d,%d}", low, high)
		}
		p.out.WriteString(suffix)
	}
	if low <= most && high <= most {
		write(low, high)
		return
	}
	if p.check {
		return
	}
	text := p.out.String()
	before, body := text[:atom], text[atom:]
	p.out.Reset()
	p.out.WriteString(before + "(?:")
	// Past a hundred thousand the compiler of regexp refuses anyway.
	const end = 100_000
	for rest := min(low, end); rest > 0; rest -= most {
		p.out.WriteString(body)
		write(min(rest, most), min(rest, most))
	}
	if high < 0 {
		p.out.WriteString(body)
		write(0, -1)
	}
	for rest := min(high-low, end); rest > 0; rest -= most {
		p.out.WriteString(body)
		write(0, min(rest, most))
	}
	p.out.WriteByte(')')
}

// literal writes one character, and gives where.
func (p *ecma) literal(r rune) int {
	at := p.out.Len()
	if 0xd800 <= r && r <= 0xdfff { // no text has a lone surrogate
		return p.class(nil)
	}
	if r < utf8.RuneSelf && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
		fmt.Fprintf(&p.out, `\x%02x`, r)
	} else {
		p.out.WriteRune(r)
	}
	return at
}

// class writes a set of characters, and gives where.
func (p *ecma) class(s set) int {
	at := p.out.Len()
	if p.check {
		return at
	}
	if len(s) == 0 {
		p.out.WriteString(`[^\x{0}-\x{10ffff}]`)
		return at
	}
	p.out.WriteByte('[')
	for _, r := range s {
		p.out.WriteString(`\x{` + strconv.FormatInt(int64(r.low), 16) + `}`)
		if r.high > r.low {
			p.out.WriteString(`-\x{` + strconv.FormatInt(int64(r.high), 16) + `}`)
		}
	}
	p.out.WriteByte(']')
	return at
}
