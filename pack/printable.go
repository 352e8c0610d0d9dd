package pack

import (
	"strings"
	"unicode"
)

// printable replaces what a terminal would obey or hide in a text from elsewhere: control
// and format characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// shortened cuts a text after a number of characters.
func shortened(s string, limit int) string {
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
