package pack_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

type (
	openMessage struct {
		_       struct{} `jsonschema:"additionalProperties=true"`
		Message string   `json:"message"`
	}
	numbers struct {
		ID    int64  `json:"id"`
		Other string `json:"other,omitempty" jsonschema:"default=x"`
	}
	pause struct {
		Ms int `json:"ms"`
	}
	collections struct {
		A []int
		M map[string]int
	}
	amount struct {
		Cents int `json:"cents"`
	}
)

func (a *amount) Validate() error {
	if a.Cents%5 != 0 {
		return errors.Join(&schema.FieldError{Path: "/cents", Message: "must be in steps of five"}, errors.New("is odd"))
	}
	return nil
}

// notFound is an error type of a pack's own.
type notFound struct{ name string }

func (e *notFound) Error() string { return e.name + " is not there" }

// same returns its input.
func same[T any](_ context.Context, in T) (T, error) { return in, nil }

// returns gives a handler that returns a value.
func returns[Out any](out Out) func(context.Context, struct{}) (Out, error) {
	return func(context.Context, struct{}) (Out, error) { return out, nil }
}

// fails gives a handler that does something else than return.
func fails(f func() error) func(context.Context, struct{}) (struct{}, error) {
	return func(context.Context, struct{}) (struct{}, error) { return struct{}{}, f() }
}

type jsonAny struct {
	Value any `json:"value"`
}

type when struct {
	At time.Time `json:"at"`
}

type failing struct {
	Value failingValue `json:"value"`
}

// failingValue panics, exits or fails as it is encoded.
type failingValue string

func (v failingValue) MarshalText() ([]byte, error) {
	switch v {
	case "panic":
		panic("no text")
	case "goexit":
		runtime.Goexit()
	}
	return nil, errors.New("no text for it")
}

func (failingValue) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func (v *failingValue) UnmarshalText(b []byte) error { *v = failingValue(b); return nil }

func testPack() *pack.Builder {
	b := pack.New("t", "1.0.0")
	add := func(name string) pack.Tool { return pack.Tool{ID: "t." + name} }
	pack.AddTool(b, add("open"), same[openMessage])
	pack.AddTool(b, add("numbers"), same[numbers])
	pack.AddTool(b, add("pause"), same[pause])
	pack.AddTool(b, add("any"), same[jsonAny])
	pack.AddTool(b, add("raw"), func(_ context.Context, in jsontext.Value) (jsontext.Value, error) { return in, nil })
	pack.AddTool(b, add("amount"), same[amount])
	pack.AddTool(b, add("collections"), returns(collections{}))
	pack.AddTool(b, add("nil"), returns[*word](nil))
	pack.AddTool(b, add("nan"), returns(math.NaN()))
	pack.AddTool(b, add("channel"), returns(jsonAny{make(chan int)}))
	cycle := map[string]any{}
	cycle["self"] = cycle
	pack.AddTool(b, add("cycle"), returns(jsonAny{cycle}))
	pack.AddTool(b, add("year"), returns(when{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}))
	for _, how := range []string{"fail", "panic", "goexit"} {
		pack.AddTool(b, add("marshal-"+how), returns(failing{failingValue(how)}))
	}
	pack.AddTool(b, add("error"), fails(func() error { return errors.New("boom") }))
	pack.AddTool(b, add("typed-error"), fails(func() error { return fmt.Errorf("looking: %w", &notFound{"it"}) }))
	pack.AddTool(b, add("own-error"), fails(func() error { return &notFound{"it"} }))
	pack.AddTool(b, add("panic"), fails(func() error { panic("ouch") }))
	//lint:ignore SA5000 the panic is what is tested
	pack.AddTool(b, add("panic-nil-map"), fails(func() error { var m map[string]int; m["x"] = 1; return nil }))
	pack.AddTool(b, add("goexit"), fails(func() error { runtime.Goexit(); return nil }))
	pack.AddTool(b, pack.Tool{ID: "t.versions", Version: "2.0.0"}, returns("two"))
	pack.AddTool(b, pack.Tool{ID: "t.versions", Version: "1.0.0"}, returns("one"))
	pack.AddHTTPTool[word, word](b, add("http"), protocol.HTTPSpec{Method: "GET", URLTemplate: "https://api.example.com/{word}"})
	pack.AddCheck(b, pack.Check{ID: "t.limit", CheckID: "t.checks.limit", OnViolation: pack.Halt},
		func(_ context.Context, c limit, run *protocol.RunTrace) (protocol.CheckResult, error) {
			if len(run.Output) < c.MinLength {
				return protocol.CheckResult{Reason: "too short"}, nil
			}
			return protocol.CheckResult{Passed: true}, nil
		})
	pack.AddCheck(b, pack.Check{ID: "t.throws", OnViolation: pack.LogOnly},
		func(context.Context, struct{}, *protocol.RunTrace) (protocol.CheckResult, error) {
			return protocol.CheckResult{}, errors.New("check boom")
		})
	return b
}

