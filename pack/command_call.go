package pack

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/environ"
	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
)

// callFlags are the flags of the command call.
type callFlags struct {
	version string
	context string
	secrets []string
	env     []string
	config  string
	trace   string
	timeout time.Duration
	verbose bool
}

// runCall is the command call: one call, in this process, on the path that a runtime's
// call takes.
func runCall(ctx context.Context, b *Builder, args []string, p program) int {
	var o callFlags
	f := newFlags(p, help{
		command:   "call",
		arguments: "ID [INPUT|@FILE|-]",
		summary: "Call a tool with an input (JSON, a file's, or standard input's; {} by default), or a check with --config and --trace. " +
			"The output goes to standard output; records and what is wrong go to standard error.\n" +
			"Exits 0 when the tool answered or the check passed, 3 when the check did not pass, 1 when the call failed, and 2 when the arguments were wrong. An interrupt (Ctrl-C) cancels the call.\n" +
			"The handler sees the environment that it sees when the pack serves: what the pack does not declare is removed, unless " + envEnvFilter + " is off. While a variable that the pack requires is unset, nothing runs, unless " + envEnvCheck + " is warn.",
	})
	f.StringVar(&o.version, "version", "", "the tool's `VERSION`, when the pack has several")
	f.StringVar(&o.context, "ctx", "", "the call's context, a `JSON` object, @FILE or - (members left out: tenant and run \"local\", and an idempotency key of its own; \"idempotencyKey\":\"\" sends none)")
	f.Func("secret", "a secret of the call from a file, `NAME=@FILE`; may be repeated", appendTo(&o.secrets))
	f.Func("env", "an env value of the call, `NAME=VALUE`, as the tool declares it; may be repeated", appendTo(&o.env))
	f.StringVar(&o.config, "config", "", "a check's configuration: `JSON`, @FILE or - (default: what its guardrail declares, else {})")
	f.StringVar(&o.trace, "trace", "", "the run trace that a check sees: `JSON`, @FILE or - (default: an empty run)")
	durationVar(f, &o.timeout, "timeout", protocol.DefaultTimeout, "the call's deadline, as a `DURATION` such as 500ms or 30s")
	f.BoolVar(&o.verbose, "verbose", false, "show the call's own record, too")
	f.BoolVar(&o.verbose, "v", false, "the same as --verbose")
	rest, code, ok := parseArgs(f, args, p, 1)
	switch {
	case !ok:
		return code
	case len(rest) > 2:
		return wrongUsage(f, p, "it takes an id and an input, got %q too", rest[2])
	case o.timeout < time.Millisecond:
		return wrongUsage(f, p, "--timeout is %v: it must be a millisecond or more", o.timeout)
	}
	if from := o.fromStdin(rest[1:]); len(from) > 1 {
		return wrongUsage(f, p, "standard input can be read once, and is to be %s: put all but one into files, @FILE", inWords(from, "and"))
	}
	r := b.snapshot()
	if err := r.derive(); err != nil {
		return failed(p, "call", err)
	}
	target, err := o.target(r, rest[0])
	if err != nil {
		return misused(p, "call", err)
	}
	message, err := o.message(target, rest, p)
	if err != nil {
		return misused(p, "call", err)
	}
	return o.call(ctx, b, message, p)
}

// fromStdin lists what is to be read from standard input.
func (o *callFlags) fromStdin(input []string) []string {
	var from []string
	if len(input) > 0 && input[0] == "-" {
		from = append(from, "the input")
	}
	for _, fl := range []struct{ name, value string }{{"--ctx", o.context}, {"--config", o.config}, {"--trace", o.trace}} {
		if fl.value == "-" {
			from = append(from, fl.name)
		}
	}
	return from
}

// appendTo keeps what a flag is given. What is wrong with it is said later and without it:
// package flag shows a value it refuses, and this one may be a secret.
func appendTo(list *[]string) func(string) error {
	return func(v string) error {
		*list = append(*list, v)
		return nil
	}
}

// message makes the request message.
func (o *callFlags) message(target callTarget, args []string, p program) ([]byte, error) {
	if target.check != nil {
		return o.checkMessage(target, args, p)
	}
	id := args[0]
	if o.config != "" || o.trace != "" {
		return nil, fmt.Errorf("--config and --trace are for checks, and %q is a tool", id)
	}
	text := "{}"
	if len(args) > 1 {
		text = args[1]
	}
	input, err := jsonArgument("the input", text, p)
	if err != nil {
		return nil, err
	}
	callContext, err := o.callContext(target, p)
	if err != nil {
		return nil, err
	}
	tool := map[string]any{"id": id}
	if o.version != "" {
		tool["version"] = o.version
	}
	return json.Marshal(map[string]any{"v": protocol.Version, "kind": "invoke", "tool": tool, "input": input, "ctx": callContext})
}

