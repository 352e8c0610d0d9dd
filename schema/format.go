package schema

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"
)

// format is a format of ajv-formats in its full mode.
type format struct {
	name string
	// number checks numbers, text checks strings; a format has one of them, or neither when it only
	// annotates (password, binary).
	number func(decimal) bool
	text   func([]byte) bool
	// instant orders the strings of a format that formatMinimum and its kin can compare.
	compare func(a, b []byte) (int, bool)
}

// formatOf gives the format of a name, nil for one that is not known. The table is made when it is
// first looked into, and not at every start of a program.
func formatOf(name string) *format { return formats()[name] }

var formats = sync.OnceValue(func() map[string]*format {
	list := [...]format{
		{name: "date", text: isDate, compare: compareDates},
		{name: "time", text: isTime, compare: compareTimes},
		{name: "date-time", text: isDateTime, compare: compareDateTimes},
		{name: "iso-time", text: isISOTime, compare: compareISOTimes},
		{name: "iso-date-time", text: isISODateTime, compare: compareISODateTimes},
		{name: "duration", text: isDuration},
		{name: "uri", text: isURI},
		{name: "uri-reference", text: isURIReference},
		{name: "uri-template", text: isURITemplate},
		{name: "url", text: isURL},
		{name: "email", text: isEmail},
		{name: "hostname", text: isHostname},
		{name: "ipv4", text: isIPv4},
		{name: "ipv6", text: isIPv6},
		{name: "regex", text: isRegexFormat},
		{name: "uuid", text: isUUID},
		{name: "json-pointer", text: isJSONPointer},
		{name: "json-pointer-uri-fragment", text: isJSONPointerFragment},
		{name: "relative-json-pointer", text: isRelativeJSONPointer},
		{name: "byte", text: isBase64Line},
		{name: "int32", number: isInt32},
		{name: "int64", number: isAnyInteger},
		{name: "float", number: anyNumber},
		{name: "double", number: anyNumber},
		{name: "password"},
		{name: "binary"},
	}
	byName := make(map[string]*format, len(list))
	for i := range list {
		byName[list[i].name] = &list[i]
	}
	return byName
})

func anyNumber(decimal) bool      { return true }
func isAnyInteger(d decimal) bool { return d.isInteger() }

func isInt32(d decimal) bool {
	return d.isInteger() && d.compare(&decimal{mantissa: 1 << 31}) < 0 && d.compare(&decimal{negative: true, mantissa: 1 << 31}) >= 0
}

func isDigit(c byte) bool { return c-'0' <= 9 }
func isAlpha(c byte) bool { return c|0x20-'a' <= 'z'-'a' && c < utf8.RuneSelf }
func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// skipDigits gives the index after the digits from i on.
func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

// two reads two digits at b[i], -1 when they are not.
func two(b []byte, i int) int {
	if i+2 > len(b) || !isDigit(b[i]) || !isDigit(b[i+1]) {
		return -1
	}
	return int(b[i]-'0')*10 + int(b[i+1]-'0')
}

// isDuration is RFC 3339, appendix A, as ajv-formats reads it.
func isDuration(b []byte) bool {
	if len(b) < 2 || b[0] != 'P' {
		return false
	}
	if n := skipDigits(b, 1); n > 1 && n == len(b)-1 && b[n] == 'W' {
		return true
	}
	i := durationParts(b, 1, "YMD")
	if i < len(b) && b[i] == 'T' {
		if i+1 >= len(b) || !isDigit(b[i+1]) {
			return false
		}
		i = durationParts(b, i+1, "HMS")
	}
	return i == len(b)
}

func durationParts(b []byte, i int, units string) int {
	for _, unit := range []byte(units) {
		if n := skipDigits(b, i); n > i && n < len(b) && b[n] == unit {
			i = n + 1
		}
	}
	return i
}

// asciiSet is a set of characters of ASCII.
type asciiSet [2]uint64

func (s *asciiSet) has(c byte) bool { return c < utf8.RuneSelf && s[c>>6]&(1<<(c&63)) != 0 }

// alnums are the letters and the digits.
const alnums0, alnums1 = 0x03ff000000000000, 0x07fffffe07fffffe

