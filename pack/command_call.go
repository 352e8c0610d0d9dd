package pack

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/idempotency"
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
			"The output goes to standard output, what is wrong to standard error.\n" +
			"The handler sees the environment that it sees when the pack serves: what the pack does not declare is removed, unless " + envEnvFilter + " is off.",
	})
	f.StringVar(&o.version, "version", "", "the tool's `VERSION`, when the pack has several")
	f.StringVar(&o.context, "ctx", "", "the call's context, a `JSON` object or @FILE (default: tenant and run \"local\", and an idempotency key of its own)")
	f.Func("secret", "a secret of the call from a file, `NAME=@FILE`; may be repeated", appendTo(&o.secrets))
	f.Func("env", "an env value of the call, `NAME=VALUE`; may be repeated", appendTo(&o.env))
	f.StringVar(&o.config, "config", "", "a check's configuration, `JSON` or @FILE (default {})")
	f.StringVar(&o.trace, "trace", "", "the run trace a check sees, `JSON` or @FILE (default: an empty run)")
	durationVar(f, &o.timeout, "timeout", protocol.DefaultTimeout, "the call's deadline, as a `DURATION` such as 500ms or 30s")
	f.BoolVar(&o.verbose, "v", false, "show the call's own record, too")
	rest, code, ok := parseArgs(f, args, p, 1)
	switch {
	case !ok:
		return code
	case len(rest) > 2:
		return wrongUsage(f, p, "it takes an id and an input, got %q too", rest[2])
	case o.timeout < time.Millisecond:
		return wrongUsage(f, p, "--timeout is %v: it must be a millisecond or more", o.timeout)
	}
	var message []byte
	err := o.known(b, rest[0])
	if err == nil {
		message, err = o.message(b, rest, p)
	}
	if err != nil {
		return failed(p, "call", err)
	}
	return o.call(ctx, b, message, p)
}

// known reports why a call cannot be meant, in the terms of this command.
func (o *callFlags) known(b *Builder, id string) error {
	var tools, ids []string
	for _, t := range b.snapshot().tools {
		ids = append(ids, t.ID)
		if t.ID == id {
			tools = append(tools, t.Version)
		}
	}
	for _, c := range b.snapshot().checks {
		ids = append(ids, c.checkID())
	}
	switch {
	case !slices.Contains(ids, id):
		return fmt.Errorf("the pack has no tool or check %q%s; list shows what it has", id, suggestion(id, ids))
	case len(tools) > 1 && o.version == "":
		return fmt.Errorf("tool %q has several versions; name one with --version: %s", id, orList(tools))
	}
	return nil
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
func (o *callFlags) message(b *Builder, args []string, p program) ([]byte, error) {
	id := args[0]
	if o.isCheck(b, id) {
		if len(args) > 1 {
			return nil, fmt.Errorf("%q is a check: it takes --config and --trace, not an input", id)
		}
		if o.context != "" || o.version != "" || len(o.secrets)+len(o.env) > 0 {
			return nil, fmt.Errorf("--ctx, --env, --secret and --version are for tools, and %q is a check: its run is that of --trace", id)
		}
		config, err := jsonArgument("--config", cmp.Or(o.config, "{}"), p)
		if err != nil {
			return nil, err
		}
		trace, err := jsonArgument("--trace", cmp.Or(o.trace, `{"runId":"local","tenantId":"local","toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"runtime"}`), p)
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"v": protocol.Version, "kind": "check-invoke", "check": map[string]any{"id": id}, "config": config, "trace": trace})
	}
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
	callContext, err := o.callContext(id, p)
	if err != nil {
		return nil, err
	}
	tool := map[string]any{"id": id}
	if o.version != "" {
		tool["version"] = o.version
	}
	return json.Marshal(map[string]any{"v": protocol.Version, "kind": "invoke", "tool": tool, "input": input, "ctx": callContext})
}

// isCheck reports whether an id is a check's and not a tool's.
func (o *callFlags) isCheck(b *Builder, id string) bool {
	r := b.snapshot()
	for _, t := range r.tools {
		if t.ID == id {
			return false
		}
	}
	for _, c := range r.checks {
		if c.checkID() == id {
			return true
		}
	}
	return false
}

