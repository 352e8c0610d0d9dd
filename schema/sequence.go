package schema

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// sequence matches the simple patterns that most schemas have, like ^[A-Z]{2}-\d+$: classes of
// characters one after the other, each repeated some number of times, from the beginning of the text on.
// It needs no backtracking because what may follow a repeated class is never in that class.
type sequence struct {
	steps []step
	toEnd bool // whether the text must end after the last step
}

// step is a class of characters and how often it comes, at most -1 for without end.
type step struct {
	ascii       [2]uint64 // those below 128
	ranges      []span32  // the others
	least, most int
}

// newSequence makes a sequence of an expression in Go's syntax, or nil when it is not simple enough.
func newSequence(expression string) *sequence {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	if len(parts) == 0 || parts[0].Op != syntax.OpBeginText {
		return nil
	}
	s := &sequence{}
	for i, part := range parts[1:] {
		if part.Op == syntax.OpEndText {
			if i != len(parts)-2 {
				return nil
			}
			s.toEnd = true
			break
		}
		if !s.add(part) {
			return nil
		}
	}
	if !s.certain() {
		return nil
	}
	for i := range s.steps {
		s.steps[i].index()
	}
	return s
}

// add adds the steps of one part.
func (s *sequence) add(part *syntax.Regexp) bool {
	least, most := 1, 1
	switch part.Op {
	case syntax.OpLiteral:
		if part.Flags&syntax.FoldCase != 0 {
			return false
		}
		for _, r := range part.Rune {
			s.steps = append(s.steps, step{ranges: []span32{{r, r}}, least: 1, most: 1})
		}
		return true
	case syntax.OpStar:
		least, most = 0, -1
	case syntax.OpPlus:
		most = -1
	case syntax.OpQuest:
		least = 0
	case syntax.OpRepeat:
		least, most = part.Min, part.Max
	}
	if len(part.Sub) == 1 {
		part = part.Sub[0]
	}
	var ranges []span32
	switch {
	case part.Op == syntax.OpCharClass:
		for i := 0; i < len(part.Rune); i += 2 {
			ranges = append(ranges, span32{part.Rune[i], part.Rune[i+1]})
		}
	case part.Op == syntax.OpLiteral && len(part.Rune) == 1 && part.Flags&syntax.FoldCase == 0:
		ranges = []span32{{part.Rune[0], part.Rune[0]}}
	case part.Op == syntax.OpAnyChar:
		ranges = []span32{{0, utf8.MaxRune}}
	default:
		return false
	}
	s.steps = append(s.steps, step{ranges: ranges, least: least, most: most})
	return true
}

// certain reports whether taking as many characters as a step may take is never wrong.
func (s *sequence) certain() bool {
	for i, a := range s.steps {
		if a.least == a.most {
			continue
		}
		for _, b := range s.steps[i+1:] {
			if a.overlaps(b) {
				return false
			}
			if b.least > 0 {
				break
			}
		}
	}
	return true
}

func (a step) overlaps(b step) bool {
	return slices.ContainsFunc(a.ranges, func(x span32) bool {
		return slices.ContainsFunc(b.ranges, func(y span32) bool { return x.low <= y.high && y.low <= x.high })
	})
}

// index moves the characters below 128 to the bits.
func (a *step) index() {
	var rest []span32
	for _, r := range a.ranges {
		for c := r.low; c <= min(r.high, 127); c++ {
			a.ascii[c/64] |= 1 << (c % 64)
		}
		if r.high > 127 {
			rest = append(rest, span32{max(r.low, 128), r.high})
		}
	}
	a.ranges = rest
}

func (a *step) has(r rune) bool {
	_, ok := slices.BinarySearchFunc(a.ranges, r, func(s span32, r rune) int {
		switch {
		case s.high < r:
			return -1
		case s.low > r:
			return 1
		}
		return 0
	})
	return ok
}

func (s *sequence) match(text []byte) bool {
	i := 0
	for k := range s.steps {
		a := &s.steps[k]
		count := 0
		for ; i < len(text) && count != a.most; count++ {
			if c := text[i]; c < utf8.RuneSelf {
				if a.ascii[c/64]&(1<<(c%64)) == 0 {
					break
				}
				i++
				continue
			}
			if a.ranges == nil {
				break
			}
			r, n := utf8.DecodeRune(text[i:])
			if !a.has(r) {
				break
			}
			i += n
		}
		if count < a.least {
			return false
		}
	}
	return !s.toEnd || i == len(text)
}
