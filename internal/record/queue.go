package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	// queueLimit bounds the bytes that wait to be written, about 3000 records.
	queueLimit = 1 << 20

	// queueWait is how long a record waits for room in a full queue before it is dropped. Once one was,
	// later ones are dropped without a wait until there is room again.
	queueWait = 100 * time.Millisecond

	// writeSize is how much goes into one write, unless a record is longer. A pipe keeps a write of
	// this size (PIPE_BUF on Linux) in one piece, so that what else is printed on the same
	// pipe never lands inside a record.
	writeSize = 4096

	// gatherTime is how long lines wait for others: a busy service writes many at once instead of each.
	gatherTime = time.Millisecond

	// keptBuffer is the largest buffer that is kept while there is nothing to write: one burst must not
	// hold memory for ever.
	keptBuffer = 64 << 10
)

// queue hands lines to a writer in order, off the caller's path. A goroutine writes while there is
// something to write, and ends then.
type queue struct {
	w       io.Writer
	limit   int
	wait    time.Duration
	notice  func(dst []byte, dropped uint64) []byte // a record that says how many are missing
	writeFn func()                                  // q.write, bound once

	mu      sync.Mutex
	pending []byte        // lines waiting
	spare   []byte        // a buffer to take turns with pending
	writing bool          // whether the goroutine runs
	stalled bool          // whether a record was dropped since there last was room
	dropped uint64        // records dropped since pending began to grow: they belong after it
	lost    uint64        // records dropped, or not taken by the writer, before what pending holds
	torn    bool          // whether the last write ended inside a line
	added   uint64        // lines ever queued
	done    uint64        // lines of those that are written, or lost with an error
	err     error         // of the last write, nil when it went well
	moved   chan struct{} // closed at the next progress, nil when nobody waits for it
}

func newQueue(w io.Writer, notice func([]byte, uint64) []byte) *queue {
	q := &queue{w: w, limit: queueLimit, wait: queueWait, notice: notice}
	q.writeFn = q.write
	return q
}

// add queues one line. A line that must be written is taken even when the queue is full.
func (q *queue) add(line []byte, must bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !must && q.full(len(line)) && !q.awaitRoom(len(line)) {
		q.dropped++
		return
	}
	q.pending = append(q.pending, line...)
	q.added++
	if !q.writing {
		q.writing = true
		go q.writeFn()
	}
}

func (q *queue) full(size int) bool {
	return len(q.pending) > 0 && len(q.pending)+size > q.limit
}

// awaitRoom waits, for a bounded time, for room in the queue. The caller holds the lock, which is
// released meanwhile.
func (q *queue) awaitRoom(size int) bool {
	if q.stalled {
		return false
	}
	timer := time.NewTimer(q.wait)
	defer timer.Stop()
	for q.full(size) {
		moved := q.progress()
		q.mu.Unlock()
		late := false
		select {
		case <-moved:
		case <-timer.C:
			late = true
		}
		q.mu.Lock()
		if late && q.full(size) {
			q.stalled = true
			return false
		}
	}
	return true
}

// progress gives a channel that is closed at the next progress. The caller holds the lock.
func (q *queue) progress() <-chan struct{} {
	if q.moved == nil {
		q.moved = make(chan struct{})
	}
	return q.moved
}

// advance wakes whoever waits for progress. The caller holds the lock.
func (q *queue) advance() {
	if q.moved != nil {
		close(q.moved)
		q.moved = nil
	}
}

// write is the goroutine. It waits for a moment before each batch, for lines that can be written
// with it.
func (q *queue) write() {
	q.mu.Lock()
	defer q.mu.Unlock()
	// With nothing waiting, it is still to be told that records were dropped, unless that just failed.
	for len(q.pending) > 0 || q.lost > 0 && q.err == nil {
		q.mu.Unlock()
		time.Sleep(gatherTime)
		q.mu.Lock()
		batch, upTo, lost, after, torn := q.pending, q.added, q.lost, q.dropped, q.torn
		q.pending, q.spare, q.dropped = q.spare[:0], nil, 0
		q.stalled = false
		q.advance()
		q.mu.Unlock()

		var err error
		if lost > 0 {
			_, torn, err = writeLines(q.w, q.notice(nil, lost), torn)
		}
		if err != nil {
			lost += countLines(batch)
		} else {
			lost, torn, err = writeLines(q.w, batch, torn)
		}

		q.mu.Lock()
		q.lost = lost + after
		q.done, q.torn, q.err = upTo, torn, err
		q.spare = batch[:0]
		q.advance()
	}
	if cap(q.pending) > keptBuffer {
		q.pending = nil
	}
	if cap(q.spare) > keptBuffer {
		q.spare = nil
	}
	q.writing = false
	q.advance()
}

// flush waits until every line queued before it is written, and it is told how many are missing.
func (q *queue) flush(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for target := q.added; q.done < target || q.writing && q.lost > 0; {
		moved, left := q.progress(), target-min(target, q.done)
		q.mu.Unlock()
		var err error
		select {
		case <-moved:
		case <-ctx.Done():
			err = fmt.Errorf("%d log records are not written yet: %w", left, context.Cause(ctx))
		}
		q.mu.Lock()
		if err != nil {
			return err
		}
	}
	if q.err != nil {
		return fmt.Errorf("write log records: %w", q.err)
	}
	return nil
}

func countLines(lines []byte) uint64 { return uint64(bytes.Count(lines, []byte("\n"))) }

// writeLines writes lines, whole ones at a time. torn tells, before and after, whether the last
// write ended inside a line; a new one is then begun, so that a fragment spoils one record only. An
// error ends it: what is left is lost, and counted.
func writeLines(w io.Writer, lines []byte, torn bool) (lost uint64, tornAfter bool, err error) {
	if len(lines) == 0 {
		return 0, torn, nil
	}
	if torn {
		if _, err := safeWrite(w, []byte("\n")); err != nil {
			return countLines(lines), true, err
		}
	}
	for len(lines) > 0 {
		size := wholeLines(lines)
		n, err := safeWrite(w, lines[:size])
		if err == nil && n < size {
			err = io.ErrShortWrite
		}
		if err != nil {
			n = max(0, min(n, size))
			return countLines(lines[n:]), n > 0 && lines[n-1] != '\n', err
		}
		lines = lines[size:]
	}
	return 0, false, nil
}

// safeWrite makes a writer's panic an error: it would end the process otherwise.
func safeWrite(w io.Writer, p []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, fmt.Errorf("%T.Write panicked: %v", w, r)
		}
	}()
	return w.Write(p)
}

// wholeLines gives the size of the lines to write next: as many as fit into writeSize, at least one.
func wholeLines(lines []byte) int {
	if len(lines) <= writeSize {
		return len(lines)
	}
	if i := bytes.LastIndexByte(lines[:writeSize], '\n'); i >= 0 {
		return i + 1
	}
	if i := bytes.IndexByte(lines, '\n'); i >= 0 {
		return i + 1
	}
	return len(lines)
}

// droppedNotice is the queue's own record.
func (h *Handler) droppedNotice(dst []byte, dropped uint64) []byte {
	e := getEncoder()
	defer putEncoder(e)
	e.begin(h.now(), slog.LevelWarn, "pack", fmt.Sprintf("%d log records were dropped: their stream stood still or failed", dropped))
	e.event("records-dropped")
	e.key("dropped")
	e.buf = appendUint(e.buf, dropped)
	return append(dst, h.finish(e, nil)...)
}
