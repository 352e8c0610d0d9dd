package pack

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kindgi/kindgi-go/internal/environ"
	"github.com/kindgi/kindgi-go/internal/record"
)

const (
	// drainTime is what calls in flight get to finish after a signal (pack protocol,
	// process contract).
	drainTime = 8 * time.Second
	// lastAnswers bounds the wait for the answers of what was then cancelled.
	lastAnswers = time.Second
	// lastWork bounds the wait for handlers whose calls are answered already: one that was
	// cancelled may have something to close or to roll back.
	lastWork = 500 * time.Millisecond
	// headerTime bounds the wait for a request's header.
	headerTime = 10 * time.Second
	// idleTime is longer than load balancers keep an idle connection, commonly 600 s: the
	// side that sends is to close it, or its next request may meet a closed one.
	idleTime = 620 * time.Second
	// headerBytes bounds a request's header.
	headerBytes = 64 << 10
)

// runServe is the command serve: the process contract.
func runServe(ctx context.Context, b *Builder, args []string, p program) int {
	// From the first moment, so that a signal during the boot ends it in order.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	// Asked for, this signal is not deadly: otherwise a write to a standard output or error
	// that nobody reads any more ends the process (package os/signal, "SIGPIPE"). Programs
	// that handlers start get it as usual.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)

	var set settings
	flags := serveFlags(&set, b, p)
	if ok, code := parseFlags(flags, args, p); !ok {
		return code
	}
	if flags.NArg() > 0 {
		return wrongUsage(flags, p, "it takes no arguments, got %q", flags.Arg(0))
	}
	problems, warning := set.readEnv(p.getenv)
	log := serveLog(p.stderr, set.log)
	defer flush(log)
	set.options.Log = &LogOptions{made: log}
	if len(problems) > 0 {
		recordProblems(log, "config-invalid", problems)
		return exitFailed
	}
	if warning != nil {
		log.Event(slog.LevelWarn, "token-visible", "the token could not be removed from what /proc shows of this process: "+warning.Error(), nil)
	}
	recordMisspelt(log, set.misspelt)
	if set.index != "" {
		stopped, err := set.readIndex(signals)
		switch {
		case stopped:
			recordStopped(log)
			return exitOK
		case err != nil:
			recordProblems(log, "boot-failed", []string{err.Error()})
			return exitFailed
		}
	}
	service, err := boot(b, &set, log)
	if err != nil {
		recordProblems(log, "boot-failed", flatten(err))
		return exitFailed
	}
	stop, interrupted := noStop, false
	if !service.lacksEnv() { // what is to be opened is named by what is missing, and no call will need it
		stop, interrupted, err = b.startUnless(ctx, signals)
	}
	switch {
	case interrupted:
		recordStopped(log)
		return exitOK
	case err != nil:
		recordProblems(log, "boot-failed", flatten(err))
		return exitFailed
	}
	l, err := net.Listen("tcp", net.JoinHostPort(set.host, strconv.Itoa(set.port)))
	if err != nil {
		recordProblems(log, "boot-failed", []string{"Cannot listen: " + err.Error() + "; " + envPort + " sets another port, --host another address"})
		closeStarted(stop, nil, log)
		return exitFailed
	}
	return serve(ctx, service, l, signals, stop, log)
}

// recordStopped records the end of a process that a signal ends before it serves.
func recordStopped(log *record.Handler) {
	log.Event(slog.LevelInfo, "draining", "draining", nil)
	log.Event(slog.LevelInfo, "stopped", "stopped", nil)
}

// serveLog makes the service's handler. On the process's own standard error it is the one
// that LogHandler uses outside of calls, so that all records stand in one order.
func serveLog(stderr io.Writer, c record.Config) *record.Handler {
	if stderr == io.Writer(os.Stderr) {
		return processLog()
	}
	return record.New(stderr, c).Subsystem("pack")
}

// readIndex reads the index file. It may be anywhere, such as on a disk that does not
// answer or in a pipe into which nobody writes: a signal ends the wait.
func (s *settings) readIndex(signals <-chan os.Signal) (stopped bool, err error) {
	read := make(chan error, 1)
	var file []byte
	go func() {
		var err error
		file, err = readIndexFile(s.index)
		read <- err
	}()
	select {
	case err = <-read:
	case <-signals:
		return true, nil
	}
	s.options.Index = file
	return false, err
}

