package pack

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// help is what a command says of itself beside its flags.
type help struct {
	command   string // as it is typed, in brackets when it may be left out
	arguments string // such as "ID [INPUT]"
	summary   string
	after     func(w io.Writer) // writes what follows the flags; nil for nothing
}

// newFlags makes a command's flag set, which shows flags as GNU programs do, --name, and
// takes them with one dash, too.
func newFlags(p program, h help) *flag.FlagSet {
	f := flag.NewFlagSet(strings.Trim(h.command, "[]"), flag.ContinueOnError)
	f.Usage = func() {
		w := f.Output()
		line := strings.Join(strings.Fields(p.base()+" "+h.command+" "+h.arguments), " ")
		_, _ = fmt.Fprintf(w, "Usage: %s [FLAGS]\n\n%s\n", line, wrapped(h.summary, 0))
		var rows [][2]string
		f.VisitAll(func(fl *flag.Flag) {
			value, text := flag.UnquoteUsage(fl)
			if standard := fl.DefValue; standard != "" && standard != "false" {
				text += " (default " + standard + ")"
			}
			rows = append(rows, [2]string{strings.TrimSpace(dashed(fl.Name) + " " + value), text})
		})
		if len(rows) > 0 {
			_, _ = fmt.Fprintln(w, "\nFlags:")
			printRows(w, rows)
		}
		if h.after != nil {
			h.after(w)
		}
	}
	return f
}

// dashed writes a flag's name as one types it.
func dashed(name string) string {
	if utf8.RuneCountInString(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// printRows prints names and what they are in two columns.
func printRows(w io.Writer, rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r[0]))
	}
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "  %-*s  %s\n", width, r[0], wrapped(r[1], width+4))
	}
}

// helpWidth is how many columns help takes.
const helpWidth = 80

// wrapped breaks a text's lines at their spaces; all but the first begin with an indent, which
// the first has already.
func wrapped(text string, indent int) string {
	var b strings.Builder
	column := indent
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		}
		for j, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case j == 0:
			case column+1+n > helpWidth:
				b.WriteString("\n" + strings.Repeat(" ", indent))
				column = indent
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += n
		}
	}
	return b.String()
}

// parseFlags parses a command's flags and says whether the command goes on; when not, the
// exit code is the second result. Help that was asked for is output; a mistake is not.
func parseFlags(f *flag.FlagSet, args []string, p program) (ok bool, code int) {
	f.SetOutput(io.Discard)
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(p.stdout)
		f.Usage()
		return false, exitOK
	case err != nil:
		return false, wrongUsage(f, p, "%s", flagMistake(f, err))
	}
	return true, exitOK
}

// invalidValue is how package flag says that a value does not fit its flag.
var invalidValue = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^ ]+): (.*)$`)

// flagMistake says what is wrong with a flag, in the terms of its help, and which one was
// probably meant. Package flag has no types for its errors, only texts; one that it does
// not have now is shown as it is.
func flagMistake(f *flag.FlagSet, err error) string {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimPrefix(name, "-")
		if f.Name() == serveCommand {
			for _, s := range serviceSettings() {
				if ownWords(s.name) == strings.ToUpper(strings.ReplaceAll(name, "-", "_")) {
					return fmt.Sprintf("there is no flag %s: the environment variable %s sets it", dashed(name), s.name)
				}
			}
		}
		var known []string
		f.VisitAll(func(k *flag.Flag) { known = append(known, k.Name) })
		if near := nearest(name, known); near != "" {
			return fmt.Sprintf("there is no flag %s (did you mean %q?)", dashed(name), dashed(near))
		}
		return "there is no flag " + dashed(name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok && f.Lookup(name) != nil {
		value, _ := flag.UnquoteUsage(f.Lookup(name))
		return fmt.Sprintf("%s needs a value: %[1]s %s", dashed(name), value)
	}
	if m := invalidValue.FindStringSubmatch(text); m != nil && f.Lookup(m[2]) != nil {
		why := m[3]
		if b, ok := f.Lookup(m[2]).Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			why = "it takes no value, or true or false"
		}
		return fmt.Sprintf("%s is %s: %s", dashed(m[2]), m[1], why)
	}
	if bad, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		return fmt.Sprintf("%q is no flag; what follows -- is taken as it is", bad)
	}
	return text
}

// durationFlag is the value of a flag that is a time, and says what one looks like.
type durationFlag struct{ d *time.Duration }

func durationVar(f *flag.FlagSet, d *time.Duration, name string, standard time.Duration, usage string) {
	*d = standard
	f.Var(durationFlag{d}, name, usage)
}

func (v durationFlag) String() string {
	if v.d == nil {
		return "" // of the zero value, which package flag makes
	}
	s := v.d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	return s
}

func (v durationFlag) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil {
		return errors.New("it must be a number with its unit, such as 500ms, 30s or 2m")
	}
	*v.d = d
	return nil
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

// printVariables prints the environment variables that the process that serves reads: the
// settings, and what the pack declares.
func printVariables(w io.Writer, b *Builder) {
	_, _ = fmt.Fprintln(w, "\nEnvironment variables of serve:")
	var rows [][2]string
	for _, s := range serviceSettings() {
		rows = append(rows, [2]string{s.name, s.help})
	}
	printRows(w, rows)
	rows = nil
	for _, e := range b.snapshot().env {
		need := "optional"
		if e.required {
			need = "required"
		}
		rows = append(rows, [2]string{e.name, need})
	}
	if len(rows) > 0 {
		_, _ = fmt.Fprintln(w, "\nEnvironment variables of the pack's own:")
		printRows(w, rows)
	}
}
