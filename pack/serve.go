package pack

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// The exit codes of a pack's binary.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// Serve is the main function of a pack's binary: it runs the command that the program's
// arguments name and exits the process; it does not return. Without a command it serves.
//
//	serve    serve the pack over HTTP until SIGTERM or SIGINT (the default)
//	index    write the pack's index
//
// Every command explains its flags with -h.
//
// # The process that serves
//
// Settings come from flags and the environment: --index FILE (or KINDGI_PACK_INDEX; else
// the index compiled into the binary), --host ADDR (every interface), PORT (8080; 0 picks
// a free one), KINDGI_PACK_SERVICE_TOKEN (required), KINDGI_PACK_SERVICE_MAX_CONCURRENCY
// (32), KINDGI_PACK_ENV_CHECK (strict or warn), KINDGI_PACK_ENV_FILTER (on or off),
// KINDGI_PACK_TENANT_ID, KINDGI_LOG_LEVEL, KINDGI_LOG_LEVELS and KINDGI_LOG_FORMAT. Every
// wrong one is named in a "config-invalid" record, every problem of the pack or its index
// in a "boot-failed" record, and the process exits 1.
//
// The token, and every variable that the pack does not declare and no process needs, are
// removed from the environment before a handler can run.
//
// On SIGTERM or SIGINT the service drains: new calls get 503 while those in flight have 8
// seconds to finish; what still runs then is cancelled and answered so. It exits 0. A
// second signal exits at once with 1.
//
// The compiled-in index takes its artifact version and its publishing time from the version
// control stamp that the go command puts into a binary; without one they are "devel" and
// the Unix epoch. Every replica of one binary reports the same index hash.
func Serve(b *Builder) {
	os.Exit(b.run(context.Background(), os.Args[1:], program{
		name: os.Args[0], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
	}))
}

// program is what a command has of its process.
type program struct {
	name           string
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
}

// command is one command of a pack's binary.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, b *Builder, args []string, p program) int
}

// commands lists the commands in the order that usage shows them; the first is the
// default.
func commands() []command {
	return []command{
		{"serve", "serve the pack over HTTP (the default)", runServe},
		{"index", "write the pack's index", runIndex},
	}
}

// run runs the command that args name, and gives the exit code.
func (b *Builder) run(ctx context.Context, args []string, p program) int {
	all := commands()
	if len(args) == 0 || len(args[0]) > 0 && args[0][0] == '-' {
		if len(args) > 0 && (args[0] == "-h" || args[0] == "--help" || args[0] == "-help") {
			b.usage(p.stdout, p)
			return exitOK
		}
		return all[0].run(ctx, b, args, p)
	}
	for _, c := range all {
		if c.name == args[0] {
			return c.run(ctx, b, args[1:], p)
		}
	}
	if args[0] == "help" {
		b.usage(p.stdout, p)
		return exitOK
	}
	_, _ = fmt.Fprintf(p.stderr, "%s: unknown command %q\n", p.name, args[0])
	b.usage(p.stderr, p)
	return exitUsage
}

func (b *Builder) usage(w io.Writer, p program) {
	_, _ = fmt.Fprintf(w, "The pack %s %s. Usage:\n\n  %s [COMMAND] [FLAGS]\n\nCommands:\n", b.id, b.version, p.name)
	for _, c := range commands() {
		_, _ = fmt.Fprintf(w, "  %-8s %s\n", c.name, c.summary)
	}
	_, _ = fmt.Fprintf(w, "\nCOMMAND -h explains a command's flags.\n")
}

// parseFlags parses a command's flags and says whether the command goes on; when not, the
// exit code is the second result.
func parseFlags(f *flag.FlagSet, args []string, p program) (ok bool, code int) {
	f.SetOutput(p.stderr)
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return false, exitOK
	case err != nil:
		return false, exitUsage // the flag set has said why
	}
	return true, exitOK
}
