package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

// A seat is where a program runs: on one processor, which it takes from all others when it is urgent.
type seat struct {
	cpu    int
	urgent bool
}

// take keeps the calling thread, and every process it starts, in the seat until leave is called.
func (s seat) take() (leave func(), err error) {
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("reading the processors of this thread: %w", err)
	}
	one.Set(s.cpu)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return nil, fmt.Errorf("staying on processor %d: %w", s.cpu, err)
	}
	elsewhere := func() { _ = unix.SchedSetaffinity(0, &before) }
	if !s.urgent {
		return elsewhere, nil
	}
	const roundRobin, priority = 2, 10
	if err := unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: roundRobin, Priority: priority}, 0); err != nil {
		elsewhere()
		return nil, fmt.Errorf("-urgent: %w", err)
	}
	return func() {
		_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0)
		elsewhere()
	}, nil
}

// start starts a command in the seat. It sees no other processor: its GOMAXPROCS is 1. It does not outlive
// this process, however that ends.
func (s seat) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	leave, err := s.take()
	if err != nil {
		return err
	}
	defer leave()
	return cmd.Start()
}

func clock(id int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// A server is one program, running.
type server struct {
	cmd     *exec.Cmd
	addr    netip.AddrPort
	started time.Duration // until its first answer
	stderr  *os.File
}

// startServer starts a program and makes the first call: it is up when that is answered.
func startServer(ctx context.Context, c config, p program, tools int) (_ *server, err error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &server{addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)}
	s.stderr, err = os.Create(filepath.Join(c.dir, "stderr."+p.command()))
	if err != nil {
		return nil, err
	}
	s.cmd = exec.CommandContext(ctx, filepath.Join(c.dir, p.command()), "--host", "127.0.0.1")
	s.cmd.Stderr = s.stderr
	s.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"PORT=" + strconv.Itoa(int(port)),
		peer.ToolsVar + "=" + strconv.Itoa(tools),
		"KINDGI_PACK_SERVICE_TOKEN=" + peer.Token,
		"KINDGI_LOG_FORMAT=json",
	}
	call := message(p, p.Body(order.Sizes[1]))
	begin := time.Now()
	if err := c.server.start(s.cmd); err != nil {
		return nil, errors.Join(err, s.stderr.Close())
	}
	defer func() {
		if err != nil {
			s.stop()
			text, _ := os.ReadFile(s.stderr.Name())
			err = fmt.Errorf("%s: %w; it wrote %.2000q", p.name, err, text)
		}
	}()
	first, err := s.first(call, begin.Add(30*time.Second))
	if err != nil {
		return nil, err
	}
	s.started = time.Since(begin)
	return s, peer.Right(first, order.Sizes[1])
}

// first makes the first call, as soon as there is someone to take it.
func (s *server) first(call []byte, limit time.Time) ([]byte, error) {
	for {
		conn, err := net.DialTimeout("tcp", s.addr.String(), time.Second)
		if err != nil {
			if time.Now().After(limit) {
				return nil, err
			}
			time.Sleep(100 * time.Microsecond)
			continue
		}
		defer conn.Close()
		if err := conn.SetDeadline(limit); err != nil {
			return nil, err
		}
		if _, err := conn.Write(call); err != nil {
			return nil, err
		}
		var got []byte
		buffer := make([]byte, 64<<10)
		for {
			n, err := conn.Read(buffer)
			got = append(got, buffer[:n]...)
			if content, whole, err := answer(got); err != nil || whole {
				return content, err
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

// stop ends the program and what it holds.
func (s *server) stop() {
	_ = s.cmd.Process.Kill() // it may have ended by itself
	_ = s.cmd.Wait()         // "signal: killed"
	_ = s.stderr.Close()
}

// cpuTime is the processor time the program has used.
func (s *server) cpuTime() time.Duration {
	const schedule = 2 // CPUCLOCK_SCHED: of a process, by its id
	return clock(int32(^s.cmd.Process.Pid<<3 | schedule))
}

// peak is the most memory the program has had at once, in bytes.
func (s *server) peak() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		var kib float64
		if n, _ := fmt.Sscanf(string(line), "VmHWM: %f kB", &kib); n == 1 {
			return kib * 1024, nil
		}
	}
	return 0, errors.New("no VmHWM in /proc/PID/status")
}

func freePort() (uint16, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return uint16(l.Addr().(*net.TCPAddr).Port), nil
}