// checkMessage makes the request message of a check.
func (o *callFlags) checkMessage(target callTarget, args []string, p program) ([]byte, error) {
	id := args[0]
	if len(args) > 1 {
		return nil, fmt.Errorf("%q is a check: it takes --config and --trace, not an input", id)
	}
	if o.context != "" || o.version != "" || len(o.secrets)+len(o.env) > 0 {
		return nil, fmt.Errorf("--ctx, --env, --secret and --version are for tools, and %q is a check: its run is that of --trace", id)
	}
	config := target.config
	if o.config != "" || config == nil {
		var err error
		if config, err = jsonArgument("--config", cmp.Or(o.config, "{}"), p); err != nil {
			return nil, err
		}
	}
	trace, err := jsonArgument("--trace", cmp.Or(o.trace, `{"runId":"local","tenantId":"local","toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"runtime"}`), p)
	if err != nil {
		return nil, err
	}
	warnMembers("--trace", "a run trace", trace, traceMembers(), p)
	return json.Marshal(map[string]any{"v": protocol.Version, "kind": "check-invoke", "check": map[string]any{"id": target.check.checkID()}, "config": config, "trace": trace})
}

// errLongArgument is the error of what is to be part of a call and is longer than a call's body.
var errLongArgument = errors.New("it is over 10 MiB, more than a call may have")

// jsonArgument gives the JSON that an argument is or names.
func jsonArgument(what, text string, p program) (jsontext.Value, error) {
	data := []byte(text)
	var err error
	if text == "-" {
		what = "standard input"
		data, err = readBounded(p.stdin, protocol.MaxBodyBytes, errLongArgument)
	} else if path, ok := strings.CutPrefix(text, "@"); ok {
		if path == "" {
			return nil, fmt.Errorf("%s is @ without the name of a file", what)
		}
		what = path
		data, err = readFile(path, protocol.MaxBodyBytes, errLongArgument)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", what, reason(err))
	}
	value := jsontext.Value(bytes.TrimSpace(data))
	// Decoding says more than IsValid: where, and what.
	if err := json.Unmarshal(value, new(jsontext.Value)); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %s%s", what, strings.TrimPrefix(err.Error(), "jsontext: "), meantFile(text))
	}
	return value, nil
}

// meantFile follows what is said of an argument that is no JSON with the file that it names.
func meantFile(text string) string {
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
		return fmt.Sprintf(" (did you mean the file, %q?)", "@"+text)
	}
	return ""
}

// call sends the message to a service of the pack and prints what it answers.
func (o *callFlags) call(ctx context.Context, b *Builder, message []byte, p program) int {
	color := p.color(p.stderr) // before the environment is cleared of NO_COLOR
	config, problems := record.ParseConfig(p.getenv, onTerminal(p.stderr))
	for _, problem := range problems { // it is for serve to refuse them
		_, _ = fmt.Fprintf(p.stderr, "warning: %v\n", problem)
	}
	log := serveLog(p.stderr, config)
	if !p.ownsProcess {
		defer flush(log) // else run does it
	}
	strict := EnvCheck(p.getenv(envEnvCheck)) != EnvWarn
	options := Options{Token: rand.Text(), EnvCheck: EnvWarn, Log: &LogOptions{made: log}, quiet: !o.verbose}
	p.clearEnv(b)
	s, err := b.Service(options)
	if err != nil {
		return failed(p, "call", err)
	}
	switch missing := strings.Join(s.missingEnv, ", "); {
	case missing == "":
	case strict:
		return failed(p, "call", fmt.Errorf("required env names are unset or empty: %s; set them, or %s=warn to call without", missing, envEnvCheck))
	case !o.verbose:
		_, _ = fmt.Fprintf(p.stderr, "warning: required env names are unset or empty: %s\n", missing)
	}
	// A signal cancels the call, as a caller that goes away does; a second one ends the process.
	ctx, unnotify := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer unnotify()
	context.AfterFunc(ctx, unnotify)
	stop, err := b.Start(ctx)
	if err != nil {
		flush(log) // its records before what came of it
		return failed(p, "call", err)
	}
	defer closeStarted(stop, nil, log)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, protocol.PathInvoke, bytes.NewReader(message))
	if err != nil {
		return failed(p, "call", err)
	}
	r.Header.Set(protocol.HeaderToken, options.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(protocol.HeaderTimeout, strconv.FormatInt(o.timeout.Milliseconds(), 10))
	var w bufferedAnswer
	s.ServeHTTP(&w, r)
	flush(log) // the handler's records before what came of it
	return printAnswer(&w, color, p)
}

// clearEnv removes from the process's environment what serve removes.
func (p program) clearEnv(b *Builder) {
	if !p.ownsProcess {
		return
	}
	_, _, _ = environ.Take(envToken) // that it may stay visible to other processes is no news to who set it
	if p.getenv(envEnvFilter) == "off" {
		return
	}
	var names []string
	for _, e := range b.snapshot().env {
		names = append(names, e.name)
	}
	environ.Filter(names)
}
