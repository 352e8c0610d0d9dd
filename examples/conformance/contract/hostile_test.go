package contract_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

// Bodies made to hurt are refused with a message, whatever tool they are for, and the
// service answers the next call.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	in := func(value string) string { return toolCall("edges.numbers", `{"id":1,"any":`+value+`}`) }
	for name, message := range map[string]string{
		"nested arrays":            in(strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)),
		"nested objects":           in(strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001)),
		"a million brackets":       in(strings.Repeat("[", 1_000_000)),
		"brackets and no envelope": strings.Repeat("[", 5_000_000),
		"beyond a float":           in("1e400"),
		"beyond a small float":     in("-1e999999"),
		"enormous exponent":        in("1e1000001"),
		"enormous small exponent":  in("1e-1000000001"),
		"exponent of many digits":  in("1e" + strings.Repeat("9", 5000)),
		"five thousand digits":     in(strings.Repeat("9", 5000)),
		"as an id":                 toolCall("edges.numbers", `{"id":1e1000001}`),
		"as an id of many digits":  toolCall("edges.numbers", `{"id":`+strings.Repeat("9", 5000)+`}`),
		"duplicate in the input":   toolCall("edges.numbers", `{"id":1,"id":2}`),
		"duplicate, escaped":       toolCall("edges.numbers", `{"id":1,"\u0069d":2}`),
		"duplicate, deep":          in(`{"x":[{"a":{"x":1},"a":{"y":2}}]}`),
		"duplicate in the context": toolMessage(`{"id":"edges.empty"}`, `{}`, `{"tenantId":"t","runId":"r","tenantId":"u"}`),
		"duplicate in the tool":    toolMessage(`{"id":"edges.empty","id":"edges.numbers"}`, `{}`, `{"tenantId":"t","runId":"r"}`),
		"duplicate among unknown":  `{"new":{"a":1,"a":2},` + toolCall("edges.empty", `{}`)[1:],
		"invalid UTF-8":            in("\"\xff\xfe\""),
		"invalid UTF-8 in a name":  in("{\"\xc0\xaf\":1}"),
		"a lone surrogate, raw":    in("\"\xed\xa0\x80\""),
		"a lone surrogate":         in(`"\ud800"`),
		"a lone low surrogate":     in(`"\udc00x"`),
		"trailing data":            toolCall("edges.empty", `{}`) + `x`,
		"two messages":             toolCall("edges.empty", `{}`) + "\n" + toolCall("edges.empty", `{}`),
		"a zero byte":              toolCall("edges.empty", `{}`) + "\x00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := svc.invoke(t, message).failure(t)
			if f.Code != "malformed-message" || f.Message != "Request body is not valid JSON" {
				t.Errorf("got %s %.300q", f.Code, f.Message)
			}
			svc.call(t, "edges.empty", `{}`).returned(t, `{"A":[],"M":{}}`)
		})
	}
	// What is only large is served.
	for name, value := range map[string]string{
		"9,000 levels":    strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"a large number":  "1e308",
		"a small number":  "1e-300",
		"300 digits":      strings.Repeat("9", 300),
		"100,000 members": "{" + strings.TrimSuffix(members(100_000), ",") + "}",
		"a million zeros": "[" + strings.Repeat("0,", 999_999) + "0]",
		"a long name":     `{"` + strings.Repeat("x", 1_000_000) + `":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, want := svc.call(t, "edges.numbers", `{"id":1,"any":`+value+`}`).output(t), `{"id":1,"any":`+value+`,"note":"none"}`; got != want && !sameJSON(t, []byte(got), want) {
				t.Errorf("got %.200s, want %.200s", got, want)
			}
		})
	}
}

func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":%d,`, i, i)
	}
	return b.String()
}

// A value of which everything is wrong is answered in bounds.
func TestManyIssues(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	// Each member is an issue; the answer stays smaller than a few bodies.
	a := svc.call(t, "conformance.echo", "{"+strings.TrimSuffix(members(200_000), ",")+"}")
	if f := a.failure(t); f.Code != "input-validation-failed" || f.Issues == nil {
		t.Errorf("got %.300v", a)
	}
	if len(a.body) > 4<<20 {
		t.Errorf("the answer is %d bytes", len(a.body))
	}
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
}