type limit struct {
	MinLength int    `json:"minLength,omitempty" jsonschema:"minimum=0,default=1"`
	Word      string `json:"word"`
}

// TestOutputs calls tools that succeed.
func TestOutputs(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	tests := []struct{ tool, input, want string }{
		{"t.open", `{"message":"hi","MESSAGE":"x"}`, `{"message":"hi"}`},
		{"t.numbers", `{"id":9007199254740993}`, `{"id":9007199254740993,"other":"x"}`},
		{"t.numbers", `{"id":-9223372036854775808,"other":"y"}`, `{"id":-9223372036854775808,"other":"y"}`},
		{"t.any", `{"value":{"id":9007199254740993}}`, `{"value":{"id":9007199254740993}}`},
		{"t.raw", `{"id":9007199254740993,"f":1.50}`, `{"id":9007199254740993,"f":1.50}`},
		{"t.pause", `{"ms":1.0}`, `{"ms":1}`},
		{"t.pause", `{"ms":1e0}`, `{"ms":1}`},
		{"t.pause", `{"ms":100e-2}`, `{"ms":1}`},
		{"t.collections", `{}`, `{"A":[],"M":{}}`},
		{"t.amount", `{"cents":5}`, `{"cents":5}`},
	}
	for _, test := range tests {
		t.Run(test.tool+test.input, func(t *testing.T) {
			t.Parallel()
			wantOutput(t, s.call(t, test.tool, test.input), test.want)
		})
	}
}

// TestFailures calls tools that fail, in every way a tool can.
func TestFailures(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	tests := []struct{ tool, input, code, message string }{
		{"t.amount", `{"cents":7}`, "input-validation-failed", `Tool "t.amount" input failed validation`},
		{"t.open", `{"message":1}`, "input-validation-failed", `Tool "t.open" input failed validation`},
		{"t.nil", `{}`, "output-validation-failed", `Tool "t.nil" handler produced output that failed validation`}, // null is no object
		{"t.open", `null`, "input-validation-failed", `Tool "t.open" input failed validation`},
		{"t.raw", `{"a":{"x":1},"a":{"y":2}}`, "malformed-message", `Request body is not valid JSON`},
		{"t.raw", `1e400`, "malformed-message", `Request body is not valid JSON`},
		{"t.raw", `1e1000001`, "malformed-message", `Request body is not valid JSON`},
		{"t.raw", strings.Repeat("9", 5000), "malformed-message", `Request body is not valid JSON`},
		{"t.raw", "\"\xff\"", "malformed-message", `Request body is not valid JSON`},
		{"t.raw", strings.Repeat("[", 10001) + strings.Repeat("]", 10001), "malformed-message", `Request body is not valid JSON`},
		{"t.raw", `{}}`, "malformed-message", `Request body is not valid JSON`},
		{"t.error", `{}`, "handler-throw", `Handler for tool "t.error" threw: Error: boom`},
		{"t.typed-error", `{}`, "handler-throw", `Handler for tool "t.typed-error" threw: Error: looking: it is not there`},
		{"t.own-error", `{}`, "handler-throw", `Handler for tool "t.own-error" threw: notFound: it is not there`},
		{"t.panic", `{}`, "handler-throw", `Handler for tool "t.panic" threw: panic: ouch`},
		{"t.panic-nil-map", `{}`, "handler-throw", `Handler for tool "t.panic-nil-map" threw: panic: assignment to entry in nil map`},
		{"t.goexit", `{}`, "handler-throw", `Handler for tool "t.goexit" threw: Goexit: the handler ended its goroutine with runtime.Goexit`},
		{"t.marshal-panic", `{}`, "handler-throw", `Handler for tool "t.marshal-panic" threw: panic: no text`},
		{"t.marshal-goexit", `{}`, "handler-throw", `Handler for tool "t.marshal-goexit" threw: Goexit: the handler ended its goroutine with runtime.Goexit`},
		{"t.none", `{}`, "tool-not-in-pack", `This pack has no tool "t.none"`},
		{"t.http", `{"word":"x"}`, "handler-throw", `Handler for tool "t.http" threw: Error: this tool is an HTTP request that the runtime makes itself; its pack service has no handler for it`},
	}
	for _, test := range tests {
		t.Run(test.tool, func(t *testing.T) {
			t.Parallel()
			got := s.call(t, test.tool, test.input)
			wantError(t, got, test.code, test.message)
			if test.code == "handler-throw" && (got.Cause.Name == "" || got.Cause.Message == "" || got.Cause.Stack == "") {
				t.Errorf("the cause is incomplete: %+v", got.Cause)
			}
			if want := test.tool; test.code != "malformed-message" && got.ToolID != want {
				t.Errorf("toolId is %q", got.ToolID)
			}
		})
	}
	// The service lives on.
	wantOutput(t, s.call(t, "t.pause", `{"ms":1}`), `{"ms":1}`)
}

