package contract_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

const (
	idleConnections = 10_000
	// idleBytes is what one of them may take of the process's memory: its goroutine, two buffers
	// of 4 KiB, and what the allocator rounds up.
	idleBytes = 32 << 10
)

// Ten thousand connections, each of which has been answered and says nothing more, do not keep a
// call from being served, nor the process from ending, and take little memory each.
func TestManyIdleConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 connections")
	}
	allowFiles(t, idleConnections+1000)
	svc := start(t, setup{})
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	before := svc.memory(t)

	// A source address of their own leaves the other tests their ports.
	dialer := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}}
	const request = "GET /healthz HTTP/1.1\r\nHost: pack\r\n\r\n"
	conns := make([]net.Conn, idleConnections)
	defer func() {
		for _, conn := range conns {
			if conn != nil {
				_ = conn.Close()
			}
		}
	}()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			var answer [512]byte
			for i := next.Add(1) - 1; i < idleConnections; i = next.Add(1) - 1 {
				conn, err := dialer.Dial("tcp", svc.address)
				if err != nil {
					t.Error(err)
					return
				}
				conns[i] = conn
				if _, err := io.WriteString(conn, request); err != nil {
					t.Error(err)
					return
				}
				if n, err := conn.Read(answer[:]); err != nil || !strings.HasPrefix(string(answer[:n]), "HTTP/1.1 200 OK") {
					t.Errorf("connection %d got %q, %v", i, answer[:n], err)
					return
				}
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	each := (svc.memory(t) - before) / idleConnections
	t.Logf("%d bytes for each idle connection", each)
	if each > idleBytes && !raceEnabled {
		t.Errorf("an idle connection takes %d bytes, want %d at most", each, idleBytes)
	}
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	w := newWire(t, conns[idleConnections/2])
	w.send(t, request) // they are alive
	w.receive(t, "GET").is(t, http.StatusOK, `{"status":"ok"}`)
	svc.signal(t, syscall.SIGTERM)
	svc.stopped(t)
}

// allowFiles lets this process, and those it starts, open so many files at once.
func allowFiles(t *testing.T, n uint64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Cur >= n {
		return // the service raises its own to the hard limit, as every Go program does
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: max(n, limit.Max)}); err != nil {
		t.Skipf("SKIPPED: %d open files are needed, the hard limit is %d: %v", n, limit.Max, err)
	}
}

// memory is what the process holds of the machine's memory, in bytes.
func (s *service) memory(t testing.TB) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kib int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	t.Fatalf("no VmRSS in %s", status)
	return 0
}
