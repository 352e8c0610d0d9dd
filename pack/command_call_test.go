package pack_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func call(t testing.TB, args ...string) ran {
	t.Helper()
	return shop(t, append([]string{"call"}, args...)...)
}

const order = `{
  "number": "7",
  "placed": "2026-01-31T12:00:00Z",
  "lines": [
    {
      "article": "pen",
      "quantity": 2,
      "price": 1.5
    }
  ],
  "state": "open"
}
`

// TestCallInput takes the input from wherever it is.
func TestCallInput(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "input.json")
	if err := os.WriteFile(file, []byte("\n"+`{"number":"7","depth":2}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	call(t, "acme.shop.lookup", `{"number":"7","depth":2}`, "--version", "2.1.0").want(t, 0, order, "")
	call(t, "--version=2.1.0", "acme.shop.lookup", `{"number":"7","depth":2.0}`).want(t, 0, order, "")
	call(t, "acme.shop.lookup", "--version", "10.0.0", "--", `{"number":"7","depth":2e0}`).want(t, 0, order, "")
	call(t, "acme.shop.lookup", "@"+file, "--version", "10.0.0").want(t, 0, order, "")
	command{args: []string{"call", "acme.shop.lookup", "-", "--version", "10.0.0"}, stdin: strings.NewReader(`{"number":"7","depth":2}`)}.run(t).want(t, 0, order, "")
	// A default is filled in.
	call(t, "acme.shop.lookup", `{"number":"7"}`, "--version", "2.1.0").want(t, 0, strings.Replace(order, `"quantity": 2`, `"quantity": 1`, 1), "")
}

// TestCallRefusals say at once which field is wrong and why.
func TestCallRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args    []string
		message string
	}{
		{[]string{"acme.shop.lookup", `{"nmuber":"7","depth":4}`, "--version", "10.0.0"}, `input-validation-failed: Tool "acme.shop.lookup" input failed validation
  the whole value must have required property 'number'
  the whole value must NOT have additional properties {"additionalProperty":"nmuber"}
  /depth must be <= 3
`},
		{[]string{"acme.shop.refund", `{"number":7,"cents":0,"tags":{"a":1}}`}, `input-validation-failed: Tool "acme.shop.refund" input failed validation
  /cents must be > 0
  /number must be string
  /tags/a must be string
`},
		{[]string{"acme.shop.checks.words", "--config", `{"limit":-1}`}, `input-validation-failed: Check "acme.shop.checks.words" config failed validation
  the whole value must have required property 'forbidden'
  /limit must be >= 0
`},
		{[]string{"acme.shop.lookup", `{"number":"0"}`, "--version", "10.0.0"}, "handler-throw: Handler for tool \"acme.shop.lookup\" threw: Error: there is no order 0\n"},
		{[]string{"acme.shop.track", `{"carrier":"bike","number":"7"}`},
			"handler-throw: Handler for tool \"acme.shop.track\" threw: Error: this tool is an HTTP request that the runtime makes itself; its pack service has no handler for it\n"},
		{[]string{"acme.shop.wait", "--timeout", "300ms"}, "deadline-exceeded: acme.shop.wait passed its deadline\n"},
		{[]string{"acme.shop.lookup", `{"number":"7"}`, "--version", "3.0.0"},
			"tool-version-mismatch: Tool \"acme.shop.lookup\" is 2.1.0-rc.1, 2.1.0, 10.0.0 in this pack; the caller asked for 3.0.0\n"},
		{[]string{"acme.shop.lookup", `{"number":"7"}`}, "call: tool \"acme.shop.lookup\" has several versions; name one with --version: 2.1.0, 10.0.0 or 2.1.0-rc.1\n"},
		{[]string{"acme.shop.lokup"}, "call: the pack has no tool or check \"acme.shop.lokup\" (did you mean \"acme.shop.lookup\"?); list shows what it has\n"},
		{[]string{"acme.shop.clerk"}, "call: \"acme.shop.clerk\" is an agent, which a runtime runs; call takes a tool or a check\n"},
		{[]string{"acme.shop.intake"}, "call: \"acme.shop.intake\" is a flow, which a runtime runs; call takes a tool or a check\n"},
		{[]string{"nothing"}, "call: the pack has no tool or check \"nothing\"; list shows what it has\n"},
		{[]string{"acme.shop.track", "--trace", "{}"}, "call: --config and --trace are for checks, and \"acme.shop.track\" is a tool\n"},
		{[]string{"acme.shop.polite", "{}"}, "call: \"acme.shop.polite\" is a check: it takes --config and --trace, not an input\n"},
		{[]string{"acme.shop.track", "--ctx", "[]"}, "call: --ctx must be a JSON object\n"},
		{[]string{"acme.shop.polite", "--version", "1.0.0"}, "call: --ctx, --env, --secret and --version are for tools, and \"acme.shop.polite\" is a check: its run is that of --trace\n"},
		{[]string{"acme.shop.polite", "--env", "A=1"}, "call: --ctx, --env, --secret and --version are for tools, and \"acme.shop.polite\" is a check: its run is that of --trace\n"},
		{[]string{"acme.shop.track", "--ctx", `{"env":1}`, "--env", "A=1"}, "call: --ctx: env must be a JSON object\n"},
		{[]string{"acme.shop.track", "--ctx", `{"secrets":1}`}, "call: --ctx: secrets must be a JSON object\n"},
		{[]string{"acme.shop.track", "--ctx", `{"tenantId":1}`}, "call: --ctx: tenantId must be a JSON string\n"},
		{[]string{"acme.shop.track", "--ctx", `{"env":{"A":1}}`}, "call: --ctx: env: A must be a JSON string\n"},
		{[]string{"acme.shop.track", "@"}, "call: the input is @ without the name of a file\n"},
		{[]string{"acme.shop.track", "testdata/shop.list.txt"}, "call: the input is not JSON: invalid character 'e' in literal true (expecting 'r') after offset 1 (did you mean the file, \"@testdata/shop.list.txt\"?)\n"},
		{[]string{"acme.shop.track", "@no/such/file"}, "call: cannot read no/such/file: no such file or directory\n"},
		{[]string{"acme.shop.track", "--secret", "hunter2"}, "call: a flag lacks its name or its equals sign: --secret NAME=@FILE\n"},
		{[]string{"acme.shop.track", "--env", "=x"}, "call: a flag lacks its name or its equals sign: --env NAME=VALUE\n"},
		{[]string{"acme.shop.track", "--secret", "KEY=hunter2"}, "call: --secret KEY: give a file that holds it, KEY=@FILE: other users can read a command line\n"},
		{[]string{"acme.shop.track", "--secret", "KEY=@no/such/file"}, "call: --secret KEY: cannot read no/such/file: no such file or directory\n"},
	} {
		code := 1
		if strings.HasPrefix(test.message, "call: ") { // the command's own
			code = 2
		}
		call(t, test.args...).want(t, code, "", test.message)
	}
	for _, input := range []string{"{", "", "nul", `{"a":1}{}`, `{"a":1,"a":2}`, "\xff"} {
		if got := call(t, "acme.shop.track", input); got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "call: the input is not JSON: ") {
			t.Errorf("%q: exit %d, %q, %q", input, got.code, got.stdout, got.stderr)
		}
	}
	for _, flag := range []string{"--config", "--trace"} {
		if got := call(t, "acme.shop.polite", flag, "{"); got.code != 2 || !strings.HasPrefix(got.stderr, "call: "+flag+" is not JSON: ") {
			t.Errorf("%s: exit %d, %q", flag, got.code, got.stderr)
		}
	}
	for _, ctx := range []string{"{", `{"a":1,"a":2}`, `{"env":{"A":1,"A":2}}`} {
		if got := call(t, "acme.shop.track", "--ctx", ctx, "--env", "B=1"); got.code != 2 || !strings.HasPrefix(got.stderr, "call: --ctx") {
			t.Errorf("%s: exit %d, %q", ctx, got.code, got.stderr)
		}
	}
	large := command{args: []string{"call", "acme.shop.track", "-"}, stdin: strings.NewReader(`{"number":"` + strings.Repeat("x", 11<<20) + `"}`)}.run(t)
	large.want(t, 2, "", "call: cannot read standard input: it is over 10 MiB, more than a call may have\n")
	large = command{args: []string{"call", "acme.shop.track", "-"}, stdin: strings.NewReader(`{"number":"` + strings.Repeat("x", 10<<20-15) + `"}`)}.run(t)
	if large.code != 1 || !strings.HasPrefix(large.stderr, "call: the service answered 413: ") {
		t.Errorf("exit %d, %.200q", large.code, large.stderr)
	}
	got := call(t, "acme.shop.panic")
	if got.code != 1 || !strings.HasPrefix(got.stderr, "handler-throw: Handler for tool \"acme.shop.panic\" threw: panic: no luck\n\ngoroutine ") || !strings.Contains(got.stderr, "testdata/shop/orders.go") {
		t.Errorf("exit %d, %q", got.code, got.stderr)
	}
}

// TestCallCheck calls a check with a configuration and a trace.
func TestCallCheck(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(t.TempDir(), "trace.json")
	if err := os.WriteFile(trace, []byte(`{"runId":"r","tenantId":"t","output":"darn it","toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"ci"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	call(t, "acme.shop.checks.words", "--config", `{"forbidden":["darn"]}`, "--trace", "@"+trace).want(t, 3, "{\n  \"passed\": false,\n  \"reason\": \"a forbidden word\"\n}\n", "")
	call(t, "acme.shop.checks.words", "--config", `{"forbidden":["darn"],"limit":1}`, "--trace", "@"+trace).want(t, 0, "{\n  \"passed\": true\n}\n", "")
	call(t, "acme.shop.polite").want(t, 3, "{\n  \"passed\": false\n}\n", "")
	// By itself it has the configuration that its guardrail declares, and a guardrail's id will do.
	call(t, "acme.shop.checks.words", "--trace", "@"+trace).want(t, 0, "{\n  \"passed\": true\n}\n", "")
	call(t, "acme.shop.words", "--trace", "@"+trace).want(t, 0, "{\n  \"passed\": true\n}\n", "")
	call(t, "acme.shop.words", "--trace", "@"+trace, "--config", `{"forbidden":["darn"]}`).want(t, 3, "{\n  \"passed\": false,\n  \"reason\": \"a forbidden word\"\n}\n", "")
	call(t, "acme.shop.polite", "--trace", `{"runId":"r","tenantId":"t","Output":"please","toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"ci"}`).want(t, 3, "{\n  \"passed\": false\n}\n",
		"warning: --trace: \"Output\" is no known member of a run trace (did you mean \"output\"?); it is sent all the same\n")
}

// TestCallSharedCheck needs to know which configuration is meant when guardrails share a check.
func TestCallSharedCheck(t *testing.T) {
	t.Parallel()
	shared := func(args ...string) ran {
		return command{args: append([]string{"call"}, args...), env: []string{"KINDGI_SHOP_TEST=shared"}}.run(t)
	}
	const trace = `{"runId":"r","tenantId":"t","output":"darn","toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"ci"}`
	shared("acme.shop.checks.words", "--trace", trace).want(t, 2, "",
		"call: several guardrails share check \"acme.shop.checks.words\", with a configuration each; name one, acme.shop.words or acme.shop.no-words, or give --config\n")
	shared("acme.shop.words", "--trace", trace).want(t, 0, "{\n  \"passed\": true\n}\n", "")
	shared("acme.shop.no-words", "--trace", trace).want(t, 3, "{\n  \"passed\": false,\n  \"reason\": \"a forbidden word\"\n}\n", "")
	shared("acme.shop.checks.words", "--config", `{"forbidden":[]}`, "--trace", trace).want(t, 0, "{\n  \"passed\": true\n}\n", "")
}

// TestCallMistakes in names are noticed, and refuse nothing: a newer runtime may send them.
func TestCallMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refund := func(args ...string) ran {
		return command{args: append([]string{"call", "acme.shop.refund", `{"number":"1","cents":5}`}, args...), dir: dir, env: []string{"KINDGI_LOG_LEVEL=warn"}}.run(t)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--ctx", `{"tenantID":"t","x-new":1,"requestId":"q","projectId":"p","orgId":"o","config":{},"settings":{}}`},
			"warning: --ctx: \"tenantID\" is no known member of a call's context (did you mean \"tenantId\"?); it is sent all the same\n" +
				"warning: --ctx: \"x-new\" is no known member of a call's context; it is sent all the same\n"},
		{[]string{"--env", "REGOIN=eu"}, "warning: tool acme.shop.refund declares no env value \"REGOIN\" in its NeedsSpec (did you mean \"REGION\"?): a runtime would send none\n"},
		{[]string{"--secret", "paykey=@key"}, "warning: tool acme.shop.refund declares no secret \"paykey\" in its NeedsSpec (did you mean \"pay-key\"?): a runtime would send none\n"},
		{[]string{"--ctx", `{"secrets":{"other":"hunter2"}}`}, "warning: tool acme.shop.refund declares no secret \"other\" in its NeedsSpec: a runtime would send none\n"},
		{[]string{"--secret", "pay-key=@key", "--env", "REGION=eu"}, ""},
	} {
		if got := refund(test.args...); got.code != 0 || got.stderr != test.want {
			t.Errorf("%q: exit %d, stderr %q, want %q", test.args, got.code, got.stderr, test.want)
		}
	}
	got := command{args: []string{"call", "acme.shop.track", `{"carrier":"bike","number":"7"}`}, env: []string{"KINDGI_LOG_LEVEL=loud"}}.run(t)
	if !strings.HasPrefix(got.stderr, "warning: KINDGI_LOG_LEVEL is \"loud\": it must be error, warn, info, debug or trace\n") {
		t.Errorf("got %q", got.stderr)
	}
}

