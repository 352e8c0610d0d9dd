package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/bench/order"
)

// A caller calls a handler again and again with one request, without a network and without garbage of its
// own: what is measured is the handler's.
type caller struct {
	handler http.Handler
	request *http.Request
	body    body
	bytes   []byte
	writer  writer
}

func newCaller(ctx context.Context, h http.Handler, p program, content []byte) *caller {
	c := &caller{handler: h, bytes: content}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/invoke", nil)
	r.Host = "localhost"
	r.Header = header(p)
	c.request, c.writer.header = r, http.Header{}
	return c
}

// call makes one call. A server gives each request a context of its own, which ends with it; so do we.
func (c *caller) call() {
	ctx, cancel := context.WithCancel(context.Background())
	r := c.request.WithContext(ctx)
	c.body.content.Reset(c.bytes)
	r.Body, r.ContentLength = &c.body, int64(len(c.bytes))
	clear(c.writer.header)
	c.writer.status, c.writer.answer = 0, c.writer.answer[:0]
	c.handler.ServeHTTP(&c.writer, r)
	cancel()
	runtime.Gosched() // as a server that waits for the next request, let others run
}

// body is what a server hands over: it can be read and closed, and no more.
type body struct{ content bytes.Reader }

func (b *body) Read(p []byte) (int, error) { return b.content.Read(p) }
func (b *body) Close() error               { return nil }

// writer is what a handler writes its answer to.
type writer struct {
	header http.Header
	status int
	answer []byte
}

func (w *writer) Header() http.Header    { return w.header }
func (w *writer) WriteHeader(status int) { w.status = status }
func (w *writer) Write(p []byte) (int, error) {
	w.answer = append(w.answer, p...)
	return len(p), nil
}
func (w *writer) WriteString(s string) (int, error) {
	w.answer = append(w.answer, s...)
	return len(s), nil
}
func (w *writer) Flush()                           {}
func (w *writer) SetReadDeadline(time.Time) error  { return nil }
func (w *writer) SetWriteDeadline(time.Time) error { return nil }
func (w *writer) EnableFullDuplex() error          { return nil }

func handlers() []program {
	var all []program
	for _, p := range programs {
		if p.command() == p.name { // each once
			all = append(all, p)
		}
	}
	return all
}

func start(tb testing.TB, p program, tools int) http.Handler {
	tb.Helper()
	h, err := p.new(tools)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func TestEveryProgramAnswersTheCall(t *testing.T) {
	for _, p := range handlers() {
		t.Run(p.name, func(t *testing.T) {
			h := start(t, p, 10)
			for _, s := range order.Sizes {
				c := newCaller(t.Context(), h, p, p.body(s))
				c.call()
				if c.writer.status > http.StatusOK {
					t.Fatalf("%s: status %d: %.300s", s.Name, c.writer.status, c.writer.answer)
				}
				if err := right(c.writer.answer, s); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestEveryProgramThatChecksRefusesTheInvalidCall(t *testing.T) {
	for _, p := range handlers() {
		if p.blind {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			c := newCaller(t.Context(), start(t, p, 10), p, p.invalidBody())
			c.call()
			if bytes.Contains(c.writer.answer, []byte(`"pieces":`)) {
				t.Errorf("answered: %s", c.writer.answer)
			}
			t.Logf("%d %s", c.writer.status, c.writer.answer)
		})
	}
}

func BenchmarkCall(b *testing.B) {
	for _, s := range order.Sizes {
		b.Run(s.Name, func(b *testing.B) {
			for _, p := range handlers() {
				b.Run(p.name, func(b *testing.B) {
					c := newCaller(b.Context(), start(b, p, 10), p, p.body(s))
					b.SetBytes(int64(len(c.bytes)))
					benchmark(b, c)
				})
			}
		})
	}
}

// benchmark reports processor time too, which other programs on the machine disturb less.
func benchmark(b *testing.B, c *caller) {
	c.call()
	b.ReportAllocs()
	from := processTime()
	for b.Loop() {
		c.call()
	}
	b.ReportMetric(float64(processTime()-from)/float64(b.N), "cpu-ns/op")
}

// BenchmarkInvalid is a call of 1 KB with five mistakes; the answer lists them.
func BenchmarkInvalid(b *testing.B) {
	for _, p := range handlers() {
		if !p.blind {
			b.Run(p.name, func(b *testing.B) {
				benchmark(b, newCaller(b.Context(), start(b, p, 10), p, p.invalidBody()))
			})
		}
	}
}

// BenchmarkTools is the usual call to a program with few tools and with many.
func BenchmarkTools(b *testing.B) {
	for _, p := range handlers() {
		if p.blind {
			continue
		}
		for _, n := range []int{10, 1000} {
			b.Run(fmt.Sprintf("%s/%d", p.name, n), func(b *testing.B) {
				benchmark(b, newCaller(b.Context(), start(b, p, n), p, p.body(order.Sizes[1])))
			})
		}
	}
}

// BenchmarkCores calls from as many goroutines as GOMAXPROCS says; run it with -cpu 1,2,4.
func BenchmarkCores(b *testing.B) {
	for _, p := range handlers() {
		b.Run(p.name, func(b *testing.B) {
			h := start(b, p, 10)
			b.RunParallel(func(pb *testing.PB) {
				c := newCaller(context.Background(), h, p, p.body(order.Sizes[1]))
				for pb.Next() {
					c.call()
				}
			})
		})
	}
}
