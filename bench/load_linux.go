package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A load calls a server from several connections at once, each of which sends its next call when the answer to
// the last has come. One thread does it all: the client must be much cheaper than any server, or its
// own limits would be measured.
type load struct {
	addr        netip.AddrPort
	message     []byte
	connections int
	warm        time.Duration // calls at the start that do not count
	duration    time.Duration // at least
	calls       int           // at least
	limit       time.Duration // then it fails
}

// A sample is what a load measured.
type sample struct {
	calls      int
	elapsed    time.Duration
	latencies  []time.Duration // sorted
	clientBusy float64         // the part of the time in which the client worked; near 1 it was the limit
	answer     []byte          // the last one's body
}

func (s sample) perSecond() float64 { return float64(s.calls) / s.elapsed.Seconds() }

func (s sample) percentile(p float64) time.Duration {
	return s.latencies[min(int(p*float64(len(s.latencies))), len(s.latencies)-1)]
}

// run makes the calls. counting is called when those that count begin, and done when they end.
func (l load) run(at seat, counting, done func()) (sample, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	leave, err := at.take()
	if err != nil {
		return sample{}, err
	}
	defer leave()
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return sample{}, err
	}
	defer unix.Close(epoll)
	c := client{load: l, epoll: epoll, buffer: make([]byte, 64<<10)}
	c.sample.latencies = make([]time.Duration, 0, 1<<16)
	defer c.close()
	for range l.connections {
		if err := c.connect(); err != nil {
			return sample{}, err
		}
	}
	if err := c.run(counting, done); err != nil {
		return sample{}, err
	}
	slices.Sort(c.sample.latencies)
	return c.sample, nil
}

type client struct {
	load
	epoll       int
	connections []connection
	buffer      []byte
	counting    bool
	sample      sample
}

type connection struct {
	fd     int
	unsent []byte
	began  time.Time
	answer []byte // what has come of it
}

func (c *client) connect() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	c.connections = append(c.connections, connection{fd: fd})
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: int(c.addr.Port()), Addr: c.addr.Addr().As4()}); err != nil {
		return fmt.Errorf("connecting to %v: %w", c.addr, err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return err
	}
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return err
	}
	return unix.EpollCtl(c.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{
		Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLET,
		Fd:     int32(len(c.connections) - 1), // its index: all that is ours in an event
	})
}

func (c *client) close() {
	for i := range c.connections {
		_ = unix.Close(c.connections[i].fd)
	}
}

func (c *client) run(counting, done func()) error {
	begin := time.Now()
	for i := range c.connections {
		if err := c.send(&c.connections[i], begin); err != nil {
			return err
		}
	}
	var from time.Time
	var busyFrom time.Duration
	events := make([]unix.EpollEvent, len(c.connections))
	for {
		n, err := unix.EpollWait(c.epoll, events, int(c.limit.Milliseconds()))
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		now := time.Now()
		if now.Sub(begin) > c.limit {
			return fmt.Errorf("%d calls in %v and no end", c.sample.calls, now.Sub(begin))
		}
		if !c.counting && now.Sub(begin) >= c.warm {
			counting()
			c.counting, from = true, time.Now()
			busyFrom = threadTime()
		}
		for i := range max(n, 0) {
			if err := c.event(&c.connections[events[i].Fd], now); err != nil {
				return err
			}
		}
		if !c.counting {
			continue
		}
		if elapsed := time.Since(from); elapsed >= c.duration && c.sample.calls >= max(c.calls, 1) {
			c.sample.elapsed = elapsed
			c.sample.clientBusy = float64(threadTime()-busyFrom) / float64(elapsed)
			done()
			return nil
		}
	}
}

func (c *client) event(conn *connection, now time.Time) error {
	if len(conn.unsent) > 0 {
		if err := c.flush(conn); err != nil {
			return err
		}
	}
	for {
		n, err := unix.Read(conn.fd, c.buffer)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return err
		case n == 0:
			return errors.New("the server closed the connection")
		}
		conn.answer = append(conn.answer, c.buffer[:n]...)
		content, whole, err := answer(conn.answer)
		if err != nil {
			return err
		}
		if whole {
			if c.counting {
				c.sample.calls++
				c.sample.latencies = append(c.sample.latencies, now.Sub(conn.began))
			}
			c.sample.answer = append(c.sample.answer[:0], content...)
			return c.send(conn, time.Now())
		}
		if n < len(c.buffer) {
			return nil // all there is; more makes another event
		}
	}
}

func (c *client) send(conn *connection, now time.Time) error {
	conn.began, conn.unsent, conn.answer = now, c.message, conn.answer[:0]
	return c.flush(conn)
}

func (c *client) flush(conn *connection) error {
	for len(conn.unsent) > 0 {
		n, err := unix.Write(conn.fd, conn.unsent)
		if errors.Is(err, unix.EAGAIN) {
			return nil
		}
		if err != nil {
			return err
		}
		conn.unsent = conn.unsent[n:]
	}
	return nil
}

var (
	lengthName = []byte("\r\nContent-Length: ")
	headerEnd  = []byte("\r\n\r\n")
	statusOK   = []byte("HTTP/1.1 200 ")
)

// answer takes an answer apart, when it is all there. What it does not know it refuses: the
// servers measured are all net/http.
func answer(b []byte) (content []byte, whole bool, err error) {
	end := bytes.Index(b, headerEnd)
	if end < 0 {
		return nil, false, nil
	}
	at := bytes.Index(b[:end+2], lengthName)
	if at < 0 {
		return nil, false, fmt.Errorf("an answer without a Content-Length: %.300q", b)
	}
	digits := b[at+len(lengthName):]
	digits = digits[:bytes.IndexByte(digits, '\r')]
	length, err := strconv.Atoi(string(digits))
	if err != nil {
		return nil, false, err
	}
	content = b[end+len(headerEnd):]
	if len(content) < length {
		return nil, false, nil
	}
	if !bytes.HasPrefix(b, statusOK) {
		return nil, false, fmt.Errorf("not answered: %.500q", b)
	}
	return content, true, nil
}

// threadTime is the processor time of this thread.
func threadTime() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }
