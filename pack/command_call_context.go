package pack

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/protocol"
)

// callContext makes the call's context of --ctx, --secret and --env.
func (o *callFlags) callContext(target callTarget, p program) (map[string]jsontext.Value, error) {
	// Each call of the command is a call of its own: it has a key that no other has.
	key, err := idempotency.Step{RunID: rand.Text(), Scope: "call", ToolID: target.id}.Key()
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
		if err := checkContext(fields); err != nil {
			return nil, err
		}
		warnMembers("--ctx", "a call's context", raw, slices.Concat(contextTexts(), contextObjects()), p)
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
	if target.tool != nil {
		if err := fillEnv(fields, target.tool.NeedsSpec); err != nil {
			return nil, err
		}
		needs := cmp.Or(target.tool.NeedsSpec, &protocol.NeedsSpec{})
		warnUndeclared("env value", fields["env"], needs.Env, target.id, p)
		warnUndeclared("secret", fields["secrets"], needs.Secrets, target.id, p)
	}
	return fields, nil
}

// fillEnv adds the env values that a tool declares with a default and that are not given, as a
// runtime does (pack protocol, callContext).
func fillEnv(fields map[string]jsontext.Value, needs *protocol.NeedsSpec) error {
	if needs == nil {
		return nil
	}
	values := map[string]jsontext.Value{}
	if given, ok := fields["env"]; ok {
		if err := json.Unmarshal(given, &values); err != nil {
			return fmt.Errorf("env: %w", err)
		}
	}
	for name, schema := range needs.Env {
		var declared struct {
			Default jsontext.Value `json:"default"`
		}
		_, given := values[name]
		if !given && json.Unmarshal(schema, &declared) == nil && declared.Default.Kind() == '"' {
			values[name] = declared.Default
		}
	}
	if len(values) == 0 {
		return nil
	}
	env, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("env: %w", err)
	}
	fields["env"] = env
	return nil
}

// checkContext reports a member of another type than the protocol's. A service takes it for
// one that is not there; on a command line it is a mistake.
func checkContext(fields map[string]jsontext.Value) error {
	for _, name := range contextTexts() {
		if v, ok := fields[name]; ok && v.Kind() != '"' {
			return fmt.Errorf("--ctx: %s must be a JSON string", name)
		}
	}
	for _, name := range contextObjects() {
		if v, ok := fields[name]; ok && v.Kind() != '{' {
			return fmt.Errorf("--ctx: %s must be a JSON object", name)
		}
	}
	if env, ok := fields["env"]; ok {
		var values map[string]jsontext.Value
		if err := json.Unmarshal(env, &values); err != nil {
			return fmt.Errorf("--ctx: env: %w", err)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if values[name].Kind() != '"' {
				return fmt.Errorf("--ctx: env: %s must be a JSON string", name)
			}
		}
	}
	return nil
}

// contextTexts and contextObjects list the members of a call's context by what they are.
func contextTexts() []string {
	return []string{"tenantId", "runId", "projectId", "orgId", "requestId", "idempotencyKey"}
}

func contextObjects() []string { return []string{"env", "secrets", "config", "settings"} }

// traceMembers lists the members of a run trace.
func traceMembers() []string {
	return []string{
		"runId", "tenantId", "projectId", "agentId", "flowId", "output", "toolCalls", "toolResults", "modelCalls", "userInput",
		"retrievedFactIds", "conversationId", "turnNumber", "totalCostUsd", "durationMs", "mode", "attributes",
	}
}

// warnMembers names what a flag's object has and this version does not know. A newer runtime
// may send it, so it goes to the handler, and it is no error.
func warnMembers(flag, what string, object jsontext.Value, known []string, p program) {
	for _, name := range memberNames(object) {
		if !slices.Contains(known, name) {
			_, _ = fmt.Fprintf(p.stderr, "warning: %s: %q is no known member of %s%s; it is sent all the same\n",
				flag, printable(name), what, suggestion(name, known))
		}
	}
}

// warnUndeclared names what a tool is given and does not declare, and therefore gets from no
// runtime.
func warnUndeclared(what string, given jsontext.Value, declared map[string]jsontext.Value, id string, p program) {
	for _, name := range memberNames(given) {
		if _, ok := declared[name]; !ok {
			_, _ = fmt.Fprintf(p.stderr, "warning: tool %s declares no %s %q in its NeedsSpec%s: a runtime would send none\n",
				id, what, printable(name), suggestion(name, slices.Sorted(maps.Keys(declared))))
		}
	}
}

// memberNames gives the sorted names of an object's members; none of what is no object.
func memberNames(object jsontext.Value) []string {
	var members map[string]jsontext.Value
	if object.Kind() != '{' || json.Unmarshal(object, &members) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(members))
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
