package schema

import (
	"fmt"
	"regexp"
)

// pattern is a compiled ECMA-262 pattern.
type pattern struct {
	source string
	simple *sequence      // decides when the pattern is simple enough
	re     *regexp.Regexp // decides otherwise
}

// newPattern compiles a pattern of ECMA-262 with the u flag.
func newPattern(source string) (*pattern, error) { return compilePattern(source, true) }

func compilePattern(source string, unicode bool) (*pattern, error) {
	translated, err := translate(source, unicode)
	if err != nil {
		return nil, err
	}
	if simple := newSequence(translated); simple != nil {
		return &pattern{source: source, simple: simple}, nil
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, fmt.Errorf("pattern %q is too large for Go's regexp: %w", source, err)
	}
	return &pattern{source: source, re: re}, nil
}

// match reports whether the pattern is found anywhere in the text.
func (p *pattern) match(text []byte) bool {
	if p.simple != nil {
		return p.simple.match(text)
	}
	return p.re.Match(text)
}
