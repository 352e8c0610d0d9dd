package contract_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var soak = flag.Duration("soak", 3*time.Second, "how long the soak test loads each service")

const (
	soakCap     = 8
	soakCallers = 24
)

// TestSoak loads a service with calls of every kind, well-meant and not, and looks for what
// they leave behind.
//
// In the storm: no more handlers run at once than the cap allows; a call that is answered
// 503 never ran; an answer is whole, and its caller's own. After it: goroutines, files and
// memory are back where they were.
func TestSoak(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": fmt.Sprint(soakCap), "KINDGI_LOG_LEVEL": "error"}})
	svc.storm(t, "warm-up", 200*time.Millisecond).verify(t, svc)
	before := svc.settled(t)
	svc.storm(t, "storm", *soak).verify(t, svc)
	after := svc.settled(t)
	if after.MaxRunning > soakCap {
		t.Errorf("%d handlers ran at once, the cap is %d", after.MaxRunning, soakCap)
	}
	if after.Goroutines > before.Goroutines+5 || after.Files > before.Files+5 || after.HeapBytes > before.HeapBytes+16<<20 {
		t.Errorf("before the storm %+v\nafter it         %+v", before, after)
	}
	svc.signal(t, syscall.SIGTERM)
	svc.stopped(t)
}

// TestSoakDrain ends a service in the middle of the storm: what ran is answered, and the
// process exits well.
func TestSoakDrain(t *testing.T) {
	t.Parallel()
	for round := range 3 {
		svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": fmt.Sprint(soakCap), "KINDGI_LOG_LEVEL": "error"}})
		over := make(chan *tally)
		// The storm ends with the service; on a busy machine it takes a while to be one.
		go func() { over <- svc.storm(t, fmt.Sprintf("drain-%d", round), max(*soak, 2*time.Minute)) }()
		svc.stdoutSome(t, 50+100*round)
		svc.signal(t, syscall.SIGTERM)
		if code := svc.wait(t); code != 0 {
			t.Errorf("exit code %d, want 0", code)
		}
		(<-over).verify(t, svc)
	}
}

// stdoutSome waits until n tracked handlers ran.
func (s *service) stdoutSome(t testing.TB, n int) {
	t.Helper()
	if _, ok := s.stdout.wait(t, "tracked handlers", func(line string) bool {
		if strings.HasPrefix(line, "track: ") {
			n--
		}
		return n == 0
	}); !ok {
		t.Fatal("the process ended")
	}
}

type vitals struct {
	Running    int64  `json:"running"`
	MaxRunning int64  `json:"maxRunning"`
	Goroutines int    `json:"goroutines"`
	HeapBytes  uint64 `json:"heapBytes"`
	Files      int    `json:"files"`
}

// settled waits until no tracked handler runs and the numbers stand still.
func (s *service) settled(t testing.TB) vitals {
	t.Helper()
	s.client.CloseIdleConnections()
	var v, last vitals
	same := 0
	s.eventually(t, "calm after the storm", func() bool {
		a := s.call(t, "edges.vitals", `{}`)
		if a.status != http.StatusOK {
			return false // the slots of late handlers
		}
		last = v
		if err := json.Unmarshal([]byte(a.output(t)), &v); err != nil {
			t.Fatal(err)
		}
		if v.Running == 0 && v.Goroutines == last.Goroutines && v.Files == last.Files {
			same++
		} else {
			same = 0
		}
		return same == 20
	})
	return v
}

// tally is what came of a storm's calls.
type tally struct {
	mu       sync.Mutex
	problems []string
	refused  []string // answered 503
	lost     []string // not answered though their callers waited
	answered map[string]bool
	counts   map[string]int
}

func (y *tally) count(what string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.counts[what]++
}

func (y *tally) problem(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if len(y.problems) < 20 {
		y.problems = append(y.problems, fmt.Sprintf(format, args...))
	}
}

// verify compares what callers were told with what ran.
func (y *tally) verify(t testing.TB, svc *service) {
	t.Helper()
	ran := map[string]int{}
	for _, line := range svc.stdout.all() {
		if id, ok := strings.CutPrefix(line, "track: "); ok {
			ran[id]++
		}
	}
	for id, n := range ran {
		if n > 1 {
			y.problem("call %s ran %d times", id, n)
		}
	}
	for _, id := range y.refused {
		if ran[id] > 0 {
			y.problem("call %s was answered 503, and ran", id)
		}
	}
	for _, id := range y.lost {
		if ran[id] > 0 {
			y.problem("call %s ran, and was not answered", id)
		}
	}
	for id := range y.answered {
		if ran[id] != 1 {
			y.problem("call %s has a result, and ran %d times", id, ran[id])
		}
	}
	for _, p := range y.problems {
		t.Error(p)
	}
	t.Logf("%v; %d ran", y.counts, len(ran))
}

