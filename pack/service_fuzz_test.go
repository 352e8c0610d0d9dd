package pack_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

// FuzzConnection writes raw bytes to a service's connection. Whatever they are: every
// answer is whole and JSON, no handler runs unless the token is among the bytes, and the
// service goes on answering.
func FuzzConnection(f *testing.F) {
	const token = "0123456789abcdef"
	message := toolMessage("t.run", `{"n":1}`)
	head := "POST /v1/invoke HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nKindgi-Timeout-Ms: 200\r\nKindgi-Pack-Token: "
	for _, seed := range []string{
		"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /healthz HTTP/1.0\r\n\r\n",
		"GET http://x/readyz?a=b HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/info HTTP/1.1\r\nHost: x\r\n\r\n",
		head + token + "\r\nContent-Length: " + strconv.Itoa(len(message)) + "\r\n\r\n" + message,
		head + token + "\r\nContent-Length: " + strconv.Itoa(len(message)+9) + "\r\n\r\n" + message,
		head + token + "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"v\":\r\n2\r\n2}\r\n0\r\nX: y\r\n\r\n",
		head + token + "\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
		head + token + "\r\nExpect: 100-continue\r\nContent-Length: " + strconv.Itoa(len(message)) + "\r\n\r\n" + message,
		head + "wrong\r\nContent-Length: " + strconv.Itoa(len(message)) + "\r\n\r\n" + message,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
	} {
		f.Add([]byte(seed))
	}
	var ran atomic.Int64
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.run"}, func(context.Context, struct{ N int }) (int, error) {
		ran.Add(1)
		return 0, nil
	})
	service, err := b.Service(pack.Options{Token: token, Log: &pack.LogOptions{Output: io.Discard}})
	if err != nil {
		f.Fatal(err)
	}
	server := httptest.NewServer(service)
	f.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")

	f.Fuzz(func(t *testing.T, data []byte) {
		before := ran.Load()
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		// The errors say that the service has closed the connection already.
		_, _ = c.Write(data)
		_ = c.(*net.TCPConn).CloseWrite()
		r := bufio.NewReader(c)
		for {
			response, err := http.ReadResponse(r, nil)
			if err != nil {
				if errors.Is(err, io.ErrUnexpectedEOF) && r.Buffered() > 0 {
					t.Errorf("half an answer: %v", err)
				}
				break
			}
			body, err := io.ReadAll(response.Body)
			if response.StatusCode == http.StatusContinue {
				continue
			}
			ours := response.Header.Get("Content-Type") == "application/json; charset=utf-8"
			if err != nil && ours || ours && response.ContentLength != 0 && !json.Valid(body) && response.StatusCode != http.StatusContinue {
				// The answer to HEAD announces a body that does not come.
				if !bytes.Contains(data, []byte("HEAD")) {
					t.Errorf("%s with the body %q, %v", response.Status, body, err)
				}
			}
		}
		if ran.Load() != before && !bytes.Contains(data, []byte(token)) {
			t.Error("a handler ran for a caller without the token")
		}
		response, err := http.Get(server.URL + "/healthz")
		if err != nil {
			t.Fatalf("the service has stopped answering: %v", err)
		}
		response.Body.Close()
	})
}
