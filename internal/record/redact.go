package record

import (
	"strings"
	"unicode/utf8"
)

// sensitiveEnds are how the names of fields end that hold secrets, in lower case without - and _.
var sensitiveEnds = [...]string{
	"authorization", "cookie", "token", "password", "passwd", "secret", "secrets", "apikey", "privatekey",
	"passphrase", "credential", "credentials",
}

// sensitive tells whether a field of this name is redacted, whatever it holds.
func sensitive(key string) bool {
	for i := range len(key) {
		if key[i] >= utf8.RuneSelf {
			key = strings.ToLower(key) // some letters beyond ASCII have a lower case within it
			break
		}
	}
	last := len(key) - 1
	for last >= 0 && (key[last] == '-' || key[last] == '_') {
		last--
	}
	if last < 0 {
		return false
	}
	for _, end := range sensitiveEnds {
		if lower(key[last]) == end[len(end)-1] && hasEnd(key[:last+1], end) {
			return true
		}
	}
	return false
}

// hasEnd tells whether key, lower-cased without - and _, ends in end.
func hasEnd(key, end string) bool {
	i := len(key)
	for j := len(end) - 1; j >= 0; j-- {
		for i--; i >= 0 && (key[i] == '-' || key[i] == '_'); i-- {
		}
		if i < 0 || lower(key[i]) != end[j] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// triggers tells whether the byte at i ends the beginning of something that redactShapes redacts: the "_"
// of kgi_, or the white space after Bearer.
func triggers(s string, i int) bool {
	if s[i] == '_' {
		return i >= 3 && s[i-3:i] == "kgi"
	}
	return i >= len(bearer) && isBearer(s[i-len(bearer):i])
}

const bearer = "bearer"

func isBearer(s string) bool {
	for i := range len(bearer) {
		if lower(s[i]) != bearer[i] {
			return false
		}
	}
	return true
}

// redactShapes replaces what is shaped like a secret. A string without any is given back as it is.
//
//   - A token, kgi_xx_BODY, keeps its prefix and, when the body has 16 characters or more, the
//     last four: kgi_bt_…WXYZ.
//   - Bearer X becomes Bearer [redacted], the scheme in any case.
//   - The password in a URL becomes ***.
func redactShapes(s string) string {
	var b strings.Builder
	done := 0            // s[:done] is in b
	var password urlSpan // the one of the URL that i is in
	for i := 0; i < len(s); i++ {
		var from, to int
		instead := "…"
		switch c := s[i]; {
		case i == password.from && password.from < password.to: // first: what it begins with may be a token
			from, to, instead = password.from, password.to, "***"
		case c == 'k':
			from, to = tokenAt(s, i)
		case lower(c) == 'b':
			from, to = bearerAt(s, i)
			instead = "Bearer " + redacted
		case c == ':' && i >= password.end:
			password = passwordAt(s, i)
		}
		if from < to {
			b.WriteString(s[done:from])
			b.WriteString(instead)
			done, i = to, to-1
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// tokenAt looks for a token that begins at i, and gives what part of it to replace.
func tokenAt(s string, i int) (from, to int) {
	const head = "kgi_"
	if !strings.HasPrefix(s[i:], head) {
		return 0, 0
	}
	// The kind of token is two characters; a few more would do no harm.
	const minKind, maxKind = 2, 4
	kind := i + len(head)
	for from = kind; from < len(s) && from-kind < maxKind && isAlnum(s[from]); from++ {
	}
	if from-kind < minKind || from == len(s) || s[from] != '_' {
		return 0, 0
	}
	from++
	for to = from; to < len(s) && (isAlnum(s[to]) || s[to] == '_' || s[to] == '-'); to++ {
	}
	if x := to - len(bearer); x >= from {
		if _, end := bearerAt(s, x); end > to {
			to = x // the scheme of what follows
		}
	}
	const shown, minBody = 4, 16
	if to-from >= minBody {
		return from, to - shown
	}
	return from, to
}

// bearerAt looks for a bearer credential whose scheme begins at i, and gives where it is. What ends in
// another scheme is no credential: that stands behind it.
func bearerAt(s string, i int) (from, to int) {
	for scheme := i; ; scheme = to - len(bearer) {
		x, end := credentialAt(s, scheme)
		if x == end {
			return i, max(i, to)
		}
		if to = end; to-x < len(bearer) {
			return i, to
		}
	}
}

// credentialAt gives the credential behind a scheme that begins at i; nothing when there is neither.
func credentialAt(s string, i int) (from, to int) {
	if len(s)-i <= len(bearer) || !isBearer(s[i:i+len(bearer)]) {
		return 0, 0
	}
	space := i + len(bearer)
	from = space
	for from < len(s) && isSpace(s[from]) {
		from++
	}
	if from == space {
		return 0, 0
	}
	for to = from; to < len(s) && !isSpace(s[to]) && !isQuote(s[to]); to++ {
	}
	for to > from && strings.IndexByte(",;:.)]}'", s[to-1]) >= 0 {
		to-- // the sentence's, not the credential's
	}
	if s[from:to]+"]" == redacted {
		to++
	}
	return from, to
}

// urlSpan is where a URL's password is, if from < to, and where the next URL may begin.
type urlSpan struct{ from, to, end int }

// passwordAt looks for the password of a URL whose "://" begins at i.
func passwordAt(s string, i int) urlSpan {
	if !strings.HasPrefix(s[i:], "://") {
		return urlSpan{}
	}
	start := i + len("://")
	at, end := -1, start
	unfinished := false
	for ; end < len(s) && !isSpace(s[end]) && !isQuote(s[end]) && s[end] != '<' && s[end] != '>'; end++ {
		switch s[end] {
		case '/', '?', '#':
			// The authority ends here, unless what stands after its colon can be no port: then it is the
			// beginning of a password that should have been escaped.
			if at < 0 && !unfinished {
				unfinished = unfinishedPassword(s[start:end])
			}
			if at >= 0 || !unfinished {
				return passwordIn(s, start, at, end)
			}
		case '@':
			at = end // an unescaped @ may be part of the password: the last one counts
		}
	}
	return passwordIn(s, start, at, end)
}

func passwordIn(s string, start, at, end int) urlSpan {
	if at < 0 {
		if strings.HasPrefix(s[end-1:], "://") {
			end-- // what ends here is no host but the scheme of another URL
		}
		return urlSpan{end: end}
	}
	colon := strings.IndexByte(s[start:at], ':')
	if colon < 0 {
		return urlSpan{end: at}
	}
	return urlSpan{from: start + colon + 1, to: at, end: at}
}

// unfinishedPassword tells whether an authority without userinfo has something after its colon that
// cannot be a port.
func unfinishedPassword(authority string) bool {
	if strings.HasPrefix(authority, "[") {
		return false // an IPv6 address
	}
	_, port, ok := strings.Cut(authority, ":")
	if !ok || port == "" {
		return false
	}
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return true
		}
	}
	return false
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isQuote(c byte) bool { return c == '"' || c == '`' || c == '\\' }
