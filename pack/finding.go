package pack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindgi/kindgi-go/schema"
)

// findings collects what is wrong with one registration, and what is allowed but is
// probably not meant.
type findings struct {
	at       source
	subject  entry
	problems []error
	warnings []*RegistrationError
}

// problem notes what keeps the pack from being published.
func (f *findings) problem(format string, args ...any) {
	f.problems = append(f.problems, f.registrationError(format, args))
}

// typeWarnings notes what a type's schema warns of; what is the part of the registration, and isInput says
// whether its values are decoded.
func (f *findings) typeWarnings(what string, s *schema.Schema, isInput bool) {
	for _, w := range s.Warnings() {
		if (isInput || !w.InputOnly) && !isForeign(w.Type) {
			f.warn(what+": %w", w.TypeError)
		}
	}
}

// warn notes what is allowed and probably not meant.
func (f *findings) warn(format string, args ...any) {
	f.warnings = append(f.warnings, f.registrationError(format, args))
}

func (f *findings) registrationError(format string, args []any) *RegistrationError {
	return &RegistrationError{File: f.at.module, Line: f.at.line, Err: fmt.Errorf("%v: "+format, append([]any{f.subject}, args...)...)}
}

// oneOf notes a value that is none of the known ones.
func (f *findings) oneOf(what, value string, known []string) bool {
	switch {
	case slices.Contains(known, value):
		return true
	case value == "":
		f.problem("%s is empty; it is %s", what, orList(known))
	default:
		f.problem("%s %q is not known%s; it is %s", what, value, suggestion(value, known), orList(known))
	}
	return false
}

// texts notes the empty and the repeated ones of a list of names.
func (f *findings) texts(what string, list []string) {
	first := map[string]int{}
	for i, text := range list {
		j, twice := first[text]
		switch {
		case text == "":
			f.problem("%s[%d] is empty", what, i)
		case twice:
			f.problem("%s[%d] is %q, which %s[%d] is already", what, i, text, what, j)
		default:
			first[text] = i
		}
	}
}

// id notes an id that is not dotted words.
func (f *findings) id(id string) bool {
	if isDottedID(id) {
		return true
	}
	f.problem("its id %q is not dotted words of letters, digits, - and _", id)
	return false
}

// suggestion follows what is said of a name that is not known with the one that was
// probably meant, if any.
func suggestion(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// nearest gives the known name that a name was probably meant to be: the one that fewest
// edits away, a third of its letters at most, whatever the case. "" when none is near.
func nearest(name string, known []string) string {
	const longest = 200 // no real name is longer, and the time grows with the square
	if len(name) > longest {
		return ""
	}
	best, bestDistance := "", 0
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(k))
		if d <= max(1, len(k)/3) && (best == "" || d < bestDistance) {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, change or swap with their neighbour that
// turn one text into another (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row, above, above2 := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], above2[j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}

// orList writes a list as "a, b or c".
func orList(list []string) string { return inWords(list, "or") }

// inWords writes a list with a word before its last item.
func inWords(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}

// names gives the texts of a list of named constants.
func names[S ~string](list ...S) []string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return texts
}
