package pack

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/protocol"
)

var (
	errTooLarge = errors.New("the body is over 10 MiB")
	errNoRoom   = errors.New("too many bytes are in flight")
)

// isJSON reports whether a Content-Type is application/json, with whatever parameters.
func isJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "application/json")
}

// firstChunk is the room made for a body of unknown length, in bytes; it grows from there.
const firstChunk = 8 << 10

// readBody reads the request's body to its end, by the call's deadline. The error is
// errTooLarge, errNoRoom or that of the connection.
//
// The connection's read deadline is set before the first byte is read and cleared when
// the last one is: from then on net/http watches the connection for the caller's going,
// and a deadline that passes would look like it.
func (c *invocation) readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength > protocol.MaxBodyBytes {
		return nil, errTooLarge
	}
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	if c.control.SetReadDeadline(c.deadline) == nil {
		c.reading.Store(&c.control)
		defer func() {
			c.reading.Store(nil)
			_ = c.control.SetReadDeadline(time.Time{})
		}()
	}
	if err := c.ctx.Err(); err != nil { // a drain that ended before it could find c.reading
		return nil, err
	}
	room := int64(firstChunk)
	if r.ContentLength > 0 {
		room = r.ContentLength + 1 // one more, to see the end
	}
	if !c.reserve(room) {
		return nil, errNoRoom
	}
	body := make([]byte, 0, room)
	for {
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > protocol.MaxBodyBytes:
			return nil, errTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, err
		case len(body) < cap(body):
			continue
		}
		more := min(int64(cap(body)), protocol.MaxBodyBytes+1-int64(cap(body)))
		if !c.reserve(more) {
			return nil, errNoRoom
		}
		grown := make([]byte, len(body), int64(cap(body))+more)
		copy(grown, body)
		body = grown
	}
}

// reserve counts bytes as in flight; false when there are too many.
func (c *invocation) reserve(n int64) bool {
	if !c.service.bytes.TryAcquire(n) {
		return false
	}
	c.reserved += n
	return true
}
