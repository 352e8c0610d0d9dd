package pack_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// paddedCall is a call of n bytes.
func paddedCall(t *testing.T, tool string, n int) string {
	t.Helper()
	message := toolMessage(tool, `{}`)
	if len(message) > n {
		t.Fatalf("a call needs %d bytes", len(message))
	}
	return message[:len(message)-1] + strings.Repeat(" ", n-len(message)) + "}"
}

// chunked hides a reader's length, so that a request is sent in chunks.
func chunked(r io.Reader) io.Reader { return struct{ io.Reader }{r} }

// TestBodySize takes a body of exactly 10 MiB and refuses one of a byte more, with a
// length and without.
func TestBodySize(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.quick"}, returns("quick"))
	s := start(t, b, pack.Options{})
	for _, hide := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, chunked} {
		got := s.do(t, s.request(t.Context(), t, hide(strings.NewReader(paddedCall(t, "t.quick", protocol.MaxBodyBytes)))))
		wantOutput(t, got, `"quick"`)
		got = s.do(t, s.request(t.Context(), t, hide(strings.NewReader(paddedCall(t, "t.quick", protocol.MaxBodyBytes+1)))))
		if got.status != http.StatusRequestEntityTooLarge || got.body != `{"error":"Body over 10 MiB"}` {
			t.Errorf("got %d %s", got.status, got.body)
		}
	}
}

// dial opens a connection of its own to the service.
func (s *running) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestSenderReadsRefusal lets a caller that sends all of a far too large body before it
// reads come to read the answer.
func TestSenderReadsRefusal(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	for name, head := range map[string]string{
		"length":  "Content-Length: 33554432\r\n\r\n",
		"chunked": "Transfer-Encoding: chunked\r\n\r\n2000000\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.dial(t)
			if _, err := fmt.Fprintf(c, "POST /v1/invoke HTTP/1.1\r\nHost: x\r\nKindgi-Pack-Token: %s\r\nContent-Type: application/json\r\n%s", testToken, head); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Write(make([]byte, 32<<20)); err != nil {
				t.Fatalf("the body could not be sent: %v", err)
			}
			response, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatalf("the answer could not be read: %v", err)
			}
			defer response.Body.Close()
			if response.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("got %s", response.Status)
			}
		})
	}
}

// TestNoBodyForStrangers answers those who do not show the token without waiting for the
// body they announce.
func TestNoBodyForStrangers(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{MaxConcurrency: 1})
	for _, head := range []string{
		"Content-Length: 10", "Content-Length: 1000", "Content-Length: 99999999", "Transfer-Encoding: chunked",
		"Content-Length: 10\r\nExpect: 100-continue",
	} {
		t.Run(head, func(t *testing.T) {
			t.Parallel()
			c := s.dial(t)
			if _, err := fmt.Fprintf(c, "POST /v1/invoke HTTP/1.1\r\nHost: x\r\nKindgi-Pack-Token: wrong\r\n%s\r\n\r\n", head); err != nil {
				t.Fatal(err)
			}
			// Nothing more is sent: an answer that waited for it would never come.
			r := bufio.NewReader(c)
			response, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != http.StatusUnauthorized || string(body) != `{"error":"Bad pack token"}` {
				t.Errorf("got %s %s, %v", response.Status, body, err)
			}
			if n, err := r.ReadByte(); err != io.EOF {
				t.Errorf("the connection goes on: %q, %v", n, err)
			}
		})
	}
}

// TestSlowBody ends a call at its deadline while its body still comes, and frees its slot.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{MaxConcurrency: 1})
	c := s.dial(t)
	if _, err := fmt.Fprintf(c, "POST /v1/invoke HTTP/1.1\r\nHost: x\r\nKindgi-Pack-Token: %s\r\nContent-Type: application/json\r\nKindgi-Timeout-Ms: 50\r\nContent-Length: 100\r\n\r\n{", testToken); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(body), `"code":"deadline-exceeded"`) {
		t.Errorf("got %s %s, %v", response.Status, body, err)
	}
	eventually(t, func() bool { return s.call(t, "t.pause", `{"ms":1}`).status == http.StatusOK })
}

// TestDrainEndsSlowBody does not wait for a body that does not come.
func TestDrainEndsSlowBody(t *testing.T) {
	t.Parallel()
	reading := make(chan struct{})
	s := start(t, testPack(), pack.Options{Middleware: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = &watchedBody{ReadCloser: r.Body, reading: reading}
			next.ServeHTTP(w, r)
		})
	}})
	c := s.dial(t)
	if _, err := fmt.Fprintf(c, "POST /v1/invoke HTTP/1.1\r\nHost: x\r\nKindgi-Pack-Token: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", testToken); err != nil {
		t.Fatal(err)
	}
	<-reading
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Drain(over); err == nil {
		t.Error("Drain says that every call finished")
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(body), `"code":"cancelled"`) {
		t.Errorf("got %s %s, %v", response.Status, body, err)
	}
}

// watchedBody is a body that tells when its reading begins.
type watchedBody struct {
	io.ReadCloser
	reading chan struct{}
	once    sync.Once
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.once.Do(func() { close(b.reading) })
	return b.ReadCloser.Read(p)
}

// TestBytesInFlight turns a call away whose body does not fit beside those in memory.
func TestBytesInFlight(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	started, release := addHold(b)
	pack.AddTool(b, pack.Tool{ID: "t.quick"}, returns("quick"))
	s := start(t, b, pack.Options{MaxBytesInFlight: 64 << 10})
	answered := make(chan reply)
	go func() { answered <- s.call(t, "t.hold", `{}`) }()
	<-started
	for _, hide := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, chunked} {
		got := s.do(t, s.request(t.Context(), t, hide(strings.NewReader(paddedCall(t, "t.quick", 64<<10)))))
		if got.status != http.StatusServiceUnavailable || got.body != `{"error":"overloaded"}` {
			t.Errorf("got %d %s", got.status, got.body)
		}
		wantOutput(t, s.do(t, s.request(t.Context(), t, hide(strings.NewReader(paddedCall(t, "t.quick", 16<<10))))), `"quick"`)
	}
	close(release)
	wantOutput(t, <-answered, `"held"`)
	wantOutput(t, s.call(t, "t.quick", `{}`), `"quick"`)
}