// TestCallOwnRecords are in one order and one form with the service's, and none is lost.
func TestCallOwnRecords(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"KINDGI_LOG_FORMAT=pretty": `^\S+ INFO \[pack\.tool\] the shop's own record\n\S+ INFO \[pack\.tool\] refunding .*\n\S+ INFO \[pack\.tool\] the shop is closed\n$`,
		"KINDGI_LOG_FORMAT=auto":   `^{.*"message":"the shop's own record"}\n{.*"message":"refunding".*}\n{.*"message":"the shop is closed"}\n$`,
	} {
		got := command{args: []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`}, env: []string{"KINDGI_SHOP_TEST=start", setting}}.run(t)
		if got.code != 0 || !regexp.MustCompile(want).MatchString(got.stderr) {
			t.Errorf("%s: exit %d, stderr\n%s", setting, got.code, got.stderr)
		}
	}
	got := command{args: []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`}, env: []string{"KINDGI_SHOP_TEST=start-fails", "KINDGI_LOG_FORMAT=pretty"}}.run(t)
	if want := regexp.MustCompile(`^\S+ INFO \[pack\.tool\] the shop's own record\ncall: .*the database is locked\n$`); got.code != 1 || !want.MatchString(got.stderr) {
		t.Errorf("exit %d, stderr\n%s", got.code, got.stderr)
	}
}

