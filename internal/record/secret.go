package record

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// minSecret is how many characters a secret value has at least to be looked for: a shorter one turns up by chance.
const minSecret = 8

// maxEscapes is how many times over a secret may be escaped as JSON inside a string and still be found.
const maxEscapes = 4

// hide replaces the secrets wherever they appear in the record in e.buf: in what strings and names
// stand for, in what JSON inside them stands for, and in numbers. Time, level and severity hold none.
func (e *encoder) hide(secrets []string) {
	secrets = worthHiding(secrets)
	if len(secrets) == 0 {
		return
	}
	start := max(0, bytes.Index(e.buf, []byte(`"subsystem":`)))
	start += len(`"subsystem":`)
	rest := e.buf[start:]
	// A secret that is in there is as it is, or needs an escape, or is part of what was escaped.
	if bytes.IndexByte(rest, '\\') < 0 && !holds(rest, secrets) {
		return
	}
	out := append(e.out[:0], e.buf[:start]...)
	for len(rest) > 0 {
		size := tokenSize(rest)
		token := rest[:size]
		rest = rest[size:]
		switch c := token[0]; {
		case c == '"':
			text, found := hideInString(token, secrets)
			if !found {
				out = append(out, token...)
				continue
			}
			if len(rest) > 0 && rest[0] == ':' {
				text = e.rename(text)
			}
			out = appendEscaped(out, text)
		case (isNumber(c) || c == '-') && holds(token, secrets):
			out = appendEscaped(out, redacted)
		default:
			out = append(out, token...)
		}
	}
	e.buf, e.out = out, e.buf
}

// worthHiding gives the secrets that are long enough, as the encoder writes them.
func worthHiding(secrets []string) []string {
	fit := func(s string) bool {
		return utf8.RuneCountInString(s) >= minSecret && utf8.ValidString(s)
	}
	if !slices.ContainsFunc(secrets, func(s string) bool { return !fit(s) }) {
		return secrets
	}
	var kept []string
	for _, s := range secrets {
		if s = string([]rune(s)); fit(s) { // U+FFFD for what is not UTF-8
			kept = append(kept, s)
		}
	}
	return kept
}

// holds tells whether any of the secrets is in b as it is.
func holds(b []byte, secrets []string) bool {
	for _, s := range secrets {
		if index(b, s) >= 0 {
			return true
		}
	}
	return false
}

// index is bytes.Index with a string to look for. It looks for the beginning of it, which is short enough to
// be converted without an allocation.
func index(b []byte, s string) int {
	const short = 32
	head := s[:min(len(s), short)]
	for from, misses := 0, 0; ; misses++ {
		i := bytes.Index(b[from:], []byte(head))
		if i < 0 || len(b)-from-i < len(s) {
			return -1
		}
		from += i
		if string(b[from:from+len(s)]) == s {
			return from
		}
		from++
		if misses > 16+from/8 { // the beginning is no help in this text
			if i = bytes.Index(b[from:], []byte(s)); i < 0 {
				return -1
			}
			return from + i
		}
	}
}

// tokenSize gives the size of the JSON token that b begins with. The encoder writes no white space
// between tokens.
func tokenSize(b []byte) int {
	switch c := b[0]; {
	case c == '"':
		for i := 1; i < len(b); i++ {
			switch b[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(b)
	case isNumber(c) || c == '-':
		i := 1
		for i < len(b) && (isNumber(b[i]) || strings.IndexByte("+-.eE", b[i]) >= 0) {
			i++
		}
		return i
	default:
		return 1
	}
}

// HideSecrets replaces, in a text that leaves the service some other way than as a record, each of the
// secrets that has 8 characters or more: as it is, and escaped as JSON.
func HideSecrets(text string, secrets []string) string {
	secrets = worthHiding(secrets)
	if len(secrets) == 0 {
		return text
	}
	if hidden, found := hideIn([]byte(text), secrets); found {
		return hidden
	}
	return text
}

// hideInString gives what a JSON string stands for without the secrets, and whether there were any.
func hideInString(token []byte, secrets []string) (text string, found bool) {
	inside := token[1 : len(token)-1]
	if bytes.IndexByte(inside, '\\') >= 0 {
		inside = view{text: inside}.unescape(false).text
	}
	return hideIn(inside, secrets)
}

// hideIn gives a text without the secrets, and whether there were any.
func hideIn(text []byte, secrets []string) (hidden string, found bool) {
	var spans []span
	v := view{text: text}
	for range maxEscapes {
		for _, s := range secrets {
			for from := 0; ; from += len(s) {
				i := index(v.text[from:], s)
				if i < 0 {
					break
				}
				from += i
				spans = append(spans, span{v.origin(from), v.origin(from + len(s))})
			}
		}
		if bytes.IndexByte(v.text, '\\') < 0 {
			break
		}
		v = v.unescape(true)
	}
	if len(spans) == 0 {
		return "", false
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to) // they overlap
		}
		b.Write(text[done:from])
		b.WriteString(redacted)
		done = to
	}
	b.Write(text[done:])
	return b.String(), true
}

// span is part of a text.
type span struct{ from, to int }

// view is what a text stands for when it is read as the inside of a JSON string, once or several times
// over.
type view struct {
	text []byte
	at   []int // where each byte, and the end, come from in the first text; nil when it is that
}

func (v view) origin(i int) int {
	if v.at == nil {
		return i
	}
	return v.at[i]
}

// unescape reads the text as the inside of a JSON string. What is no escape after all stands for itself.
func (v view) unescape(track bool) view {
	u := view{text: make([]byte, 0, len(v.text))}
	if track {
		u.at = make([]int, 0, len(v.text)+1)
	}
	for i := 0; i < len(v.text); {
		r, size := unescapeAt(v.text[i:])
		before := len(u.text)
		if r < 0 {
			u.text = append(u.text, v.text[i])
		} else {
			u.text = utf8.AppendRune(u.text, r)
		}
		if track {
			for range len(u.text) - before {
				u.at = append(u.at, v.origin(i))
			}
		}
		i += size
	}
	if track {
		u.at = append(u.at, v.origin(len(v.text)))
	}
	return u
}

func isNumber(c byte) bool { return c >= '0' && c <= '9' }

// unescapeAt gives what the escape that b begins with stands for, and its size, or -1 and 1.
func unescapeAt(b []byte) (r rune, size int) {
	if b[0] != '\\' || len(b) < 2 {
		return -1, 1
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
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
		r = hex4(b[2:])
		if r < 0 {
			return -1, 1
		}
		if utf16.IsSurrogate(r) {
			if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
				if pair := utf16.DecodeRune(r, hex4(b[8:])); pair != utf8.RuneError {
					return pair, 12
				}
			}
			return utf8.RuneError, 6
		}
		return r, 6
	default:
		return -1, 1
	}
}

// hex4 gives the number that four hex digits are, or -1.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case isNumber(c):
			c -= '0'
		case lower(c) >= 'a' && lower(c) <= 'f':
			c = lower(c) - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
