package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const maxBody = 10 << 20

func TestContentType(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for contentType, isJSON := range map[string]bool{
		"application/json":                           true,
		"application/json; charset=utf-8":            true,
		"application/json;charset=UTF-8":             true,
		"application/json ; charset=\"utf-8\"; x=y":  true,
		"application/json; charset":                  true,
		"application/json;":                          true,
		"Application/JSON":                           true,
		"APPLICATION/JSON; CHARSET=UTF-8":            true,
		"":                                           false,
		"text/plain":                                 false,
		"text/json":                                  false,
		"application/jsonx":                          false,
		"application/json-patch+json":                false,
		"application/vnd.api+json":                   false,
		"application/x-www-form-urlencoded":          false,
		"multipart/form-data; boundary=x":            false,
		"text/plain; x=application/json":             false,
		"application":                                false,
		"application/":                               false,
		"json":                                       false,
		"*/*":                                        false,
		"application/jso":                            false,
		"application/ json":                          false,
		"text/html, application/json":                false,
		"application/octet-stream; application/json": false,
	} {
		t.Run(contentType, func(t *testing.T) {
			t.Parallel()
			a := svc.invoke(t, toolCall("conformance.echo", `{"message":"hi"}`), "Content-Type", contentType)
			if isJSON {
				a.returned(t, `{"message":"hi"}`)
				return
			}
			var body struct{ Error string }
			if err := json.Unmarshal(a.body, &body); err != nil || a.status != http.StatusUnsupportedMediaType || body.Error == "" {
				t.Errorf("got %v, want 415 with an error", a)
			}
		})
	}
	// The content type comes before the body, however large or wrong that is.
	w := svc.dial(t)
	w.send(t, strings.Replace(rawHead("Content-Length: 99999999999"), "application/json", "text/plain", 1))
	a := w.receive(t, "POST")
	a.check(t)
	if a.status != http.StatusUnsupportedMediaType {
		t.Errorf("got %v, want 415", a)
	}
}

// padded is an echo call of exactly n bytes, all of them in its message.
func padded(n int) (message, text string) {
	head, end, _ := strings.Cut(toolCall("conformance.echo", `{"message":"@"}`), "@")
	text = strings.Repeat("x", n-len(head)-len(end))
	return head + text + end, text
}

// chunked hides a reader's length, so that the client sends the body in chunks.
type chunked struct{ io.Reader }

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	full, text := padded(maxBody)
	over, _ := padded(maxBody + 1)
	spaces := toolCall("conformance.echo", `{"message":"hi"}`)
	spaces += strings.Repeat(" ", maxBody-len(spaces))
	for name, reader := range map[string]func(string) io.Reader{
		"with a length": func(s string) io.Reader { return strings.NewReader(s) },
		"in chunks":     func(s string) io.Reader { return chunked{strings.NewReader(s)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			post := func(body string) answer {
				return svc.do(t, "POST", "/v1/invoke", reader(body), withToken(nil)...)
			}
			if got := post(full).output(t); got != `{"message":"`+text+`"}` {
				t.Errorf("10 MiB did not come back: %.100s", got)
			}
			post(spaces).returned(t, `{"message":"hi"}`)
			for _, large := range []string{over, spaces + " ", strings.Repeat("[", maxBody+1)} {
				tooLarge(t, post(large))
			}
		})
	}
}

func tooLarge(t testing.TB, a answer) {
	t.Helper()
	a.check(t)
	var body struct{ Error string }
	if err := json.Unmarshal(a.body, &body); err != nil || a.status != http.StatusRequestEntityTooLarge || body.Error == "" {
		t.Errorf("got %v, want 413 with an error", a)
	}
}

// A caller that writes all of its body before it reads a byte gets to read the 413.
func TestSenderReadsTheRefusal(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	part := bytes.Repeat([]byte("x"), 1<<16)
	for _, size := range []int{maxBody + 1, maxBody + 1<<20, 24 << 20} {
		t.Run(fmt.Sprintf("length %d", size), func(t *testing.T) {
			t.Parallel()
			w := svc.dial(t)
			w.send(t, rawHead(fmt.Sprintf("Content-Length: %d", size)))
			for left := size; left > 0; left -= len(part) {
				if _, err := w.Write(part[:min(len(part), left)]); err != nil {
					t.Fatalf("the service hangs up on a sender: %v", err)
				}
			}
			tooLarge(t, w.receive(t, "POST"))
		})
		t.Run(fmt.Sprintf("chunked %d", size), func(t *testing.T) {
			t.Parallel()
			w := svc.dial(t)
			w.send(t, rawHead("Transfer-Encoding: chunked"))
			for left := size; left > 0; left -= len(part) {
				if _, err := fmt.Fprintf(w, "%x\r\n%s\r\n", min(len(part), left), part[:min(len(part), left)]); err != nil {
					t.Fatalf("the service hangs up on a sender: %v", err)
				}
			}
			w.send(t, "0\r\n\r\n")
			tooLarge(t, w.receive(t, "POST"))
		})
	}
	// A caller that only announces such a body is answered without sending it.
	for _, expect := range []string{"X-Nothing: x", "Expect: 100-continue"} {
		w := svc.dial(t)
		w.send(t, rawHead(expect, fmt.Sprintf("Content-Length: %d", maxBody+1)))
		tooLarge(t, w.receive(t, "POST"))
	}
}

// A 415 is read by a sender as well, and the connection serves the next call.
func TestSmallRefusedBodies(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	message := toolCall("conformance.echo", `{"message":"`+strings.Repeat("x", 100_000)+`"}`)
	for range 5 {
		if a := svc.invoke(t, message, "Content-Type", "text/plain"); a.status != http.StatusUnsupportedMediaType {
			t.Errorf("got %v, want 415", a)
		}
		svc.invoke(t, message, "kindgi-pack-token", "wrong").is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
		svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	}
}

// What is answered without reading a body does not wait for one, nor does its connection
// wait for it without end.
func TestBodyThatNeverComes(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for request, status := range map[string]int{
		"GET /healthz":    http.StatusOK,
		"GET /readyz":     http.StatusOK,
		"GET /v1/info":    http.StatusOK,
		"GET /nowhere":    http.StatusNotFound,
		"POST /v1/info":   http.StatusMethodNotAllowed,
		"POST /v1/invoke": http.StatusUnsupportedMediaType,
	} {
		for _, framing := range []string{"Content-Length: 1000", "Transfer-Encoding: chunked"} {
			t.Run(request+" "+framing, func(t *testing.T) {
				t.Parallel()
				w := svc.dial(t)
				method, _, _ := strings.Cut(request, " ")
				w.send(t, request+" HTTP/1.1\r\nHost: pack\r\nkindgi-pack-token: "+token+"\r\n"+framing+"\r\n\r\n")
				a := w.receive(t, method)
				a.check(t)
				if a.status != status {
					t.Errorf("got %v, want %d", a, status)
				}
				w.closed(t)
			})
		}
	}
}

// A caller that waits for 100 Continue gets it before its body is read, and only then.
func TestExpectContinue(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	body := toolCall("conformance.echo", `{"message":"hi"}`)
	w := svc.halfCall(t, fmt.Sprintf("Content-Length: %d", len(body)), body)
	a := w.receive(t, "POST")
	a.check(t)
	a.returned(t, `{"message":"hi"}`)

	// A call that is refused before its body is not told to send it.
	w = svc.dial(t)
	w.send(t, strings.Replace(rawHead("Content-Length: 10", "Expect: 100-continue"), token, "wrong", 1))
	w.receive(t, "POST").is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
}
