//go:build linux

package soak_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var soakTime = flag.Duration("soak", 4*time.Second, "how long the storm lasts")

// storm is what callers do to a pack, and what they saw.
type storm struct {
	p        *process
	ids      atomic.Int64
	mu       sync.Mutex
	refused  []string // the ids of calls answered 503
	lost     []string // the ids of calls that were not answered, once the pack was told to stop
	answered int
	failed   []string
	leaving  atomic.Bool // the pack has been told to stop: connections may be refused
}

func (s *storm) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.failed) < 20 {
		s.failed = append(s.failed, fmt.Sprintf(format, args...))
	}
}

// blow has so many callers call until the time is over.
func (s *storm) blow(callers int, until time.Time) {
	var group sync.WaitGroup
	for i := range callers {
		random := rand.New(rand.NewPCG(uint64(i), 7))
		group.Go(func() {
			for time.Now().Before(until) && !s.leaving.Load() {
				if random.IntN(3) == 0 {
					s.vanish(random)
				} else {
					s.call(random)
				}
			}
		})
	}
	group.Wait()
}

// random makes a call of some tool, valid or not, and what its answer must be: an outcome
// of these.
func (s *storm) random(random *rand.Rand) (id, body string, timeout time.Duration, outcomes string) {
	id = fmt.Sprintf("id-%d", s.ids.Add(1))
	pad := strings.Repeat("é\\n", random.IntN(3000))
	timeout = time.Minute
	switch random.IntN(10) {
	case 0:
		return id, message("soak.echo", `{"id":5}`), timeout, "input-validation-failed"
	case 1:
		return id, message("soak.none", `{}`), timeout, "tool-not-in-pack"
	case 2:
		return id, message("soak.echo", `{"id":"`+id+`",`), timeout, "malformed-message"
	case 3:
		return id, message("soak.panic", `{"id":"`+id+`"}`), timeout, "handler-throw"
	case 4:
		return id, message("soak.exit", `{"id":"`+id+`"}`), timeout, "handler-throw"
	case 5:
		return id, message("soak.late", fmt.Sprintf(`{"id":%q,"n":%d}`, id, random.IntN(60))), time.Duration(random.IntN(50)+1) * time.Millisecond, "ok deadline-exceeded"
	case 6:
		return id, message("soak.wait", `{"id":"`+id+`"}`), time.Duration(random.IntN(50)+1) * time.Millisecond, "ok deadline-exceeded"
	case 7:
		return id, message("soak.print", `{"id":"`+id+`"}`), timeout, "ok"
	case 8:
		return id, message("soak.allocate", fmt.Sprintf(`{"id":%q,"n":%d}`, id, random.IntN(4<<20))), timeout, "ok"
	}
	return id, message("soak.echo", fmt.Sprintf(`{"id":%q,"pad":"%s"}`, id, pad)), timeout, "ok"
}

