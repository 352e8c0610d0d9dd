package pack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
)

// StopFunc closes what a function given to [Builder.OnStart] has opened. Its context ends
// when the process cannot wait any longer.
type StopFunc func(context.Context) error

// noStop closes nothing.
func noStop(context.Context) error { return nil }

// OnStart registers a function that opens what the pack's handlers need, such as a database,
// before the first call, and gives a function that closes it after the last; nil when there
// is nothing to close.
//
// [Serve] runs it when it serves, before it listens, and for its command call; the other
// commands need no database. By then the environment holds what the pack declares, and no
// more. When a name of [Builder.RequireEnv] is unset it does not run ([EnvStrict]): the service
// answers that it is not ready, the command call fails, and no handler runs. An error, or a panic, is a "boot-failed"
// problem: the process exits 1.
//
// The context lives until the calls have drained (or a signal ends the boot), so that a loop
// beside the calls, such as a purge, may run by it. Then the function that closes runs, and has
// one second; an error of it is a "stop-failed" record.
//
// The functions run one after the other, in the order of their registration, and close in the
// opposite order. A [Service] of one's own does not run them: see [Builder.Start].
func (b *Builder) OnStart(start func(context.Context) (StopFunc, error)) {
	at := callerSource(0)
	b.mu.Lock()
	defer b.mu.Unlock()
	if start == nil {
		b.problem(at, "OnStart: the function is nil")
		return
	}
	b.starts = append(b.starts, registeredStart{start, at})
}

type registeredStart struct {
	run    func(context.Context) (StopFunc, error)
	source source
}

// Start runs the functions given to [Builder.OnStart], for a program that embeds the pack's
// service in a server of its own, and for tests; [Serve] does it itself. The function that it
// gives, never nil, closes what they opened: call it once, after [Service.Drain]. Its error
// joins theirs.
//
// When one of them fails or panics, what those before it opened is closed again, and the
// error is a [*RegistrationError] that wraps its error and says where it was registered. One that
// registers something when a service of the pack was made before has failed, too.
func (b *Builder) Start(ctx context.Context) (StopFunc, error) {
	b.mu.Lock()
	starts, late := slices.Clone(b.starts), len(b.late)
	b.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	var stops []StopFunc
	stop := func(ctx context.Context) error {
		cancel()
		var errs []error
		for _, stop := range slices.Backward(stops) {
			errs = append(errs, survive(func() error { return stop(ctx) }))
		}
		return errors.Join(errs...)
	}
	for _, s := range starts {
		var closes StopFunc
		err := survive(func() (err error) {
			closes, err = s.run(ctx)
			return err
		})
		if closes != nil {
			stops = append(stops, closes)
		}
		if err != nil {
			err = registrationError(s.source, "OnStart: %w", err)
			return noStop, errors.Join(err, stop(context.WithoutCancel(ctx)))
		}
		if problems := b.lateSince(late); len(problems) > 0 {
			return noStop, errors.Join(append(problems, stop(context.WithoutCancel(ctx)))...)
		}
	}
	return stop, nil
}

// survive runs an author's function, and gives its panic as an error.
func survive(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %s (at %s)", bounded(printed(p)), panicPlace())
		}
	}()
	return f()
}

// panicPlace gives the file and line of the panic that a deferred function recovers from.
func panicPlace() string {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for panicking := false; ; {
		frame, more := frames.Next()
		own := strings.HasPrefix(frame.Function, "runtime.")
		if panicking && !own || !more {
			return fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		panicking = panicking || own
	}
}

// stopTime is what closing gets at the process's end, and what a start that a signal ends
// gets to notice that.
const stopTime = time.Second

// startUnless is Start, unless a signal comes before it has ended.
func (b *Builder) startUnless(ctx context.Context, signals <-chan os.Signal) (stop StopFunc, interrupted bool, err error) {
	ctx, cancel := context.WithCancel(ctx) // by a signal; else what Start gives ends its own
	type started struct {
		stop StopFunc
		err  error
	}
	done := make(chan started, 1)
	go func() {
		stop, err := b.Start(ctx)
		done <- started{stop, err}
	}()
	select {
	case s := <-done:
		return func(end context.Context) error { defer cancel(); return s.stop(end) }, false, s.err
	case <-signals:
	}
	cancel()
	select {
	case s := <-done:
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		_ = s.stop(end) // the process ends, and serves nothing that could be lost
	case <-time.After(stopTime):
	}
	return nil, true, nil
}

// closeStarted closes what the pack has opened, and does not wait for it without end; it
// reports a signal that came meanwhile. Nil signals are none.
func closeStarted(stop StopFunc, signals <-chan os.Signal, log *record.Handler) (interrupted bool) {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- stop(ctx) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = fmt.Errorf("it took longer than %v", stopTime)
	case <-signals:
		return true
	}
	if all := unjoin(err); len(all) == 1 {
		err = all[0]
	}
	if err != nil {
		log.Event(slog.LevelWarn, "stop-failed", "what OnStart opened could not be closed: "+err.Error(), nil, slog.Any("err", err))
	}
	return false
}