// What an answer and a record repeat of a caller's names is short, however long they are.
func TestLongNames(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	long := strings.Repeat("\u00e9", 1<<20)
	for name, message := range map[string]string{
		"tool":    toolCall(long, `{}`),
		"version": toolMessage(`{"id":"conformance.echo","version":"`+long+`"}`, `{"message":"x"}`, `{"tenantId":"t","runId":"r"}`),
		"check":   checkCall(long, `{}`, `"x"`),
		"kind":    `{"v":2,"kind":"` + long + `"}`,
		"v":       `{"v":"` + long + `"}`,
		"ids": toolMessage(`{"id":"conformance.echo"}`, `{"message":"x"}`,
			`{"tenantId":"`+long+`","runId":"`+long+`","requestId":"`+long+`"}`),
	} {
		a := svc.invoke(t, message)
		a.check(t)
		if a.status != http.StatusOK || len(a.body) > 4<<10 || !utf8.Valid(a.body) {
			t.Errorf("%s of 2 MiB: status %d, an answer of %d bytes", name, a.status, len(a.body))
		}
	}
	svc.call(t, "conformance.echo", `{"message":"x"}`, "kindgi-request-id", "last")
	svc.callRecord(t, "last")
	for _, line := range svc.stderr.all() {
		if len(line) > 8<<10 || !utf8.ValidString(line) {
			t.Errorf("a record of %d bytes: %.200s", len(line), line)
		}
	}
	if n := len(svc.records("call")); n != 7 {
		t.Errorf("%d records of calls, want 7", n)
	}
}

// Callers without the token hold no slot, whatever they keep open.
func TestStrangersHoldNoSlot(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	for i := range 200 {
		w := svc.dial(t)
		switch i % 4 {
		case 0: // silent
		case 1:
			w.send(t, "POST /v1/invoke HTTP/1.1\r\nHost: pack\r\n")
		case 2:
			w.send(t, strings.Replace(rawHead("Content-Length: 1000"), token, "wrong", 1))
		case 3:
			w.send(t, strings.Replace(rawHead("Transfer-Encoding: chunked"), token, "", 1)+"5\r\nabc")
		}
	}
	for range 5 {
		svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	}
}

func TestHTTP10(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, connection := range []string{"", "Connection: keep-alive\r\n"} {
		w := svc.dial(t)
		request := strings.Replace(rawInvoke(toolCall("conformance.echo", `{"message":"hi"}`)), "HTTP/1.1\r\nHost: pack\r\n", "HTTP/1.0\r\n"+connection, 1)
		w.send(t, request)
		a := w.receive(t, "POST")
		a.check(t)
		a.returned(t, `{"message":"hi"}`)
		if connection == "" {
			w.closed(t)
			continue
		}
		w.send(t, request) // kept alive, as asked
		w.receive(t, "POST").returned(t, `{"message":"hi"}`)
	}
	w := svc.dial(t)
	w.send(t, "GET /healthz HTTP/1.0\r\n\r\n")
	a := w.receive(t, "GET")
	a.check(t)
	a.is(t, http.StatusOK, `{"status":"ok"}`)
}

// Requests sent before the answers of those before them are answered in order.
func TestPipelining(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	w := svc.dial(t)
	var all strings.Builder
	for i := range 20 {
		all.WriteString(rawInvoke(toolCall("conformance.echo", fmt.Sprintf(`{"message":"call %d"}`, i))))
		all.WriteString("GET /healthz HTTP/1.1\r\nHost: pack\r\n\r\n")
	}
	go func() { _, _ = io.WriteString(w, all.String()) }() // what fails shows on the reading side
	for i := range 20 {
		a := w.receive(t, "POST")
		a.check(t)
		a.returned(t, fmt.Sprintf(`{"message":"call %d"}`, i))
		w.receive(t, "GET").is(t, http.StatusOK, `{"status":"ok"}`)
	}
}

// A refused request with a body does not let that body pass for the next request.
func TestSmuggledBody(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	inner := rawInvoke(toolCall("conformance.noisy", `{}`))
	for _, head := range []string{
		strings.Replace(rawHead(fmt.Sprintf("Content-Length: %d", len(inner))), token, "wrong", 1),
		"POST /nowhere HTTP/1.1\r\nHost: pack\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(inner)),
		"GET /healthz HTTP/1.1\r\nHost: pack\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(inner)),
		strings.Replace(rawHead(fmt.Sprintf("Content-Length: %d", len(inner))), "application/json", "text/plain", 1),
		rawHead(fmt.Sprintf("Content-Length: %d", len(inner))), // the body is no message
		// Two lengths: refused, or the transfer encoding wins (RFC 9112, section 6.3).
		rawHead("Content-Length: 5", fmt.Sprintf("Content-Length: %d", len(inner))),
		rawHead("Transfer-Encoding: chunked", "Content-Length: 4") + fmt.Sprintf("%x\r\n", len(inner)),
		rawHead("Transfer-Encoding: chunked, identity"),
		rawHead("Transfer-Encoding: xchunked"),
		rawHead("Content-Length: +5"),
		rawHead("Content-Length: 5, 6"),
	} {
		w := svc.dial(t)
		w.send(t, head+inner)
		_ = w.Conn.(*net.TCPConn).CloseWrite()
		for {
			response, err := http.ReadResponse(w.reader, &http.Request{Method: "POST"})
			if err != nil {
				break
			}
			body, _ := io.ReadAll(response.Body)
			if strings.Contains(string(body), `"result"`) {
				t.Errorf("the body of %.120q was run as a call", head)
			}
		}
	}
	if n := len(svc.stdout.all()); n > 0 {
		t.Errorf("%d lines on standard output: a smuggled call ran", n)
	}
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
}