// What a part of a name may hold: letters, digits and the characters named.
var (
	atomCharacters     = asciiSet{alnums0 | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'\'' | 1<<'*' | 1<<'+' | 1<<'/' | 1<<'=' | 1<<'?' | 1<<'-', alnums1 | 1<<('^'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('{'-64) | 1<<('|'-64) | 1<<('}'-64) | 1<<('~'-64)}
	fragmentCharacters = asciiSet{alnums0 | 1<<'/' | 1<<'-' | 1<<'.' | 1<<'!' | 1<<'$' | 1<<'&' | 1<<'\'' | 1<<'(' | 1<<')' | 1<<'*' | 1<<'+' | 1<<',' | 1<<';' | 1<<':' | 1<<'=', alnums1 | 1<<('_'-64) | 1<<('@'-64)}
)

// isEmail is what ajv-formats takes: dotted atoms of RFC 5322, a dotted domain of letters, digits and
// hyphens with at least two labels.
func isEmail(b []byte) bool {
	at := bytes.IndexByte(b, '@')
	if at < 1 {
		return false
	}
	atom := false
	for _, c := range b[:at] {
		switch {
		case atomCharacters.has(c):
			atom = true
		case c == '.' && atom:
			atom = false
		default:
			return false
		}
	}
	if !atom {
		return false
	}
	labels := 0
	for rest, more := b[at+1:], true; more; labels++ {
		var label []byte
		label, rest, more = bytes.Cut(rest, []byte{'.'})
		if !isLabel(label) {
			return false
		}
	}
	return labels >= 2
}

// isLabel reports whether b is letters, digits and hyphens, with no hyphen at an end.
func isLabel(b []byte) bool {
	for i, c := range b {
		if !isAlnum(c) && (c != '-' || i == 0 || i == len(b)-1) {
			return false
		}
	}
	return len(b) > 0
}

// isHostname is RFC 1123, with a dot allowed at the end.
func isHostname(b []byte) bool {
	if n := len(b); n > 0 && b[n-1] == '.' {
		b = b[:n-1]
	}
	if len(b) > 253 {
		return false
	}
	for more := true; more; {
		var label []byte
		label, b, more = bytes.Cut(b, []byte{'.'})
		if len(label) > 63 || !isLabel(label) {
			return false
		}
	}
	return true
}

func isIPv4(b []byte) bool {
	for part := range 4 {
		n := skipDigits(b, 0)
		if n == 0 || n > 3 || n > 1 && b[0] == '0' || n == 3 && string(b[:3]) > "255" {
			return false
		}
		b = b[n:]
		if part < 3 {
			if len(b) == 0 || b[0] != '.' {
				return false
			}
			b = b[1:]
		}
	}
	return len(b) == 0
}

// isIPv6 is RFC 4291, without zones; an embedded IPv4 address may end it.
func isIPv6(b []byte) bool {
	groups, gap := 0, false
	if bytes.HasPrefix(b, []byte("::")) {
		gap = true
		if b = b[2:]; len(b) == 0 {
			return true
		}
	}
	for {
		n := 0
		for n < len(b) && isHex(b[n]) {
			n++
		}
		if n < len(b) && b[n] == '.' {
			groups += 2
			return isIPv4(b) && enough(groups, gap)
		}
		if n == 0 || n > 4 {
			return false
		}
		groups++
		if b = b[n:]; len(b) == 0 {
			return enough(groups, gap)
		}
		if b[0] != ':' {
			return false
		}
		if b = b[1:]; len(b) > 0 && b[0] == ':' {
			if gap {
				return false
			}
			gap = true
			if b = b[1:]; len(b) == 0 {
				return groups < 8
			}
		}
	}
}

// enough reports whether so many groups make an address; a gap stands for at least one more.
func enough(groups int, gap bool) bool { return groups == 8 && !gap || groups < 8 && gap }

func isUUID(b []byte) bool {
	if len(b) > 9 && bytes.EqualFold(b[:9], []byte("urn:uuid:")) && !slices.ContainsFunc(b[:9], func(c byte) bool { return c >= utf8.RuneSelf }) {
		b = b[9:]
	}
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

// isJSONPointer is RFC 6901.
func isJSONPointer(b []byte) bool {
	if len(b) > 0 && b[0] != '/' {
		return false
	}
	for i, c := range b {
		if c == '~' && (i+1 == len(b) || b[i+1] != '0' && b[i+1] != '1') {
			return false
		}
	}
	return true
}

// isJSONPointerFragment is a pointer in the fragment of a URI (RFC 6901, section 6).
func isJSONPointerFragment(b []byte) bool {
	if len(b) == 0 || b[0] != '#' {
		return false
	}
	if b = b[1:]; len(b) > 0 && b[0] != '/' {
		return false
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case fragmentCharacters.has(c):
		case c == '%' && i+2 < len(b) && isHex(b[i+1]) && isHex(b[i+2]):
			i += 2
		case c == '~' && i+1 < len(b) && (b[i+1] == '0' || b[i+1] == '1'):
			i++
		default:
			return false
		}
	}
	return true
}

func isRelativeJSONPointer(b []byte) bool {
	n := skipDigits(b, 0)
	if n == 0 || n > 1 && b[0] == '0' {
		return false
	}
	b = b[n:]
	return string(b) == "#" || isJSONPointer(b)
}

// isBase64Line is ajv-formats' byte: base64 with padding. Its pattern is multi-line, so that one good
// line is enough.
func isBase64Line(b []byte) bool {
	start := 0
	for i := 0; i <= len(b); {
		n := 0
		if i < len(b) {
			n = lineTerminator(b[i:])
			if n == 0 {
				i++
				continue
			}
		}
		if isBase64(b[start:i]) {
			return true
		}
		if i == len(b) {
			break
		}
		i += n
		start = i
	}
	return false
}

// lineTerminator gives the length of the line terminator of ECMA-262 that b begins with, or 0.
func lineTerminator(b []byte) int {
	switch {
	case b[0] == '\n' || b[0] == '\r':
		return 1
	case len(b) >= 3 && b[0] == 0xe2 && b[1] == 0x80 && (b[2] == 0xa8 || b[2] == 0xa9):
		return 3
	}
	return 0
}

func isBase64(b []byte) bool {
	n := len(b)
	if n%4 != 0 {
		return false
	}
	if n > 0 && b[n-1] == '=' {
		if n--; b[n-1] == '=' {
			n--
		}
	}
	for _, c := range b[:n] {
		if !isAlnum(c) && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

// isRegexFormat is what ajv-formats takes for a regular expression: any of ECMA-262 without flags, but
// not the anchor \Z of other languages.
func isRegexFormat(b []byte) bool {
	for i := 1; i+1 < len(b); i++ {
		if b[i] == '\\' && b[i+1] == 'Z' && b[i-1] != '\\' {
			return false
		}
	}
	return isRegExp(string(b))
}
