package schema

// trail is where something stands in a document: a JSON Pointer, kept as its last segment and what is
// before it, because a document may be deep and hardly ever has its places named. nil is the whole
// document.
type trail struct {
	before  *trail
	segment string
}

// to gives the place below t.
func (t *trail) to(segment string) *trail { return &trail{t, segment} }

// String gives the pointer (RFC 6901).
func (t *trail) String() string {
	var segments []string
	for ; t != nil; t = t.before {
		segments = append(segments, t.segment)
	}
	var b []byte
	for i := len(segments) - 1; i >= 0; i-- {
		b = appendPointer(b, segments[i])
	}
	return string(b)
}