// What is no HTTP, or another version of it, ends in an error and nothing else.
func TestNotHTTP(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for name, sent := range map[string]string{
		"HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
		"TLS hello":      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"text":           "hello\r\n\r\n",
		"no version":     "GET /healthz\r\n\r\n",
		"HTTP/3":         "GET /healthz HTTP/3.0\r\nHost: pack\r\n\r\n",
		"no host":        "GET /healthz HTTP/1.1\r\n\r\n",
		"two hosts":      "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"header space":   "GET /healthz HTTP/1.1\r\nHost: pack\r\nkindgi-pack-token : x\r\n\r\n",
		"header newline": "GET /healthz HTTP/1.1\r\nHost: pack\r\nX: a\x00b\r\n\r\n",
		"large header":   "GET /healthz HTTP/1.1\r\nHost: pack\r\nX: " + strings.Repeat("x", 2<<20) + "\r\n\r\n",
		"bad chunk":      rawHead("Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n",
		"huge chunk":     rawHead("Transfer-Encoding: chunked") + "ffffffffffffffffff\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := svc.dial(t)
			go func() { // the service may hang up in the middle
				_, _ = io.WriteString(w, sent)
				_ = w.Conn.(*net.TCPConn).CloseWrite()
			}()
			all, _ := io.ReadAll(w.reader)
			if status := string(all[:min(len(all), 12)]); status != "" && !strings.HasPrefix(status, "HTTP/1.1 4") && !strings.HasPrefix(status, "HTTP/1.1 5") && !strings.Contains(string(all), "malformed-message") {
				t.Errorf("got %.200q", all)
			}
			svc.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
		})
	}
}

