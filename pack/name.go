package pack

import "strings"

// The forms of names are looked at by hand: a regular expression is compiled at every start of a
// program, which costs more than all that it would look at.

// isDottedID reports whether an id is one or more dotted words, each a letter or a digit and then
// letters, digits, - and _.
func isDottedID(id string) bool {
	for word := range strings.SplitSeq(id, ".") {
		if word == "" || !isAlphanumeric(word[0]) || !consistsOf(word, "_-") {
			return false
		}
	}
	return true
}

// isEnvName reports whether a name is letters, digits and _, and does not begin with a digit.
func isEnvName(name string) bool {
	return name != "" && !isDigit(name[0]) && consistsOf(name, "_")
}

// looksLikeField reports whether a name between braces in a text looks as if a field was meant:
// letters, digits, _, $, . and -, of which the last two and the digits do not begin it.
func looksLikeField(name string) bool {
	return name != "" && !isDigit(name[0]) && name[0] != '.' && name[0] != '-' && consistsOf(name, "_$.-")
}

// consistsOf reports whether a text is of letters and digits of ASCII and the others given.
func consistsOf(text, others string) bool {
	for i := range len(text) {
		if !isAlphanumeric(text[i]) && strings.IndexByte(others, text[i]) < 0 {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
