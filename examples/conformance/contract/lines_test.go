package contract_test

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds every wait, so that a service that does not do what is waited for fails
// the test instead of hanging it. No test asserts that anything is as quick as this.
const patience = 2 * time.Minute

// lines collects the lines of a stream as they come.
type lines struct {
	mu      sync.Mutex
	list    []string
	closed  bool
	changed chan struct{} // closed, and replaced, at every change
	ended   chan struct{} // closed at the end of the stream
}

func collect(r io.Reader) *lines {
	l := &lines{changed: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		buffered := bufio.NewReader(r)
		for {
			line, err := buffered.ReadString('\n')
			l.mu.Lock()
			if line != "" {
				l.list = append(l.list, strings.TrimSuffix(line, "\n"))
			}
			l.closed = err != nil
			close(l.changed)
			l.changed = make(chan struct{})
			l.mu.Unlock()
			if err != nil {
				close(l.ended)
				return
			}
		}
	}()
	return l
}

// all gives the lines so far.
func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list[:len(l.list):len(l.list)]
}

// wait gives the first line that matches, waiting for it; false when the stream ended
// without one.
func (l *lines) wait(t testing.TB, what string, match func(string) bool) (string, bool) {
	t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for seen := 0; ; {
		l.mu.Lock()
		list, closed, changed := l.list, l.closed, l.changed
		l.mu.Unlock()
		for ; seen < len(list); seen++ {
			if match(list[seen]) {
				return list[seen], true
			}
		}
		if closed {
			return "", false
		}
		select {
		case <-changed:
		case <-timeout.C:
			t.Fatalf("no %s within %v", what, patience)
		}
	}
}