// TestNotJSON returns values that JSON cannot hold.
func TestNotJSON(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	for _, tool := range []string{"t.nan", "t.channel", "t.cycle", "t.year", "t.marshal-fail"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			got := s.call(t, tool, `{}`)
			prefix := fmt.Sprintf("Tool %q handler produced output that is not JSON: ", tool)
			if got.Code != "output-validation-failed" || !strings.HasPrefix(got.Message, prefix) || len(got.Message) == len(prefix) || got.Issues != nil {
				t.Errorf("got %s", got.body)
			}
		})
	}
}

// TestOwnValidation gives the issues of a type's own validation their places.
func TestOwnValidation(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	got := s.call(t, "t.amount", `{"cents":7}`)
	if len(got.Issues) != 2 || got.Issues[0].InstancePath != "/cents" || got.Issues[0].Message != "must be in steps of five" ||
		got.Issues[1].InstancePath != "" || got.Issues[1].Message != "is odd" || got.Issues[0].Keyword != "" {
		t.Errorf("got %s", got.body)
	}
}

// TestVersions calls a tool that has two versions.
func TestVersions(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	message := func(version string) string {
		return `{"v":2,"kind":"invoke","tool":{"id":"t.versions"` + version + `},"input":{},"ctx":{"tenantId":"t","runId":"r"}}`
	}
	wantOutput(t, s.post(t, message(`,"version":"1.0.0"`)), `"one"`)
	wantOutput(t, s.post(t, message(`,"version":"2.0.0"`)), `"two"`)
	wantError(t, s.post(t, message(`,"version":"3.0.0"`)), "tool-version-mismatch", `Tool "t.versions" is 1.0.0, 2.0.0 in this pack; the caller asked for 3.0.0`)
	wantError(t, s.post(t, message(``)), "tool-version-mismatch", `Tool "t.versions" has several versions in this pack (1.0.0, 2.0.0); the caller named none`)
}

