package pack

import (
	"strings"
	"testing"
)

// Only what net/http says by itself is rewritten, be it that a service's answer is made to look
// like it.
func TestOwnAnswer(t *testing.T) {
	t.Parallel()
	const own = "HTTP/1.1 400 Bad Request" + plainHeaders + "400 Bad Request"
	if got := string(ownAnswer([]byte(own))); !strings.HasSuffix(got, "\r\n\r\n"+`{"error":"Bad Request"}`) || !strings.HasPrefix(got, "HTTP/1.1 400 Bad Request\r\n") {
		t.Errorf("got %q", got)
	}
	quoted := string(appendQuoted(nil, own)) // as JSON holds it
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{}",
		"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\nno",
		"HTTP/1.1 100 Continue\r\n\r\n",
		"HTTP/1.1 400 ", "HTTP/1.1 400 Bad", "HTTP/1.1 " + strings.Repeat("4", 4096),
		quoted[1:],
	} {
		if got := ownAnswer([]byte(answer)); got != nil {
			t.Errorf("%.60q was rewritten to %q", answer, got)
		}
	}
}
