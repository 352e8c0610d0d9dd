package pack

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

// The exit codes of a pack's binary.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// program is what a command has of its process.
type program struct {
	name           string
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	ownsProcess    bool // the environment is this program's to change
}

// base is the program's name without its folder, which go run makes up.
func (p program) base() string { return filepath.Base(p.name) }

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
		{"list", "list the tools and checks", runList},
		{"schema", "print a schema", runSchema},
		{"call", "call a tool or a check, in this process", runCall},
		{"verify", "compare the tools with what a runtime has published", runVerify},
		{"version", "print what this binary is", runVersion},
	}
}

// run runs the command that args name, and gives the exit code.
func (b *Builder) run(ctx context.Context, args []string, p program) int {
	out := &output{w: p.stdout}
	p.stdout = out
	code := b.dispatch(ctx, args, p)
	if out.err != nil && code == exitOK {
		_, _ = fmt.Fprintf(p.stderr, "%s: cannot write to standard output: %v\n", p.base(), reason(out.err))
		return exitFailed
	}
	return code
}

// output is a standard output that remembers the first error of a write.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func (b *Builder) dispatch(ctx context.Context, args []string, p program) int {
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
	var known []string
	for _, c := range all {
		known = append(known, c.name)
	}
	_, _ = fmt.Fprintf(p.stderr, "%s: there is no command %q%s\n", p.base(), args[0], suggestion(args[0], known))
	b.usage(p.stderr, p)
	return exitUsage
}

func (b *Builder) usage(w io.Writer, p program) {
	_, _ = fmt.Fprintf(w, "The pack %s %s. Usage:\n\n  %s [COMMAND] [FLAGS]\n\nCommands:\n", b.id, b.version, p.base())
	for _, c := range commands() {
		_, _ = fmt.Fprintf(w, "  %-7s  %s\n", c.name, c.summary)
	}
	_, _ = fmt.Fprintf(w, "\nCOMMAND -h explains a command's flags.\n")
}

// parseFlags parses a command's flags and says whether the command goes on; when not, the
// exit code is the second result. Help that was asked for is output; a mistake is not, and
// names the flag that was probably meant.
func parseFlags(f *flag.FlagSet, args []string, p program) (ok bool, code int) {
	f.SetOutput(io.Discard)
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(p.stdout)
		f.Usage()
		return false, exitOK
	case err != nil:
		// Package flag has no type for this error, only the text.
		if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
			var known []string
			f.VisitAll(func(k *flag.Flag) { known = append(known, "--"+k.Name) })
			name = "--" + strings.TrimPrefix(name, "-")
			return false, wrongUsage(f, p, "there is no flag %s%s", name, suggestion(name, known))
		}
		return false, wrongUsage(f, p, "%v", err)
	}
	return true, exitOK
}

// newFlags makes a command's flag set, with a usage that names its arguments.
func newFlags(name, arguments, summary string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.Usage = func() {
		line := strings.TrimSpace(name + " " + arguments)
		_, _ = fmt.Fprintf(f.Output(), "Usage: %s [FLAGS]\n%s\n", line, summary)
		any := false
		f.VisitAll(func(*flag.Flag) { any = true })
		if any {
			_, _ = fmt.Fprintln(f.Output(), "\nFlags:")
			f.PrintDefaults()
		}
	}
	return f
}

// parseArgs parses a command's flags, which may stand before, between and after its
// arguments, and gives the arguments, at least want of them; ok is false when the command
// ends here, with the exit code.
func parseArgs(f *flag.FlagSet, args []string, p program, want int) (rest []string, code int, ok bool) {
	for {
		if goOn, code := parseFlags(f, args, p); !goOn {
			return nil, code, false
		}
		if f.NArg() == 0 {
			break
		}
		if read := len(args) - f.NArg(); read > 0 && args[read-1] == "--" {
			rest = append(rest, f.Args()...) // what follows it is no flag
			break
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
	if len(rest) < want {
		return nil, wrongUsage(f, p, "its id is missing; the command list shows what there is"), false
	}
	return rest, exitOK, true
}

// wrongUsage explains a usage error and gives its exit code.
func wrongUsage(f *flag.FlagSet, p program, format string, args ...any) int {
	_, _ = fmt.Fprintf(p.stderr, "%s: %s\nrun %s %s -h to see what it takes\n", f.Name(), fmt.Sprintf(format, args...), p.base(), f.Name())
	return exitUsage
}

// failed reports why a command failed, every problem in a line of its own.
func failed(p program, command string, err error) int {
	for _, problem := range flatten(err) {
		_, _ = fmt.Fprintf(p.stderr, "%s: %s\n", command, problem)
	}
	return exitFailed
}

// warn prints what the pack's author probably did not mean.
func warn(b *Builder, p program) {
	for _, w := range b.Warnings() {
		_, _ = fmt.Fprintf(p.stderr, "warning: %v\n", w)
	}
}

// printLine prints a value as one line of JSON.
func printLine(p program, v any) {
	line, err := json.Marshal(v)
	if err != nil {
		_, _ = fmt.Fprintf(p.stderr, "cannot report as JSON: %v\n", err)
		return
	}
	_, _ = p.stdout.Write(append(line, '\n'))
}
