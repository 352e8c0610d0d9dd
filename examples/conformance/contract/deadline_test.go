package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestCap(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "2"}})
	g := newGate(t)
	first, second := svc.hold(t, "conformance.hold", g), svc.hold(t, "conformance.hold", newGate(t))
	const overloaded = `{"error":"overloaded"}`
	svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, overloaded)
	svc.evaluate(t, "conformance.checks.min-length", `{}`, `"x"`).unavailable(t, overloaded)
	// The cap comes after the token and before the content type, the body and the message.
	svc.invoke(t, "{}", "kindgi-pack-token", "wrong").is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
	svc.invoke(t, "{", "Content-Type", "text/plain").unavailable(t, overloaded)
	// What runs no pack code needs no slot.
	svc.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
	svc.do(t, "GET", "/readyz", nil).is(t, http.StatusOK, `{"status":"ready"}`)
	if i := svc.info(t); i.PackID != "conformance" {
		t.Errorf("info at the cap: %+v", i)
	}
	g.open(t)
	first.wait(t).returned(t, `{"released":true}`)
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	second.cancel()
}

// A caller that has its answer may rely on its slot, whatever the answer was.
func TestSlotIsFreeWithTheAnswer(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	for range 50 {
		for _, message := range []string{
			`{`, toolCall("conformance.nope", `{}`), toolCall("conformance.echo", `{}`), toolCall("conformance.throws", `{}`),
			toolCall("conformance.echo", `{"message":"hi"}`), checkCall("conformance.checks.nope", `{}`, `""`),
			checkCall("conformance.checks.min-length", `{"minLength":-1}`, `""`),
		} {
			if a := svc.invoke(t, message); a.status != http.StatusOK {
				t.Fatalf("the answer to %s, sent after another's was read: %v", message, a)
			}
		}
	}
}

// A call whose time has passed is answered, whether its handler listens or not.
func TestDeadline(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	svc.call(t, "edges.obedient", `{"release":"x"}`, "kindgi-timeout-ms", "500").
		failed(t, "deadline-exceeded", "edges.obedient passed its deadline")
	g := newGate(t)
	f := svc.call(t, "edges.stubborn", fmt.Sprintf(`{"release":%q}`, g.path), "kindgi-timeout-ms", "500").
		failed(t, "deadline-exceeded", "edges.stubborn passed its deadline")
	if f.ToolID != "edges.stubborn" {
		t.Errorf("toolId %q", f.ToolID)
	}
	g.open(t)

	// The handler's context ended for that reason.
	ended := svc.record(t, "the handler's own", func(r record) bool { return r.text("message") == "context ended" })
	if got := ended.text("reason"); !strings.Contains(got, "passed its deadline") {
		t.Errorf("the context's cause is %q: %s", got, ended.line)
	}
}

// A handler that stops when it is told to finishes late all the same: its record says when.
func TestLateRecordOfAHandlerThatHeeds(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for i := range 10 {
		id := fmt.Sprintf("late-%d", i)
		svc.invoke(t, withRequestID("conformance.sleep", `{"ms":60000}`, id), "kindgi-timeout-ms", "10").
			failed(t, "deadline-exceeded", "conformance.sleep passed its deadline")
		late := svc.record(t, "late record of "+id, func(r record) bool {
			return r.text("kind") == "handler-finished-late" && r.text("requestId") == id
		})
		if late.text("target") != "tool" || late.text("id") != "conformance.sleep" || late.text("level") != "info" {
			t.Errorf("got %s", late.line)
		}
	}
}

// A header that is no positive integer is ignored: the default of two minutes applies. Each
// of these would end the call at once if it were read as a few milliseconds, or as none.
func TestTimeoutHeader(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for name, c := range map[string]struct {
		header  string
		ignored bool
	}{
		"none": {"", true}, "zero": {"0", true}, "zeros": {"000", true}, "negative": {"-1", true}, "fraction": {"1.5", true},
		"exponent": {"1e0", true}, "hexadecimal": {"0x1", true}, "unit": {"1ms", true}, "text": {"soon", true},
		"list": {"1, 1", true}, "inner space": {"1 1", true}, "thousands": {"1,000", true}, "Arabic digit": {"\u0661", true},
		"underscore": {"1_0", true}, "enormous": {"99999999999999999999999", true}, "largest int64": {"9223372036854775807", true},
		"beyond a duration": {"9223372036855", true},
		"one":               {"1", false}, "ten": {"10", false}, "leading zero": {"010", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.ignored {
				svc.call(t, "conformance.sleep", `{"ms":60}`, "kindgi-timeout-ms", c.header).returned(t, `{"slept":60}`)
				return
			}
			svc.call(t, "conformance.sleep", `{"ms":300000}`, "kindgi-timeout-ms", c.header).
				failed(t, "deadline-exceeded", "conformance.sleep passed its deadline")
		})
	}
}

// A handler that outlives its deadline keeps its slot until it returns: the caller has its
// answer, the machine still does the work.
func TestSlotOfALateHandler(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	g := newGate(t)
	svc.invoke(t, withRequestID("edges.stubborn", fmt.Sprintf(`{"release":%q}`, g.path), "late"), "kindgi-timeout-ms", "500").
		failed(t, "deadline-exceeded", "edges.stubborn passed its deadline")
	for range 3 {
		svc.call(t, "edges.empty", `{}`).unavailable(t, `{"error":"overloaded"}`)
	}
	g.open(t)
	late := svc.event(t, "handler-finished-late")
	if late.text("target") != "tool" || late.text("id") != "edges.stubborn" || late.text("event") != "handler-finished-late" {
		t.Errorf("record %s", late.line)
	}
	if after, ok := late.fields["afterMs"].(json.Number); !ok || strings.HasPrefix(after.String(), "-") {
		t.Errorf("afterMs %v", late.fields["afterMs"])
	}
	svc.eventually(t, "a free slot", func() bool { return svc.call(t, "edges.empty", `{}`).status == http.StatusOK })
	if got := svc.callRecord(t, "late").text("outcome"); got != "deadline-exceeded" {
		t.Errorf("outcome %q", got)
	}
}

