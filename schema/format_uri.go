package schema

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// The expressions are those of RFC 3986 as ajv-formats reads them, put together from their parts.
const (
	h16           = `[0-9a-f]{1,4}`
	octet         = `(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)`
	ipv4Address   = `(?:` + octet + `\.){3}` + octet
	ls32          = `(?:` + h16 + `:` + h16 + `|` + ipv4Address + `)`
	percent       = `%[0-9a-f]{2}`
	unreserved    = `a-z0-9\-._~`
	subDelims     = `!$&'()*+,;=`
	userInfo      = `(?:[` + unreserved + subDelims + `:]|` + percent + `)*@`
	ipLiteral     = `\[(?:` + ipv6Address + `|v[0-9a-f]+\.[` + unreserved + subDelims + `:]+)\]`
	authorityTail = `(?::[0-9]*)?`
	ipv6Address   = `(?:(?:(?:` + h16 + `:){6}` +
		`|::(?:` + h16 + `:){5}` +
		`|(?:` + h16 + `)?::(?:` + h16 + `:){4}` +
		`|(?:(?:` + h16 + `:){0,1}` + h16 + `)?::(?:` + h16 + `:){3}` +
		`|(?:(?:` + h16 + `:){0,2}` + h16 + `)?::(?:` + h16 + `:){2}` +
		`|(?:(?:` + h16 + `:){0,3}` + h16 + `)?::` + h16 + `:` +
		`|(?:(?:` + h16 + `:){0,4}` + h16 + `)?::)` + ls32 +
		`|(?:(?:` + h16 + `:){0,5}` + h16 + `)?::` + h16 +
		`|(?:(?:` + h16 + `:){0,6}` + h16 + `)?::)`
)

// uriExpression gives the expression for a URI, or for a reference when it may be relative. quote is a
// character that ajv-formats takes in references only.
func uriExpression(reference bool) string {
	quote, scheme, path := ``, `[a-z][a-z0-9+\-.]*:`, ``
	if reference {
		quote, scheme, path = `"`, `(?:`+scheme+`)?`, `?`
	}
	character := `(?:[` + unreserved + subDelims + quote + `:@]|` + percent + `)`
	regName := `(?:[` + unreserved + subDelims + quote + `]|` + percent + `)*`
	tail := `(?:[` + unreserved + subDelims + quote + `:@/?]|` + percent + `)*`
	return `(?i)\A` + scheme + `(?:` +
		`/?/(?:` + userInfo + `)?(?:` + ipLiteral + `|` + ipv4Address + `|` + regName + `)` + authorityTail + `(?:/` + character + `*)*` +
		`|/(?:` + character + `+(?:/` + character + `*)*)?` +
		`|` + character + `+(?:/` + character + `*)*` +
		`)` + path + `(?:\?` + tail + `)?(?:#` + tail + `)?\z`
}

// The expressions are large; each is compiled when a value first needs it.
var (
	uriRegexp          = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(uriExpression(false)) })
	uriReferenceRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(uriExpression(true)) })
	urlRegexp          = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(urlExpression()) })
)

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func isURI(b []byte) bool          { return isASCII(b) && uriRegexp().Match(b) }
func isURIReference(b []byte) bool { return isASCII(b) && uriReferenceRegexp().Match(b) }
func isURL(b []byte) bool          { return urlRegexp().Match(b) }

// urlExpression is the expression of ajv-formats without its lookaheads: those exclude private
// addresses, which are listed here instead.
func urlExpression() string {
	const space = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	octets := func(exclude func(string) bool) string {
		var kept []string
		add := func(s string) {
			if !exclude(s) {
				kept = append(kept, s)
			}
		}
		for n := range 10 {
			add(fmt.Sprint(n))
		}
		for n := range 100 {
			add(fmt.Sprintf("%02d", n))
		}
		for n := 100; n < 256; n++ {
			add(fmt.Sprint(n))
		}
		return `(?:` + strings.Join(kept, "|") + `)`
	}
	var open []string // first octets with no private networks
	for n := 1; n <= 223; n++ {
		switch n {
		case 10, 127, 169, 172, 192:
		default:
			open = append(open, fmt.Sprint(n))
		}
	}
	second := octets(func(string) bool { return false })
	address := `(?:(?:(?:` + strings.Join(open, "|") + `)\.` + second +
		`|169\.` + octets(func(s string) bool { return s == "254" }) +
		`|192\.` + octets(func(s string) bool { return s == "168" }) +
		`|172\.` + octets(func(s string) bool { return len(s) == 2 && "16" <= s && s <= "31" }) +
		`)\.` + second + `\.(?:[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-4]))`
	const letter = `[a-z0-9\x{a1}-\x{ffff}]`
	const label = `(?:` + letter + `+-)*` + letter + `+`
	return `(?i)\A(?:https?|ftp)://(?:[^` + space + `]+(?::[^` + space + `]*)?@)?(?:` + address +
		`|` + label + `(?:\.` + label + `)*\.[a-z\x{a1}-\x{ffff}]{2,})(?::[0-9]{2,5})?(?:/[^` + space + `]*)?\z`
}

// isURITemplate is RFC 6570 as ajv-formats reads it.
func isURITemplate(b []byte) bool {
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c == '%':
			if i+2 >= len(b) || !isHex(b[i+1]) || !isHex(b[i+2]) {
				return false
			}
			i += 3
		case c == '{':
			n := templateExpression(b[i:])
			if n == 0 {
				return false
			}
			i += n
		case c <= 0x20 || strings.IndexByte("\"'<>\\^`|}", c) >= 0:
			return false
		default:
			i++
		}
	}
	return true
}

// templateExpression gives the length of the expression that b begins with, braces included, or 0.
func templateExpression(b []byte) int {
	i := 1
	if i < len(b) && strings.IndexByte("+#./;?&=,!@|", b[i]) >= 0 {
		i++
	}
	for {
		start := i
		for i < len(b) {
			if isAlnum(b[i]) || b[i] == '_' {
				i++
			} else if b[i] == '%' && i+2 < len(b) && isHex(b[i+1]) && isHex(b[i+2]) {
				i += 3
			} else {
				break
			}
		}
		if i == start || i == len(b) {
			return 0
		}
		if b[i] == '*' {
			i++
		} else if b[i] == ':' {
			n := skipDigits(b, i+1)
			if n == i+1 || n > i+5 || b[i+1] == '0' {
				return 0
			}
			i = n
		}
		if i == len(b) {
			return 0
		}
		if b[i] == '}' {
			return i + 1
		}
		if b[i] != ',' {
			return 0
		}
		i++
	}
}
