package record

import (
	"math/rand/v2"
)

// TraceParent is a parsed traceparent header: ids and flags in lower-case hex.
type TraceParent struct{ TraceID, ParentID, Flags string }

// ParseTraceParent parses a W3C traceparent header, VV-32hex-16hex-FF; false when it is invalid:
// upper-case digits, version ff, an id of zeros alone, or a version 00 of another length. A later version
// may go on after a further dash (W3C Trace Context, section 3.2).
func ParseTraceParent(header string) (TraceParent, bool) {
	const size = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(header) < size || header[2] != '-' || header[35] != '-' || header[52] != '-' {
		return TraceParent{}, false
	}
	version, trace, parent, flags := header[:2], header[3:35], header[36:52], header[53:size]
	if !lowerHex(version) || !lowerHex(trace) || !lowerHex(parent) || !lowerHex(flags) {
		return TraceParent{}, false
	}
	if version == "ff" || zeros(trace) || zeros(parent) {
		return TraceParent{}, false
	}
	if len(header) > size && (version == "00" || header[size] != '-') {
		return TraceParent{}, false
	}
	return TraceParent{TraceID: trace, ParentID: parent, Flags: flags}, true
}

// NewSpanID gives a fresh span id: 16 lower-case hex digits, not all zero. It is random enough to be
// unique, and no secret.
func NewSpanID() string {
	var id uint64
	for id == 0 {
		id = rand.Uint64()
	}
	var text [16]byte
	for i := range text {
		text[i] = hexDigits[id>>60]
		id <<= 4
	}
	return string(text[:])
}

const hexDigits = "0123456789abcdef"

func lowerHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func zeros(s string) bool {
	for i := range len(s) {
		if s[i] != '0' {
			return false
		}
	}
	return true
}
