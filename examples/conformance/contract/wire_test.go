package contract_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// wire is a connection on which the tests write their own bytes.
type wire struct {
	net.Conn
	reader *bufio.Reader
}

func newWire(t testing.TB, conn net.Conn) *wire {
	t.Helper()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &wire{conn, bufio.NewReader(conn)}
}

// send writes bytes.
func (w *wire) send(t testing.TB, text string) {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
}

// receive reads one answer to a request of the method.
func (w *wire) receive(t testing.TB, method string) answer {
	t.Helper()
	response, err := http.ReadResponse(w.reader, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("reading an answer: %v", err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("reading the body of an answer: %v", err)
	}
	return answer{response.StatusCode, response.Header, body}
}

// closed asserts that the service ends the connection without another byte.
func (w *wire) closed(t testing.TB) {
	t.Helper()
	rest, err := io.ReadAll(w.reader)
	if err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("the connection stays open: %v", err)
	}
	if len(rest) > 0 {
		t.Errorf("more on the connection: %.200q", rest)
	}
}

// rawInvoke is an invoke as it goes over the wire. Headers are whole lines.
func rawInvoke(body string, headers ...string) string {
	return rawHead(append([]string{fmt.Sprintf("Content-Length: %d", len(body))}, headers...)...) + body
}

// rawHead is the head of an invoke, with whole lines as headers.
func rawHead(headers ...string) string {
	lines := append([]string{"POST /v1/invoke HTTP/1.1", "Host: pack", "kindgi-pack-token: " + token,
		"Content-Type: application/json"}, headers...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// halfCall begins a call whose body does not come whole, and returns once the service
// reads that body: it asks for the interim answer that says so (RFC 9110, section 10.1.1).
func (s *service) halfCall(t testing.TB, framing, part string) *wire {
	t.Helper()
	w := s.dial(t)
	w.send(t, rawHead(framing, "Expect: 100-continue"))
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := w.reader.ReadString('\n'); err != nil || line != want {
			t.Fatalf("got %q, %v, want %q", line, err, want)
		}
	}
	w.send(t, part)
	return w
}