// TestChecks calls checks.
func TestChecks(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	message := func(id, config, trace string) string {
		return fmt.Sprintf(`{"v":2,"kind":"check-invoke","check":{"id":%q},"config":%s,"trace":%s}`, id, config, trace)
	}
	const trace = `{"runId":"r","tenantId":"t","output":"abc","toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"ci"}`
	got := s.post(t, message("t.checks.limit", `{"word":"x","minLength":4}`, trace))
	if got.Kind != "check-result" || string(got.Result) != `{"passed":false,"reason":"too short"}` {
		t.Errorf("got %s", got.body)
	}
	got = s.post(t, message("t.checks.limit", `{"word":"x"}`, trace))
	if got.Kind != "check-result" || string(got.Result) != `{"passed":true}` {
		t.Errorf("got %s", got.body)
	}
	wantError(t, s.post(t, message("t.checks.limit", `{"word":"x","minLength":-1}`, trace)), "input-validation-failed",
		`Check "t.checks.limit" config failed validation at /minLength: must be >= 0`)
	wantError(t, s.post(t, message("t.checks.limit", `{}`, trace)), "input-validation-failed",
		`Check "t.checks.limit" config failed validation: must have required property 'word'`)
	wantError(t, s.post(t, message("t.throws", `{"any":1}`, trace)), "handler-throw", `Check "t.throws" evaluate() threw: Error: check boom`)
	wantError(t, s.post(t, message("t.limit", `{}`, trace)), "check-not-in-pack", `This pack has no check "t.limit"`)
}

// TestSecretsStayInside throws an error that holds a secret of the call.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.leak"}, func(ctx context.Context, _ struct{}) (struct{}, error) {
		call, _ := pack.CallFromContext(ctx)
		secret, _ := call.Secret("key")
		call.Log.Info("with " + secret)
		return struct{}{}, fmt.Errorf("denied for %s (%v %+v)", secret, call, *call)
	})
	log := new(syncBuffer)
	s := start(t, b, pack.Options{Log: &pack.LogOptions{Output: log}})
	got := s.post(t, `{"v":2,"kind":"invoke","tool":{"id":"t.leak"},"input":{},"ctx":{"tenantId":"t","runId":"r","secrets":{"key":"hunter2hunter2"}}}`)
	if got.Code != "handler-throw" || strings.Contains(got.body, "hunter2") {
		t.Errorf("got %s", got.body)
	}
	if strings.Contains(log.String(), "hunter2") {
		t.Errorf("the records hold the secret: %s", log)
	}
}

// TestTransport answers what is not a call.
func TestTransport(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{TenantID: "t1"})
	tenant := func(id string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Kindgi-Tenant-Id", id) }
	}
	edit := func(f func(*http.Request)) func(*http.Request) { return f }
	tests := []struct {
		name   string
		edit   func(*http.Request)
		status int
		body   string
	}{
		{"route", edit(func(r *http.Request) { r.URL.Path = "/v1/invoke/" }), 404, `{"error":"No route /v1/invoke/"}`},
		{"query", edit(func(r *http.Request) { r.URL.RawQuery = "x=1"; tenant("t1")(r) }), 200, ``},
		{"method", edit(func(r *http.Request) { r.Method = "PUT" }), 405, `{"error":"Use POST"}`},
		{"token", edit(func(r *http.Request) { r.Header.Set("Kindgi-Pack-Token", "x") }), 401, `{"error":"Bad pack token"}`},
		{"no token", edit(func(r *http.Request) { r.Header.Del("Kindgi-Pack-Token") }), 401, `{"error":"Bad pack token"}`},
		{"tenant", tenant("t2"), 421, `{"code":"pack-tenant-mismatch"}`},
		{"no tenant", edit(func(*http.Request) {}), 421, `{"code":"pack-tenant-mismatch"}`},
		{"media type", edit(func(r *http.Request) { tenant("t1")(r); r.Header.Set("Content-Type", "text/plain") }), 415, `{"error":"Use Content-Type: application/json"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := s.call(t, "t.pause", `{"ms":1}`, test.edit)
			if got.status != test.status || test.body != "" && got.body != test.body {
				t.Errorf("got %d %s", got.status, got.body)
			}
			if got.header.Get("Content-Type") != "application/json; charset=utf-8" || got.header.Get("Content-Length") == "" {
				t.Errorf("the headers are %v", got.header)
			}
		})
	}
	got := s.post(t, strings.Replace(toolMessage("t.pause", `{"ms":1}`), "t1", "t2", 1), tenant("t1"))
	if got.status != 421 {
		t.Errorf("a context of another tenant: got %d %s", got.status, got.body)
	}
}