type seen struct {
	Key, Tenant string
	Env         map[string]string
	Secrets     map[string]int
	Process     []string
}

// TestCallContext hands a call its context, and a secret only from a file.
func TestCallContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ctx"), []byte(`{"tenantId":"t9","idempotencyKey":"k","env":{"A":"1"},"secrets":{"other":"abc"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := []string{"STRAY=1", "SHOP_REGION=eu", "KINDGI_PACK_SERVICE_TOKEN=t"}
	got := command{
		args: []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`, "--ctx", "@ctx", "--secret", "pay-key=@key", "--env", "B=x=y", "--env", "A=2", "-v"},
		dir:  dir, env: append(environment, "KINDGI_LOG_FORMAT=pretty"),
	}.run(t)
	var s seen
	if err := json.Unmarshal([]byte(got.stdout), &s); err != nil || got.code != 0 {
		t.Fatalf("exit %d, %v: %q %q", got.code, err, got.stdout, got.stderr)
	}
	if s.Key != "k" || s.Tenant != "t9" || len(s.Env) != 3 || s.Env["REGION"] != "eu" || s.Env["A"] != "2" || s.Env["B"] != "x=y" || s.Secrets["pay-key"] != 7 || s.Secrets["other"] != 3 {
		t.Errorf("the handler saw %+v", s)
	}
	for _, want := range []string{"[pack.tool] refunding", "tool acme.shop.refund ok"} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%q is not in %q", want, got.stderr)
		}
	}
	if strings.Contains(got.stdout+got.stderr, "hunter2") || strings.Contains(got.stderr, "\x1b") {
		t.Errorf("a secret is shown, or colours: %q", got.stderr)
	}
	if slices.Contains(s.Process, "STRAY") || slices.Contains(s.Process, "KINDGI_PACK_SERVICE_TOKEN") || !slices.Contains(s.Process, "SHOP_REGION") || !slices.Contains(s.Process, "PATH") {
		t.Errorf("the handler's process environment has %q", s.Process)
	}

	got = command{args: []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`}, dir: dir, env: append(environment, "KINDGI_PACK_ENV_FILTER=off", "SHOP_BUCKET=")}.run(t)
	got.want(t, 1, "", "call: required env names are unset or empty: SHOP_BUCKET; set them, or KINDGI_PACK_ENV_CHECK=warn to call without\n")
	got = command{args: []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`}, dir: dir, env: append(environment, "KINDGI_PACK_ENV_FILTER=off", "SHOP_BUCKET=", "KINDGI_PACK_ENV_CHECK=warn")}.run(t)
	s = seen{}
	if err := json.Unmarshal([]byte(got.stdout), &s); err != nil || got.code != 0 {
		t.Fatalf("exit %d, %v: %q %q", got.code, err, got.stdout, got.stderr)
	}
	if !slices.Contains(s.Process, "STRAY") || slices.Contains(s.Process, "KINDGI_PACK_SERVICE_TOKEN") || s.Tenant != "local" {
		t.Errorf("the handler saw %+v", s)
	}
	if !strings.Contains(got.stderr, "warning: required env names are unset or empty: SHOP_BUCKET\n") {
		t.Errorf("the missing name is not told of: %q", got.stderr)
	}
}

// TestCallWithoutEnd is not fooled by a file that never ends.
func TestCallWithoutEnd(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero")
	}
	const over = "it is over 10 MiB, more than a call may have\n"
	call(t, "acme.shop.track", "@/dev/zero").want(t, 2, "", "call: cannot read /dev/zero: "+over)
	call(t, "acme.shop.track", "--secret", "A=@/dev/zero").want(t, 2, "", "call: --secret A: cannot read /dev/zero: "+over)
}

// TestCallLevels shows the records of a handler that the log's levels let through.
func TestCallLevels(t *testing.T) {
	t.Parallel()
	for setting, shown := range map[string]bool{
		"KINDGI_LOG_LEVEL=info":             true,
		"KINDGI_LOG_LEVEL=warn":             false,
		"KINDGI_LOG_LEVELS=pack.tool=error": false,
	} {
		got := command{
			args: []string{"call", "acme.shop.refund", `{"number":"1","cents":5}`, "--verbose"},
			env:  []string{setting},
		}.run(t)
		if strings.Contains(got.stderr, "tool acme.shop.refund ok") != (setting != "KINDGI_LOG_LEVEL=warn") {
			t.Errorf("%s: the call's record: got\n%s", setting, got.stderr)
		}
		if strings.Contains(got.stderr, "refunding") != shown {
			t.Errorf("%s: got\n%s", setting, got.stderr)
		}
	}
}
