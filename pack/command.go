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

// serveCommand is the name of the command that is the default.
const serveCommand = "serve"

// commands lists the commands in the order that usage shows them; the first is the
// default.
func commands() []command {
	return []command{
		{serveCommand, "serve the pack over HTTP (the default)", runServe},
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
	c, args := find(args)
	if p.ownsProcess && c.name != serveCommand { // which does it itself, while it minds a closed standard error
		// A record is written a moment after it is made: those of the author's own loggers, made
		// by main or by a function that closes, too.
		defer flush(processLog())
	}
	out := &output{w: p.stdout}
	p.stdout = out
	code := c.run(ctx, b, args, p)
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

// find gives the command that args name, and its arguments.
func find(args []string) (command, []string) {
	all := commands()
	help := command{name: "help", run: func(_ context.Context, b *Builder, _ []string, p program) int {
		b.usage(p.stdout, p)
		return exitOK
	}}
	if len(args) == 0 {
		return all[0], nil
	}
	name := args[0]
	switch bare := strings.TrimLeft(name, "-"); {
	case len(args) == 1 && (name == "help" || bare != name && (bare == "h" || bare == "help")):
		return help, nil
	case len(args) == 1 && bare != name && bare == "version": // as of every program
		name = bare
	case bare != name:
		return all[0], args
	case name == "help":
		name, args = args[1], []string{args[1], "-h"}
	}
	var known []string
	for _, c := range all {
		if c.name == name {
			return c, args[1:]
		}
		known = append(known, c.name)
	}
	return command{run: func(_ context.Context, _ *Builder, _ []string, p program) int {
		_, _ = fmt.Fprintf(p.stderr, "%s: there is no command %q%s; it is %s\nrun %[1]s -h to see what they do\n",
			p.base(), name, suggestion(name, known), orList(known))
		return exitUsage
	}}, nil
}

func (b *Builder) usage(w io.Writer, p program) {
	_, _ = fmt.Fprintf(w, "Usage: %s [COMMAND] [FLAGS]\n\nThe pack %s %s.\n\nCommands:\n", p.base(), b.id, b.version)
	var rows [][2]string
	for _, c := range commands() {
		rows = append(rows, [2]string{c.name, c.summary})
	}
	printRows(w, rows)
	printVariables(w, b)
	_, _ = fmt.Fprintf(w, "\nA command exits 0 when it succeeds, 1 when it fails, and 2 when its arguments are wrong.\n%s COMMAND -h explains its flags.\n", p.base())
}

// failed reports why a command failed, every problem in a line of its own.
func failed(p program, command string, err error) int {
	for _, problem := range flatten(err) {
		_, _ = fmt.Fprintf(p.stderr, "%s: %s\n", command, problem)
	}
	return exitFailed
}

// misused reports arguments that a command cannot make sense of, and gives its exit code.
func misused(p program, command string, err error) int {
	failed(p, command, err)
	return exitUsage
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
