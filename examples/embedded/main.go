// Embedded serves a pack inside an application's own HTTP server: the application keeps
// its mux, its middleware, its metrics and its way to stop, and the pack is one handler in it.
//
// What pack.Serve does for its process is the application's here: no setting of a pack
// service is read but those of the log, no variable leaves the environment, and no signal is
// handled. See docs/embedding.md.
//
//	PACK_TOKEN=secret go run ./examples/embedded
package main

import (
	"context"
	"errors"
	"expvar"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	token := os.Getenv("PACK_TOKEN")
	err := os.Unsetenv("PACK_TOKEN") // handlers, and what they start, need not see it
	var listener net.Listener
	if err == nil {
		listener, err = net.Listen("tcp", "127.0.0.1:8080")
	}
	if err == nil {
		err = run(ctx, listener, token)
	}
	if err != nil {
		slog.Error("the application failed", "err", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, then lets what is in flight finish.
func run(ctx context.Context, listener net.Listener, token string) error {
	calls := new(expvar.Map) // by tool and outcome
	b := newPack()
	service, err := b.Service(pack.Options{
		Token:      token,
		Middleware: logRequests,
		OnCall:     func(r pack.CallReport) { calls.Add(label(r), 1) },
	})
	if err != nil {
		return err
	}
	// What Builder.OnStart is to open, before the first call. It lives on after the signal, until the
	// calls have drained.
	closeAll, err := b.Start(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "the application; its pack has answered the calls %s\n", calls)
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
	case err = <-failed:
	case <-ctx.Done():
	}
	return errors.Join(err, shutDown(service, server, closeAll))
}

// shutDown ends the pack and its server in order. Each step has a time of its own: a drain that takes all
// of its own leaves the others theirs.
func shutDown(service *pack.Service, server *http.Server, closeAll pack.StopFunc) error {
	within := func(limit time.Duration, step func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return step(ctx)
	}
	return errors.Join(
		within(8*time.Second, service.Drain), // new calls get 503, those in flight may finish
		within(time.Second, server.Shutdown), // its connections are idle by now
		within(time.Second, closeAll),        // what Builder.Start opened
		within(time.Second, service.Flush),   // the last records
	)
}

// label names a call's counter. The id of a tool that the pack does not have is any text that
// a caller sends: it must not become a counter of its own, or there is no end to them.
func label(r pack.CallReport) string {
	id := r.ID
	switch r.Outcome {
	case string(protocol.ToolNotInPack), string(protocol.CheckNotInPack):
		id = "unknown"
	}
	return strings.TrimSpace(id + " " + r.Outcome)
}

// logRequests is a middleware as any application has.
func logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		slog.Debug("request", "method", r.Method, "path", r.URL.Path)
	})
}
