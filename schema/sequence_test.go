package schema

import (
	"regexp"
	"testing"
)

// FuzzSequence holds simple patterns against regexp.
func FuzzSequence(f *testing.F) {
	for _, pattern := range []string{`^[A-Z]{2}-\d{4}$`, `^a*b+c?$`, `^é{1,2}x`, `^[^a]+a$`, `^\p{L}+\d$`, `^a{0,3}[b-z]*$`, `^.{2}$`, `^(?:ab)$`, `^\S+@$`} {
		for _, text := range []string{"AB-1234", "aab", "ééx", "xyza", "né1", "", "aaa", "😀😀", "ab", "x@"} {
			f.Add(pattern, text)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		expression, err := translate(pattern, true)
		if err != nil {
			t.Skip()
		}
		re, err := regexp.Compile(expression)
		if err != nil {
			t.Skip()
		}
		s := newSequence(expression)
		if s == nil {
			t.Skip()
		}
		if got, want := s.match([]byte(text)), re.MatchString(text); got != want {
			t.Fatalf("%q on %q: %v, by regexp %v", pattern, text, got, want)
		}
	})
}

// The commonest shapes need no regexp.
func TestSimplePatterns(t *testing.T) {
	t.Parallel()
	for pattern, simple := range map[string]bool{
		`^[A-Z]{2}-\d{4}$`: true, `^[a-z0-9_-]+$`: true, `^a*b+c?$`: true, `^\p{L}+$`: true, `^x`: true, `^[a-z]+(?:-[a-z]+)*$`: false, `a`: false, `^a*a$`: false, `^a|b$`: false,
	} {
		expression, err := translate(pattern, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := newSequence(expression) != nil; got != simple {
			t.Errorf("%s: simple %v", pattern, got)
		}
	}
}