// What is answered before a request is one keeps what every answer keeps: JSON with a length.
func TestAnswersToNoRequest(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, c := range []struct {
		name, sent string
		status     int
		body       string
	}{
		{"text", "hello\r\n\r\n", 400, `{"error":"Bad Request"}`},
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n", 400, `{"error":"Bad Request: missing required Host header"}`},
		{"a host that is none", "GET /healthz HTTP/1.1\r\nHost: a\"<b\r\n\r\n", 400, `{"error":"Bad Request: malformed Host header"}`},
		{"a header without a name", "GET /healthz HTTP/1.1\r\nHost: pack\r\n: x\r\n\r\n", 400, `{"error":"Bad Request"}`},
		{"a length that is none", rawHead("Content-Length: +5"), 400, `{"error":"Bad Request"}`},
		{"two lengths", rawHead("Content-Length: 5", "Content-Length: 6"), 400, `{"error":"Bad Request"}`},
		{"a coding that nobody knows", rawHead("Transfer-Encoding: xchunked"), 501, `{"error":"Unsupported transfer encoding"}`},
		{"another version", "GET /healthz HTTP/3.0\r\nHost: pack\r\n\r\n", 505, `{"error":"HTTP Version Not Supported: unsupported protocol version"}`},
		{"a large header", "GET /healthz HTTP/1.1\r\nHost: pack\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", 431, `{"error":"Request Header Fields Too Large"}`},
		{"an expectation", rawHead("Content-Length: 0", "Expect: miracles"), 417, `{"error":"Expectation Failed"}`},
		{"an expectation in HTTP/1.0", "GET /healthz HTTP/1.0\r\nExpect: miracles\r\n\r\n", 417, `{"error":"Expectation Failed"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, before := range []string{"", "GET /healthz HTTP/1.1\r\nHost: pack\r\n\r\n"} {
				w := svc.dial(t)
				if before != "" { // on a connection that has answered
					w.send(t, before)
					w.receive(t, "GET").is(t, http.StatusOK, `{"status":"ok"}`)
				}
				go func() { _, _ = io.WriteString(w, c.sent) }() // the service may not take all of it
				a := w.receive(t, "POST")
				a.check(t)
				a.is(t, c.status, c.body)
				if a.header.Get("Date") == "" {
					t.Errorf("no Date in %v", a)
				}
				if c.status != 431 { // whose unread rest resets the connection
					w.closed(t)
				}
			}
		})
	}
}

// With a transfer encoding beside its length a body is read by the former (RFC 9112, section
// 6.3). net/http has dropped the length by the time the service sees the request, so that the
// connection goes on: what follows the last chunk, and no byte before, is the next request.
func TestLengthBesideChunks(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	message := toolCall("conformance.echo", `{"message":"hi"}`)
	for _, length := range []int{0, 5, len(message), len(message) + 1000} {
		w := svc.dial(t)
		for range 2 {
			w.send(t, rawHead(fmt.Sprintf("Content-Length: %d", length), "Transfer-Encoding: chunked")+
				fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(message), message))
			a := w.receive(t, "POST")
			a.check(t)
			a.returned(t, `{"message":"hi"}`)
		}
	}
}

// Chunked bodies come with extensions and trailers.
func TestChunkedBody(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	message := toolCall("conformance.echo", `{"message":"hi"}`)
	w := svc.dial(t)
	for range 2 {
		var chunks strings.Builder
		for _, part := range []string{message[:1], message[1:40], message[40:]} {
			fmt.Fprintf(&chunks, "%x;name=value\r\n%s\r\n", len(part), part)
		}
		w.send(t, rawHead("Transfer-Encoding: chunked", "Trailer: kindgi-pack-token")+chunks.String()+"0\r\nkindgi-pack-token: wrong\r\n\r\n")
		a := w.receive(t, "POST")
		a.check(t)
		a.returned(t, `{"message":"hi"}`)
	}
}

// A caller may ask for the end of the connection, and gets its answer first.
func TestConnectionClose(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	w := svc.dial(t)
	w.send(t, rawInvoke(toolCall("conformance.echo", `{"message":"hi"}`), "Connection: close"))
	a := w.receive(t, "POST")
	a.check(t)
	a.returned(t, `{"message":"hi"}`)
	w.closed(t)
}

// A caller that has said all of its request and closes its side of the connection gets
// its answer or is taken to have gone; it never hangs.
func TestHalfClose(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	w := svc.dial(t)
	w.send(t, rawInvoke(toolCall("conformance.echo", `{"message":"hi"}`)))
	_ = w.Conn.(*net.TCPConn).CloseWrite()
	if _, err := io.ReadAll(w.reader); err != nil {
		t.Errorf("reading to the end: %v", err)
	}
}

// One request a byte at a time is a request.
func TestByteByByte(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	w := svc.dial(t)
	for _, b := range []byte(rawInvoke(toolCall("conformance.echo", `{"message":"hi"}`))) {
		if _, err := w.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	a := w.receive(t, "POST")
	a.check(t)
	a.returned(t, `{"message":"hi"}`)
}

// Callers that vanish at every byte of their request leave the service as it was.
func TestVanishAtEveryByte(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "4"}})
	request := rawInvoke(toolCall("conformance.echo", `{"message":"hi"}`))
	for n := range len(request) {
		conn, err := net.DialTimeout("tcp", svc.address, patience)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, request[:n+1])
		_ = conn.Close()
	}
	// All slots come back: four calls can be held at once, and not one more.
	g := newGate(t)
	held := []*pending{}
	for range 4 {
		svc.eventually(t, "free slot", func() bool {
			return svc.call(t, "conformance.echo", `{"message":"hi"}`).status == http.StatusOK
		})
		held = append(held, svc.begin(t, toolCall("conformance.hold", fmt.Sprintf(`{"release":%q}`, g.path))))
		svc.stdoutCount(t, "hold: "+g.path, len(held))
	}
	svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, `{"error":"overloaded"}`)
	g.open(t)
	for _, call := range held {
		call.wait(t).returned(t, `{"released":true}`)
	}
}

// Answers to many callers at once are each their own.
func TestNoAnswerForAnother(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1000"}})
	calls := []*pending{}
	for i := range 300 {
		calls = append(calls, svc.begin(t, toolCall("conformance.echo", fmt.Sprintf(`{"message":"%d %s"}`, i, strings.Repeat("x", i*7)))))
	}
	for i, call := range calls {
		call.wait(t).returned(t, fmt.Sprintf(`{"message":"%d %s"}`, i, strings.Repeat("x", i*7)))
	}
}

// A caller that does not read its answer does not keep the process from ending.
func TestCallerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	message, _ := padded(maxBody)
	w := svc.dial(t)
	w.send(t, rawInvoke(message))
	if _, err := w.reader.Peek(1); err != nil { // the answer is on its way, and stays there
		t.Fatal(err)
	}
	svc.signal(t, syscall.SIGTERM)
	svc.stopped(t)
}