// eventually tries until it is so, within bounds. Each try is a whole request, so that it
// does not spin.
func (s *service) eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if so() {
			return
		}
	}
	t.Fatalf("no %s within %v", what, patience)
}

// A caller that goes away cancels its call.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	w := svc.dial(t)
	w.send(t, rawInvoke(withRequestID("edges.obedient", `{"release":"gone"}`, "gone")))
	if _, ok := svc.stdout.wait(t, "handler", func(line string) bool { return line == "obedient: gone" }); !ok {
		t.Fatal("the process ended")
	}
	_ = w.Close()
	ended := svc.record(t, "the handler's own", func(r record) bool { return r.text("message") == "context ended" })
	if got := ended.text("reason"); got == ended.text("why") || strings.Contains(got, "deadline") {
		t.Errorf("the context's cause does not say that the caller has gone: %s", ended.line)
	}
	call := svc.callRecord(t, "gone")
	if call.text("outcome") != "cancelled" || call.text("level") != "warn" {
		t.Errorf("record %s", call.line)
	}
	svc.eventually(t, "free slot", func() bool { return svc.call(t, "edges.empty", `{}`).status == http.StatusOK })
}

// A caller that vanishes with half of its body sent gives its slot back.
func TestDisconnectInTheBody(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	message := toolCall("conformance.echo", `{"message":"hi"}`)
	for framing, part := range map[string]string{
		fmt.Sprintf("Content-Length: %d", len(message)): message[:20],
		"Transfer-Encoding: chunked":                    "10\r\n" + message[:8],
	} {
		w := svc.halfCall(t, framing, part)
		svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, `{"error":"overloaded"}`)
		_ = w.Close()
		svc.eventually(t, "free slot", func() bool {
			return svc.call(t, "conformance.echo", `{"message":"hi"}`).status == http.StatusOK
		})
	}
}

// A body that comes slowly is bounded by the call's deadline.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	for _, framing := range []string{"Content-Length: 1000", "Transfer-Encoding: chunked"} {
		w := svc.dial(t)
		w.send(t, rawHead(framing, "kindgi-timeout-ms: 50"))
		a := w.receive(t, "POST")
		a.check(t)
		if f := a.failure(t); f.Code != "deadline-exceeded" {
			t.Errorf("got %v", a)
		}
		w.closed(t) // what follows would be the rest of the body
		svc.eventually(t, "free slot", func() bool {
			return svc.call(t, "conformance.echo", `{"message":"hi"}`).status == http.StatusOK
		})
	}
}

// The deadline that bounds reading a body does not outlive the reading: a call that takes
// longer than its body, on a connection used before, is not cut off.
func TestReadDeadlineIsCleared(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	w := svc.dial(t)
	for range 3 {
		w.send(t, rawInvoke(toolCall("conformance.sleep", `{"ms":1}`), "kindgi-timeout-ms: 30"))
		if a := w.receive(t, "POST"); a.status != http.StatusOK { // it may have passed its deadline
			t.Fatalf("got %v", a)
		}
		w.send(t, rawInvoke(toolCall("conformance.sleep", `{"ms":120}`)))
		w.receive(t, "POST").returned(t, `{"slept":120}`)
	}
}

// A byte after the body keeps a server from noticing that the caller has gone; the
// deadline must end the call all the same.
func TestDeadlineWithALateByte(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	w := svc.dial(t)
	w.send(t, rawInvoke(toolCall("edges.obedient", `{"release":"late byte"}`), "kindgi-timeout-ms: 50")+"G")
	w.receive(t, "POST").failed(t, "deadline-exceeded", "edges.obedient passed its deadline")
}

// A thousand calls that time out in handlers that return later leave nothing behind.
func TestManyLateHandlers(t *testing.T) {
	t.Parallel()
	const calls = 1000
	svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": fmt.Sprint(calls)}})
	count := func() int {
		var out struct{ Count int }
		if err := json.Unmarshal([]byte(svc.call(t, "edges.goroutines", `{}`).output(t)), &out); err != nil {
			t.Fatal(err)
		}
		return out.Count
	}
	before := count()
	g := newGate(t)
	message := toolCall("edges.stubborn", fmt.Sprintf(`{"release":%q}`, g.path))
	late := []*pending{}
	for range calls {
		late = append(late, svc.begin(t, message, "kindgi-timeout-ms", "10000"))
	}
	svc.stdoutCount(t, "stubborn: "+g.path, calls)
	svc.call(t, "edges.empty", `{}`).unavailable(t, `{"error":"overloaded"}`)
	for _, call := range late {
		call.wait(t).failed(t, "deadline-exceeded", "edges.stubborn passed its deadline")
	}
	g.open(t)
	svc.client.CloseIdleConnections()
	svc.eventually(t, "goroutines back where they were", func() bool {
		a := svc.call(t, "edges.empty", `{}`)
		return a.status == http.StatusOK && count() <= before+3
	})
}