// callContext makes the call's context of --ctx, --secret and --env.
func (o *callFlags) callContext(id string, p program) (map[string]jsontext.Value, error) {
	// Each call of the command is a call of its own: it has a key that no other has.
	key, err := idempotency.Step{RunID: rand.Text(), Scope: "call", ToolID: id}.Key()
	if err != nil {
		return nil, err
	}
	fields := map[string]jsontext.Value{
		"tenantId":       jsontext.Value(`"local"`),
		"runId":          jsontext.Value(`"local"`),
		"idempotencyKey": jsontext.Value(`"` + key + `"`),
	}
	if o.context != "" {
		raw, err := jsonArgument("--ctx", o.context, p)
		if err != nil {
			return nil, err
		}
		if raw.Kind() != '{' {
			return nil, errors.New("--ctx must be a JSON object")
		}
		if err := json.Unmarshal(raw, &fields); err != nil {
			return nil, fmt.Errorf("--ctx: %w", err)
		}
	}
	for _, group := range []struct {
		field, flag string
		pairs       []string
		value       func(name, text string) (string, error)
	}{
		{"secrets", "--secret NAME=@FILE", o.secrets, secretFile},
		{"env", "--env NAME=VALUE", o.env, func(_, text string) (string, error) { return text, nil }},
	} {
		if len(group.pairs) == 0 {
			continue
		}
		values := map[string]any{}
		if had := fields[group.field]; had != nil {
			if had.Kind() != '{' {
				return nil, fmt.Errorf("--ctx: %s must be a JSON object", group.field)
			}
			if err := json.Unmarshal(had, &values); err != nil {
				return nil, fmt.Errorf("--ctx: %s: %w", group.field, err)
			}
		}
		for _, pair := range group.pairs {
			name, text, ok := strings.Cut(pair, "=")
			if !ok || name == "" {
				return nil, fmt.Errorf("a flag lacks its name or its equals sign: %s", group.flag)
			}
			value, err := group.value(name, text)
			if err != nil {
				return nil, err
			}
			values[name] = value
		}
		raw, err := json.Marshal(values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", group.field, err)
		}
		fields[group.field] = raw
	}
	return fields, nil
}

// secretFile reads a secret from a file: on a command line, every user of the machine
// could see it. One line break at its end is the file's, not the secret's.
func secretFile(name, text string) (string, error) {
	path, ok := strings.CutPrefix(text, "@")
	if !ok {
		return "", fmt.Errorf("--secret %s: give a file that holds it, %s=@FILE: other users can read a command line", name, name)
	}
	data, err := readFile(path, protocol.MaxBodyBytes, errLongArgument)
	if err != nil {
		return "", fmt.Errorf("--secret %s: cannot read %s: %w", name, path, reason(err))
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
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
		what = path
		data, err = readFile(path, protocol.MaxBodyBytes, errLongArgument)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", what, reason(err))
	}
	value := jsontext.Value(bytes.TrimSpace(data))
	// Decoding says more than IsValid: where, and what.
	if err := json.Unmarshal(value, new(jsontext.Value)); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %s", what, strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	return value, nil
}

// call sends the message to a service of the pack and prints what it answers.
func (o *callFlags) call(ctx context.Context, b *Builder, message []byte, p program) int {
	color := p.color(p.stderr)                       // before the environment is cleared of NO_COLOR
	levels, _ := record.ParseConfig(p.getenv, false) // a wrong one is for serve to refuse
	log := &LogOptions{Output: p.stderr, Level: levels.Level, Levels: levels.Levels, Pretty: true, Color: color}
	options := Options{Token: rand.Text(), EnvCheck: EnvWarn, Log: log, quiet: !o.verbose}
	p.clearEnv(b)
	s, err := b.Service(options)
	if err != nil {
		return failed(p, "call", err)
	}
	if len(s.missingEnv) > 0 && !o.verbose {
		_, _ = fmt.Fprintf(p.stderr, "warning: required env names are unset or empty: %s\n", strings.Join(s.missingEnv, ", "))
	}
	defer flush(s.log)
	stop, err := b.Start(ctx)
	if err != nil {
		return failed(p, "call", err)
	}
	defer closeStarted(stop, nil, s.log)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, protocol.PathInvoke, bytes.NewReader(message))
	if err != nil {
		return failed(p, "call", err)
	}
	r.Header.Set(protocol.HeaderToken, options.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(protocol.HeaderTimeout, strconv.FormatInt(o.timeout.Milliseconds(), 10))
	var w bufferedAnswer
	s.ServeHTTP(&w, r)
	flush(s.log) // the handler's records before what came of it
	if p.ownsProcess {
		flush(processLog()) // and those of its own loggers
	}
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
