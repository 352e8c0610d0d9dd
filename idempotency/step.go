package idempotency

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"unicode/utf8"
)

// Namespace is the UUID namespace under which the keys of steps are made (pack protocol 2.6.0,
// idempotencyKey).
const Namespace = "a70d5bff-e713-4322-b2ea-9d5c4926a861"

// namespaceBytes gives [Namespace] in network order, as RFC 9562, section 5.5 hashes it.
func namespaceBytes() [16]byte {
	return [16]byte{
		0xa7, 0x0d, 0x5b, 0xff, 0xe7, 0x13, 0x43, 0x22,
		0xb2, 0xea, 0x9d, 0x5c, 0x49, 0x26, 0xa8, 0x61,
	}
}

// Step names one call of one run. Two calls with the same Step are the same call, run again; two
// calls that differ in any part are different calls. A Step is a plain value, safe to copy and to use
// from several goroutines.
type Step struct {
	// RunID is the run the call belongs to.
	RunID string
	// Scope is the step's own place in its run: its node id, a loop body's step with its iteration
	// ("agent-loop#2/dispatch-tools"), a fan-out's branch.
	Scope string
	// ToolID is the tool that is called.
	ToolID string
	// CallID is the id that a model gave the call it asked for. "" means that no model asked.
	CallID string
}

// Key gives the step's idempotency key: the version 5 UUID (RFC 9562, section 5.5) under [Namespace]
// of the JSON array [RunID, Scope, ToolID] or, for a call a model asked for,
// [RunID, Scope, ToolID, CallID], written exactly as ECMA-262's JSON.stringify writes it. It is
// lower case and never empty.
//
// The error, which names the part at fault, says that a part is not valid UTF-8: no JSON text can
// carry such a string, so no runtime could have made the same key.
func (s Step) Key() (string, error) {
	text, err := s.appendJSON(make([]byte, 0, 256))
	if err != nil {
		return "", err
	}
	return uuid5(text), nil
}

// appendJSON appends the array that the key is a hash of.
func (s Step) appendJSON(b []byte) ([]byte, error) {
	parts := [...]struct{ name, value string }{
		{"RunID", s.RunID}, {"Scope", s.Scope}, {"ToolID", s.ToolID}, {"CallID", s.CallID},
	}
	n := len(parts)
	if s.CallID == "" {
		n--
	}
	b = append(b, '[')
	for i, part := range parts[:n] {
		if !utf8.ValidString(part.value) {
			return nil, fmt.Errorf("idempotency: the step's %s is not valid UTF-8, so it has no key", part.name)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, part.value)
	}
	return append(b, ']'), nil
}

// appendQuoted appends s, which must be valid UTF-8, as ECMA-262's QuoteJSONString writes it
// (section 25.5.2.3). JSON libraries differ from it and from each other: in the case of the hex
// digits, in U+007F, in U+2028 and U+2029, in '<' and '&'. One byte of difference is another key, so
// nothing is left to a library's default.
func appendQuoted(b []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	plain := 0 // s[plain:i] waits to be copied as it is
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[plain:i]...)
		plain = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
	}
	b = append(b, s[plain:]...)
	return append(b, '"')
}

// uuid5 gives the version 5 UUID of name under [Namespace].
func uuid5(name []byte) string {
	space := namespaceBytes()
	h := sha1.New()
	h.Write(space[:])
	h.Write(name)
	var sum [sha1.Size]byte
	h.Sum(sum[:0])
	sum[6] = sum[6]&0x0f | 0x50 // version 5
	sum[8] = sum[8]&0x3f | 0x80 // variant 10
	return formatUUID([16]byte(sum[:16]))
}

// formatUUID writes a UUID in lower case, as RFC 9562, section 4 wants it written.
func formatUUID(id [16]byte) string {
	var b [36]byte
	hex.Encode(b[:8], id[:4])
	b[8] = '-'
	hex.Encode(b[9:13], id[4:6])
	b[13] = '-'
	hex.Encode(b[14:18], id[6:8])
	b[18] = '-'
	hex.Encode(b[19:23], id[8:10])
	b[23] = '-'
	hex.Encode(b[24:], id[10:])
	return string(b[:])
}
