package contract_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lifecycle gives the kinds of the records of the process's end, in their order.
func lifecycle(svc *service) []string {
	kinds := []string{}
	for _, line := range svc.stderr.all() {
		if r, ok := parseRecord(line); ok && slices.Contains([]string{"listening", "draining", "stopped"}, r.text("kind")) {
			kinds = append(kinds, r.text("kind"))
		}
	}
	return kinds
}

func (s *service) stopped(t testing.TB) {
	t.Helper()
	if code := s.wait(t); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if got := lifecycle(s); !slices.Equal(got, []string{"listening", "draining", "stopped"}) {
		t.Errorf("records %q, want listening, draining, stopped", got)
	}
}

func TestSignalWhenIdle(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{})
			svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
			svc.signal(t, sig)
			svc.stopped(t)
		})
	}
}

// While calls finish, the listener stays open: health is well, readiness is not, new calls
// are turned away, and the calls in flight are answered.
func TestDrain(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{})
			g := newGate(t)
			held := []*pending{}
			for range 3 {
				held = append(held, svc.begin(t, toolCall("conformance.hold", fmt.Sprintf(`{"release":%q}`, g.path))))
			}
			svc.stdoutCount(t, "hold: "+g.path, len(held))
			svc.signal(t, sig)
			svc.event(t, "draining")

			svc.client.CloseIdleConnections() // new connections are still taken
			const draining = `{"error":"draining"}`
			svc.do(t, "GET", "/readyz", nil).unavailable(t, draining)
			svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, draining)
			svc.invoke(t, "text", "Content-Type", "text/plain").unavailable(t, draining)
			svc.invoke(t, "{}", "kindgi-pack-token", "wrong").is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
			svc.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
			if i := svc.info(t); i.PackID != "conformance" {
				t.Errorf("info while draining: %+v", i)
			}

			g.open(t)
			for _, call := range held {
				call.wait(t).returned(t, `{"released":true}`)
			}
			svc.stopped(t)
			if n := len(svc.records("call")); n != len(held) {
				t.Errorf("%d call records, want %d: a call that was turned away did not run", n, len(held))
			}
		})
	}
}

// Draining is told before missing env names.
func TestDrainingBeforeMissingEnv(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"EDGES_REQUIRED": ""}})
	svc.signal(t, syscall.SIGTERM)
	svc.stopped(t)
}

// What still runs after eight seconds is cancelled and answered, and the process exits
// well, even if a handler does not care.
func TestDrainEnds(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	obedient := svc.begin(t, toolCall("edges.obedient", `{"release":"drain"}`))
	stubborn := svc.hold(t, "edges.stubborn", newGate(t))
	if _, ok := svc.stdout.wait(t, "handler", func(line string) bool { return line == "obedient: drain" }); !ok {
		t.Fatal("the process ended")
	}
	signalled := time.Now()
	svc.signal(t, syscall.SIGTERM)
	obedient.wait(t).failed(t, "cancelled", "edges.obedient was cancelled")
	if waited := time.Since(signalled); waited < 7900*time.Millisecond {
		t.Errorf("a call in flight was cancelled after %v, before its eight seconds were over", waited)
	}
	stubborn.wait(t).failed(t, "cancelled", "edges.stubborn was cancelled")
	svc.stopped(t)
	// The handler that cares had the time to say so, and nothing comes after the end.
	ended := svc.record(t, "record of the obedient handler", func(r record) bool { return r.text("message") == "context ended" })
	if got := ended.text("reason"); got != "the service is stopping" {
		t.Errorf("the obedient handler's context ended because %q", got)
	}
	all := svc.stderr.all()
	if last, ok := parseRecord(all[len(all)-1]); !ok || last.text("kind") != "stopped" {
		t.Errorf("the last record is %s, want stopped", all[len(all)-1])
	}
}

// A second signal ends the process at once, whatever runs.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{pack: "edges"})
			held := svc.hold(t, "edges.stubborn", newGate(t)) // never let go
			svc.signal(t, syscall.SIGTERM)
			svc.event(t, "draining")
			svc.signal(t, sig)
			svc.wait(t)
			if got := lifecycle(svc); !slices.Equal(got, []string{"listening", "draining"}) {
				t.Errorf("records %q: it drained to the end", got)
			}
			<-held.done
			if held.err == nil && held.answer.status == http.StatusOK && strings.Contains(string(held.answer.body), "released") {
				t.Errorf("the held call finished: %v", held.answer)
			}
		})
	}
}

// A connection that says nothing, half of something, or nothing any more never delays the
// exit.
func TestDrainWithOpenConnections(t *testing.T) {
	t.Parallel()
	message := toolCall("conformance.echo", `{"message":"hi"}`)
	for name, begin := range map[string]func(t *testing.T, w *wire){
		"silent":      func(*testing.T, *wire) {},
		"half a line": func(t *testing.T, w *wire) { w.send(t, "POST /v1/inv") },
		"half a head": func(t *testing.T, w *wire) { w.send(t, "POST /v1/invoke HTTP/1.1\r\nHost: pack\r\nContent-") },
		"idle": func(t *testing.T, w *wire) {
			w.send(t, rawInvoke(message))
			w.receive(t, "POST").returned(t, `{"message":"hi"}`)
		},
		"idle, then half a head": func(t *testing.T, w *wire) {
			w.send(t, rawInvoke(message)+"GET /heal")
			w.receive(t, "POST").returned(t, `{"message":"hi"}`)
		},
		"refused, with the rest of a body to come": func(t *testing.T, w *wire) {
			w.send(t, strings.Replace(rawHead("Content-Length: 1000"), token, "wrong", 1)+"{")
			w.receive(t, "POST").is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{})
			for range 20 {
				begin(t, svc.dial(t))
			}
			svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
			svc.signal(t, syscall.SIGTERM)
			svc.stopped(t)
			if took := svc.event(t, "stopped").at(t).Sub(svc.event(t, "draining").at(t)); took >= 8*time.Second {
				t.Errorf("draining took %v: it waited for callers that call nothing", took)
			}
		})
	}
}

// A call whose body never comes is in flight, and ends with the drain at the latest.
func TestDrainWithHalfABody(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	svc.halfCall(t, "Content-Length: 1000", "{")
	svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, `{"error":"overloaded"}`)
	svc.signal(t, syscall.SIGTERM)
	svc.stopped(t)
}

// An answer given while draining arrives whole, however large.
func TestDrainDeliversLargeAnswers(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	g := newGate(t)
	held := svc.hold(t, "conformance.hold", g)
	message, text := padded(maxBody)
	w := svc.dial(t)
	w.send(t, rawInvoke(message)) // and its 10 MiB answer is not read yet
	if _, err := w.reader.Peek(1); err != nil {
		t.Fatal(err)
	}
	svc.signal(t, syscall.SIGTERM)
	svc.event(t, "draining")
	g.open(t)
	held.wait(t).returned(t, `{"released":true}`)
	if got := w.receive(t, "POST").output(t); got != `{"message":"`+text+`"}` {
		t.Errorf("the large answer came back changed")
	}
	svc.stopped(t)
}