// call makes a call and stays for its answer.
func (s *storm) call(random *rand.Rand) {
	id, body, timeout, outcomes := s.random(random)
	status, got, err := s.p.post(body, timeout)
	if err != nil {
		if s.leaving.Load() {
			s.mu.Lock()
			s.lost = append(s.lost, id)
			s.mu.Unlock()
		} else {
			s.fail("%s was not answered: %v", id, err)
		}
		return
	}
	s.mu.Lock()
	s.answered++
	if status == http.StatusServiceUnavailable {
		s.refused = append(s.refused, id)
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	var answer struct {
		Kind   string
		Code   string
		Output struct{ ID string }
	}
	if err := json.Unmarshal([]byte(got), &answer); status != http.StatusOK || err != nil {
		s.fail("%s was answered %d %q, %v", id, status, got, err)
		return
	}
	outcome := answer.Code
	if answer.Kind == "result" {
		outcome = "ok"
		if answer.Output.ID != id {
			s.fail("%s got the answer of %q", id, answer.Output.ID)
		}
	}
	if !strings.Contains(outcomes, outcome) && !(outcome == "cancelled" && s.leaving.Load()) {
		s.fail("%s came to %s, want %s: %s", id, outcome, outcomes, got)
	}
}

// vanish makes a call and leaves: after some byte of the request, or of the answer.
func (s *storm) vanish(random *rand.Rand) {
	_, body, timeout, _ := s.random(random)
	c, err := net.Dial("tcp", s.p.address)
	if err != nil {
		if !s.leaving.Load() {
			s.fail("no connection: %v", err)
		}
		return
	}
	defer c.Close()
	request := fmt.Sprintf("POST /v1/invoke HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nKindgi-Pack-Token: %s\r\nKindgi-Timeout-Ms: %d\r\nContent-Length: %d\r\n\r\n%s",
		token, min(timeout, time.Second).Milliseconds(), len(body), body)
	// Errors are the other side's right: it may have closed already.
	if random.IntN(2) == 0 {
		_, _ = io.WriteString(c, request[:random.IntN(len(request))])
		return
	}
	_, _ = io.WriteString(c, request)
	_ = c.SetReadDeadline(time.Now().Add(2 * time.Second))
	_, _ = io.CopyN(io.Discard, c, int64(random.IntN(200)))
}

// verdict reports what went wrong.
func (s *storm) verdict(t *testing.T) {
	t.Helper()
	for _, failure := range s.failed {
		t.Error(failure)
	}
	ran := s.p.ran()
	for _, id := range s.refused {
		if ran[id] {
			t.Errorf("%s was answered 503, and ran", id)
		}
	}
	for _, id := range s.lost {
		if ran[id] {
			t.Errorf("%s ran as the pack stopped, and was not answered", id)
		}
	}
	t.Logf("%d answers, %d of them 503; %d handlers ran", s.answered, len(s.refused), len(ran))
	if s.answered == 0 || len(ran) == 0 {
		t.Error("the storm did nothing")
	}
}

// TestRecovers blows a storm at a pack and looks whether everything it took it gave back.
func TestRecovers(t *testing.T) {
	binary := build(t)
	for _, procs := range []string{"1", "2"} {
		t.Run("GOMAXPROCS="+procs, func(t *testing.T) {
			p := start(t, binary, "GOMAXPROCS="+procs)
			before := p.stats()
			s := &storm{p: p}
			s.blow(2*most, time.Now().Add(*soakTime/2))

			// Every slot is free: as many calls as there are slots, at the same time.
			p.client.CloseIdleConnections()
			after := p.stats()
			for deadline := time.Now().Add(20 * time.Second); after.Goroutines > before.Goroutines+4 || after.Files > before.Files+4; after = p.stats() {
				if time.Now().After(deadline) {
					t.Errorf("before the storm %+v, after it %+v", before, after)
					break
				}
				p.client.CloseIdleConnections()
			}
			var group sync.WaitGroup
			for i := range most {
				group.Go(func() {
					id := fmt.Sprintf("slot-%d", i)
					if status, body, err := p.post(message("soak.late", fmt.Sprintf(`{"id":%q,"n":100}`, id)), time.Minute); err != nil || status != http.StatusOK {
						t.Errorf("slot %d is not free: %d %s, %v", i, status, body, err)
					}
				})
			}
			group.Wait()
			if after.MostAtOnce > most {
				t.Errorf("%d handlers ran at once", after.MostAtOnce)
			}
			if after.Heap > before.Heap+16<<20 {
				t.Errorf("the heap was %d bytes and is %d", before.Heap, after.Heap)
			}
			p.stop()
			s.verdict(t)
		})
	}
}

// TestStopsInTheStorm stops a pack in the middle of a storm, and starts it again.
func TestStopsInTheStorm(t *testing.T) {
	binary := build(t)
	for round := range 3 {
		p := start(t, binary)
		s := &storm{p: p}
		enough := make(chan struct{})
		go func() {
			defer close(enough)
			s.blow(2*most, time.Now().Add(*soakTime))
		}()
		timer := time.NewTimer(*soakTime / 8)
		select {
		case <-timer.C:
		case <-enough:
		}
		s.leaving.Store(true)
		p.stop()
		<-enough
		s.verdict(t)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}
