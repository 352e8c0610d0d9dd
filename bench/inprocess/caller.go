// Package inprocess measures a program's handler without a network. Each program's own package has the
// benchmarks, so that nothing of the others is linked: what they keep in memory would be marked in each
// collection of garbage, most often for whoever is quickest.
package inprocess

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"time"

	"github.com/kindgi/kindgi-go/bench/peer"
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

func newCaller(ctx context.Context, h http.Handler, p peer.Program, content []byte) *caller {
	c := &caller{handler: h, bytes: content}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/invoke", nil)
	r.Host = "localhost"
	r.Header = p.Header()
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
