// Embedded serves a pack inside an application's own HTTP server: the application keeps
// its mux, its middleware and its way to stop, and the pack is one handler in it.
//
//	PACK_TOKEN=secret go run ./examples/embedded
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:8080")
	if err == nil {
		err = run(ctx, listener, os.Getenv("PACK_TOKEN"))
	}
	if err != nil {
		slog.Error("the application failed", "err", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, then lets what is in flight finish.
func run(ctx context.Context, listener net.Listener, token string) error {
	var calls atomic.Int64
	service, err := newPack().Service(pack.Options{
		Token:      token,
		Middleware: logRequests,
		OnCall:     func(pack.CallReport) { calls.Add(1) },
	})
	if err != nil {
		return err
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "the application; its pack has answered %d calls\n", calls.Load())
	})
	// A runtime's base URL is then http://…/pack.
	mux.Handle("/pack/", http.StripPrefix("/pack", service))

	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
		// No WriteTimeout: a tool's answer may take as long as its deadline allows.
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	// The pack first: it answers new calls with 503 while those in flight finish. Then the
	// server, whose connections are idle by now; then the last records.
	return errors.Join(service.Drain(limit), server.Shutdown(limit), service.Flush(limit))
}

// logRequests is a middleware as any application has.
func logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		slog.Debug("request", "method", r.Method, "path", r.URL.Path)
	})
}