// storm calls the service from many callers at once for a time, or until it has gone.
func (s *service) storm(t testing.TB, name string, length time.Duration) *tally {
	y := &tally{answered: map[string]bool{}, counts: map[string]int{}}
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	seed := rand.Uint64()
	t.Logf("seed of %s: %d", name, seed)
	var callers sync.WaitGroup
	for i := range soakCallers {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for n := 0; ctx.Err() == nil; n++ {
				if !s.stormCall(y, random, fmt.Sprintf("%s-%d-%d", name, i, n)) {
					return
				}
			}
		})
	}
	callers.Wait()
	return y
}

// stormCall makes one call of a random kind; false when the service has gone.
func (s *service) stormCall(y *tally, random *rand.Rand, id string) bool {
	payload := strings.Repeat("x", random.IntN(2000))
	if random.IntN(50) == 0 {
		payload = strings.Repeat("y", 1<<20)
	}
	input := map[string]any{"id": id, "payload": payload, "ms": random.IntN(20), "late": random.IntN(4) == 0, "panic": random.IntN(10) == 0}
	if random.IntN(20) == 0 {
		input["mib"] = 1 + random.IntN(8)
	}
	headers := []string{}
	timed := random.IntN(3) == 0
	if timed {
		headers = []string{"kindgi-timeout-ms", fmt.Sprint(1 + random.IntN(50))}
	}
	kind := random.IntN(10)
	switch kind {
	case 0: // no input of this tool's
		delete(input, "id")
		input["more"] = id
	case 1: // the caller vanishes
		message := rawInvoke(toolCall("edges.track", encode(input)))
		return s.vanish(y, random, message)
	case 2: // no message at all
		return s.nonsense(y, random)
	}
	a, err := s.try(context.Background(), "POST", "/v1/invoke", strings.NewReader(toolCall("edges.track", encode(input))), withToken(headers)...)
	if err != nil {
		y.count("not answered")
		y.mu.Lock()
		y.lost = append(y.lost, id)
		y.mu.Unlock()
		select {
		case <-s.exited:
			return false
		default:
			return s.alive()
		}
	}
	var m struct {
		Kind, Code, Error string
		Output            struct{ ID, Payload string }
	}
	if err := json.Unmarshal(a.body, &m); err != nil || a.header.Get("Content-Length") != fmt.Sprint(len(a.body)) {
		y.problem("call %s: not a whole answer: %v", id, a)
		return true
	}
	switch {
	case a.status == http.StatusServiceUnavailable && (m.Error == "overloaded" || m.Error == "draining"):
		y.count(m.Error)
		y.mu.Lock()
		y.refused = append(y.refused, id)
		y.mu.Unlock()
	case a.status != http.StatusOK:
		y.problem("call %s: %v", id, a)
	case m.Kind == "result":
		y.count("result")
		if m.Output.ID != id || m.Output.Payload != payload || kind == 0 || input["panic"] == true {
			y.problem("call %s has another's answer, or one it should not have: %v", id, a)
		}
		y.mu.Lock()
		y.answered[id] = true
		y.mu.Unlock()
	default:
		y.count(m.Code)
		switch {
		case m.Code == "input-validation-failed" && kind == 0, m.Code == "handler-throw" && input["panic"] == true,
			m.Code == "deadline-exceeded" && timed, m.Code == "cancelled":
		default:
			y.problem("call %s: %v", id, a)
		}
	}
	return true
}

// alive reports whether the service takes connections.
func (s *service) alive() bool {
	conn, err := net.DialTimeout("tcp", s.address, patience)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// vanish sends some of a call, or all of it, reads some of the answer, or none, and goes.
func (s *service) vanish(y *tally, random *rand.Rand, message string) bool {
	y.count("vanished")
	conn, err := net.DialTimeout("tcp", s.address, patience)
	if err != nil {
		return false
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, message[:1+random.IntN(len(message))]); err == nil && random.IntN(2) == 0 {
		_ = conn.SetReadDeadline(time.Now().Add(time.Duration(random.IntN(10)) * time.Millisecond))
		_, _ = io.CopyN(io.Discard, conn, int64(random.IntN(300)))
	}
	_ = conn.Close()
	return true
}

// nonsense sends what is no call.
func (s *service) nonsense(y *tally, random *rand.Rand) bool {
	bodies := []string{"", "{", "[]", `{"v":1}`, strings.Repeat("[", 20_000), toolCall("edges.nope", "{}"), toolCall("edges.track", "1e999")}
	a, err := s.try(context.Background(), "POST", "/v1/invoke", strings.NewReader(bodies[random.IntN(len(bodies))]), withToken(nil)...)
	if err != nil {
		return s.alive()
	}
	y.count("nonsense")
	if a.status != http.StatusOK && a.status != http.StatusServiceUnavailable || !json.Valid(a.body) {
		y.problem("nonsense: %v", a)
	}
	return true
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a map of plain values
	}
	return string(b)
}