// boot makes the service: the index is bound, and the environment is cleared of what is
// not the pack's.
func boot(b *Builder, set *settings, log *record.Handler) (*Service, error) {
	if err := set.options.setDefaults(); err != nil {
		return nil, err
	}
	registered := b.snapshot()
	c, err := newCatalog(registered, set.options.Index, set.index)
	if err != nil {
		return nil, err
	}
	if set.filter {
		if dropped := environ.Filter(declaredEnv(registered, c)); len(dropped) > 0 {
			log.Event(slog.LevelInfo, "env-dropped", fmt.Sprintf("removed %d env names that the pack does not declare", len(dropped)), nil,
				slog.Any("names", dropped))
		}
	}
	s := newService(c, set.options)
	b.serves(s.log)
	return s, nil
}

// declaredEnv lists the env names that the binary or its index declares.
func declaredEnv(r *registered, c *catalog) []string {
	var names []string
	for _, e := range r.env {
		names = append(names, e.name)
	}
	if env := c.index.Env; env != nil {
		names = slices.Concat(names, env.Required, env.Optional)
	}
	return names
}

// serve serves until a signal comes, drains, closes what was started, and gives the exit
// code.
func serve(ctx context.Context, s *Service, l net.Listener, signals <-chan os.Signal, stop StopFunc, log *record.Handler) int {
	server := &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            headerTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               headerBytes,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log, slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener{l}) }()
	x := s.catalog.index
	port := l.Addr().(*net.TCPAddr).Port // a TCP listener's address is one
	log.Event(slog.LevelInfo, "listening", "listening on port "+strconv.Itoa(port), nil,
		slog.Int("port", port), slog.String("packId", x.PackID), slog.String("artifactVersion", x.ArtifactVersion))

	select {
	case <-signals:
	case <-ctx.Done():
	case err := <-failed:
		recordProblems(log, "boot-failed", []string{"The listener failed: " + err.Error()})
		closeStarted(stop, nil, log)
		return exitFailed
	}
	drained := make(chan struct{})
	log.Event(slog.LevelInfo, "draining", "draining", nil)
	go func() {
		defer close(drained)
		limit, cancel := context.WithTimeout(context.Background(), drainTime)
		defer cancel()
		_ = s.Drain(limit) // its error says that calls were cancelled; their records do too
		work, cancelWork := context.WithTimeout(context.Background(), lastWork)
		defer cancelWork()
		_ = s.slots.Acquire(work, int64(s.options.MaxConcurrency)) // free of all handlers, or late
	}()
	select {
	case <-drained:
	case <-time.After(drainTime + lastAnswers):
	case <-signals:
		return exitFailed
	}
	if closeStarted(stop, signals, log) {
		return exitFailed
	}
	log.Event(slog.LevelInfo, "stopped", "stopped", nil)
	return exitOK
}

// maxIndex bounds an index file, in bytes: some thousand times that of a large pack.
const maxIndex = 256 << 20

// readIndexFile reads an index file.
func readIndexFile(name string) ([]byte, error) {
	data, err := readFile(name, maxIndex, fmt.Errorf("it has more than %d bytes", maxIndex))
	if err != nil {
		//lint:ignore ST1005 operators match on this text
		return nil, fmt.Errorf("Cannot read the pack index: %s: %w", name, reason(err))
	}
	return data, nil
}

// recordProblems writes a record that lists problems.
func recordProblems(log *record.Handler, name string, problems []string) {
	log.Event(slog.LevelError, name, name+": "+strings.Join(problems, "; "), nil, slog.Any("problems", problems))
}

// recordMisspelt names what looks like a setting and is none. It is no reason not to start:
// the names of newer settings are not known here.
func recordMisspelt(log *record.Handler, misspelt []misspelling) {
	if len(misspelt) == 0 {
		return
	}
	var names, texts []string
	for _, m := range misspelt {
		names = append(names, m.name)
		texts = append(texts, fmt.Sprintf("%s (did you mean %q?)", m.name, m.meant))
	}
	log.Event(slog.LevelWarn, "setting-unknown", "set, and not a setting of a pack service: "+strings.Join(texts, ", "), nil,
		slog.Any("names", names))
}

// flushTime bounds the wait for the last records at the process's end.
const flushTime = 2 * time.Second

func flush(log *record.Handler) {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	_ = log.Flush(ctx) // there is nowhere left to say that records could not be written
}

// flatten gives the texts of the errors that an error joins, in order.
func flatten(err error) []string {
	var texts []string
	for _, e := range unjoin(err) {
		texts = append(texts, e.Error())
	}
	return texts
}

// unjoin gives the errors that an error joins, in order; a wrapped join is one error.
func unjoin(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		errs = append(errs, unjoin(e)...)
	}
	return errs
}
