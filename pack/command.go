package pack

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

// The exit codes of a pack's binary.
const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2
	exitNotPassed = 3 // of call: the check was evaluated, and did not pass
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
		{"list", "list the tools, and the checks with their guardrails", runList},
		{"schema", "print a schema", runSchema},
		{"call", "call a tool or a check, in this process", runCall},
		{"verify", "compare the tools with what a runtime has published", runVerify},
		{"version", "print what this binary is", runVersion},
	}
}

// run runs the command that args name, and gives the exit code.
func (b *Builder) run(ctx context.Context, args []string, p program) int {
	if p.ownsProcess {
		// A record is written a moment after it is made: those of the author's own loggers, made
		// by main or by a function that closes, too.
		defer flush(processLog())
	}
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
		if len(args) == 1 {
			switch strings.TrimLeft(args[0], "-") {
			case "h", "help":
				b.usage(p.stdout, p)
				return exitOK
			case "version": // as of every program
				return runVersion(ctx, b, nil, p)
			}
		}
		return all[0].run(ctx, b, args, p)
	}
	if args[0] == "help" {
		if len(args) == 1 {
			b.usage(p.stdout, p)
			return exitOK
		}
		args = []string{args[1], "-h"}
	}
	for _, c := range all {
		if c.name == args[0] {
			return c.run(ctx, b, args[1:], p)
		}
	}
	var known []string
	for _, c := range all {
		known = append(known, c.name)
	}
	_, _ = fmt.Fprintf(p.stderr, "%s: there is no command %q%s; it is %s\nrun %[1]s -h to see what they do\n",
		p.base(), args[0], suggestion(args[0], known), orList(known))
	return exitUsage
}

func (b *Builder) usage(w io.Writer, p program) {
	_, _ = fmt.Fprintf(w, "Usage: %s [COMMAND] [FLAGS]\n\nThe pack %s %s.\n\nCommands:\n", p.base(), b.id, b.version)
	var rows [][2]string
	for _, c := range commands() {
		rows = append(rows, [2]string{c.name, c.summary})
	}
	printRows(w, rows)
	printVariables(w, b)
	_, _ = fmt.Fprintf(w, "\n%s COMMAND -h explains a command's flags.\n", p.base())
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
