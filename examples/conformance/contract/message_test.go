package contract_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The checks of a message, in the order in which they are made.
func TestMessages(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	const ctx = `"ctx":{"tenantId":"t","runId":"r"}`
	type row struct{ message, code, text string }
	rows := []row{}
	add := func(code, text string, messages ...string) {
		for _, m := range messages {
			rows = append(rows, row{m, code, text})
		}
	}
	add("malformed-message", "Request body is not valid JSON",
		``, ` `, `{`, `{"v":2`, `{"v":2}}`, `{"v":2} {"v":2}`, `{"v":2},`, `nul`, `{v:2}`, `{'v':2}`, `{"v":2,}`, `[1,]`, `{"v":02}`,
		`{"v":+2}`, `{"v":.2}`, `{"v":2.}`, `{"v":NaN}`, `{"v":2}//`, "\x00", "{\"a\":\"\n\"}", `{"a":"\x"}`, `"\u12"`,
		"\xff", "{\"a\":\"\xff\"}", "\uFEFF{}", "\xef\xbb\xbf{\"v\":2}", `{"v":2,"v":2}`, `<xml/>`, `v=2`)
	add("malformed-message", "Message must be a JSON object", `[]`, `"text"`, `2`, `null`, `true`, `[{"v":2}]`, ` [ ] `)
	for v, shown := range map[string]string{
		`1`: `1`, `3`: `3`, `"2"`: `"2"`, `null`: `null`, `true`: `true`, `[2]`: `[2]`, `{"a":1}`: `{"a":1}`, `-2`: `-2`, `2.5`: `2.5`, `""`: `""`,
	} {
		add("unknown-protocol-version", "Expected protocol v2, got "+shown, `{"v":`+v+`}`, `{"kind":"invoke","v":`+v+`}`, `{"kind":"nope","v":`+v+`}`)
	}
	add("unexpected-message-kind", "Unknown request kind nope", `{"v":2,"kind":"nope"}`, `{"v":2,"kind":"nope","tool":7,"ctx":7}`)
	add("unexpected-message-kind", "Unknown request kind Invoke", `{"v":2,"kind":"Invoke"}`)
	add("unexpected-message-kind", "Unknown request kind result", `{"v":2,"kind":"result","output":{}}`)
	for _, tool := range []string{``, `"tool":null,`, `"tool":"conformance.echo",`, `"tool":[],`, `"tool":{},`, `"tool":{"id":null},`,
		`"tool":{"id":7},`, `"tool":{"id":["conformance.echo"]},`, `"tool":{"ID":"conformance.echo"},`, `"tool":{"id":7,"version":7},`} {
		add("malformed-message", "`tool.id` is required", `{"v":2,"kind":"invoke",`+tool+`"input":{},`+ctx+`}`, `{"v":2,"kind":"invoke",`+tool+`"ctx":null}`)
	}
	for _, version := range []string{`7`, `null`, `[]`, `{}`, `true`} {
		tool := `"tool":{"id":"conformance.echo","version":` + version + `},`
		add("malformed-message", "`tool.version` must be a string", `{"v":2,"kind":"invoke",`+tool+`"input":{},`+ctx+`}`, `{"v":2,"kind":"invoke",`+tool+`"ctx":7}`)
	}
	for _, c := range []string{``, `,"ctx":null`, `,"ctx":7`, `,"ctx":[]`, `,"ctx":{}`, `,"ctx":{"tenantId":"t"}`, `,"ctx":{"runId":"r"}`,
		`,"ctx":{"tenantId":7,"runId":"r"}`, `,"ctx":{"tenantId":"t","runId":null}`, `,"ctx":{"tenantid":"t","runid":"r"}`} {
		// Before the tool is looked for and its input validated.
		add("malformed-message", "`ctx` needs string `tenantId` and `runId`",
			`{"v":2,"kind":"invoke","tool":{"id":"conformance.echo"},"input":{}`+c+`}`,
			`{"v":2,"kind":"invoke","tool":{"id":"conformance.nope"}`+c+`}`)
	}
	for _, check := range []string{``, `"check":null,`, `"check":"x",`, `"check":{},`, `"check":{"id":7},`} {
		add("malformed-message", "`check.id` is required", `{"v":2,"kind":"check-invoke",`+check+`"config":{},"trace":{}}`, `{"v":2,"kind":"check-invoke",`+check+`"config":7}`)
	}
	for _, config := range []string{``, `,"config":null`, `,"config":[]`, `,"config":"x"`, `,"config":7`} {
		add("malformed-message", "`config` must be an object",
			`{"v":2,"kind":"check-invoke","check":{"id":"conformance.checks.min-length"}`+config+`,"trace":{}}`,
			`{"v":2,"kind":"check-invoke","check":{"id":"conformance.checks.nope"}`+config+`,"trace":{}}`)
	}
	for i, r := range rows {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			a := svc.invoke(t, r.message)
			f := a.failed(t, r.code, r.text)
			if t.Failed() {
				t.Logf("message %q", r.message)
			}
			if f.Issues != nil {
				t.Errorf("a malformed message has issues: %v", a)
			}
		})
	}
	// A version or a kind that is missing, or no text, is refused as well.
	for message, code := range map[string]string{
		`{}`: "unknown-protocol-version", `{"kind":"invoke"}`: "unknown-protocol-version", `{"V":2,"kind":"invoke"}`: "unknown-protocol-version",
		`{"v":2}`: "unexpected-message-kind", `{"v":2,"kind":null}`: "unexpected-message-kind", `{"v":2,"kind":["invoke"]}`: "unexpected-message-kind",
	} {
		if f := svc.invoke(t, message).failure(t); f.Code != code {
			t.Errorf("%s: got %s %q, want %s", message, f.Code, f.Message, code)
		}
	}
	// A version is a number, however it is written.
	for _, v := range []string{"2", "2.0", "2e0", "0.2e1"} {
		svc.invoke(t, strings.Replace(toolCall("conformance.echo", `{"message":"hi"}`), `"v":2`, `"v":`+v, 1)).returned(t, `{"message":"hi"}`)
	}
}

// What a newer runtime adds is no error.
func TestUnknownFields(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	svc.invoke(t, `{"new":{"a":[1]},"v":2,"kind":"invoke","tool":{"id":"conformance.echo","new":1},"input":{"message":"hi"},`+
		`"ctx":{"new":null,"tenantId":"t","runId":"r","newer":{"x":1e3}},"check":7,"config":7}`).returned(t, `{"message":"hi"}`)
	svc.invoke(t, `{"v":2,"kind":"check-invoke","check":{"id":"conformance.checks.min-length","version":7},"config":{},`+
		`"trace":{"output":"x","new":[]},"new":1,"ctx":7,"tool":7}`).
		is(t, http.StatusOK, `{"v":2,"kind":"check-result","result":{"passed":true}}`)
	// Fields in any order, names escaped.
	svc.invoke(t, `{"ctx":{"runId":"r","tenant\u0049d":"t"},"input":{"m\u0065ssage":"hi"},"tool":{"id":"conformance.\u0065cho"},"kind":"invok\u0065","\u0076":2}`).
		returned(t, `{"message":"hi"}`)
}

func TestUnknownToolAndCheck(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	f := svc.call(t, "conformance.nope", `{}`).failed(t, "tool-not-in-pack", `This pack has no tool "conformance.nope"`)
	if f.ToolID != "conformance.nope" {
		t.Errorf("toolId %q", f.ToolID)
	}
	svc.call(t, "CONFORMANCE.ECHO", `{}`).failed(t, "tool-not-in-pack", `This pack has no tool "CONFORMANCE.ECHO"`)
	f = svc.evaluate(t, "conformance.checks.nope", `{}`, `"x"`).failed(t, "check-not-in-pack", `This pack has no check "conformance.checks.nope"`)
	if f.CheckID != "conformance.checks.nope" {
		t.Errorf("checkId %q", f.CheckID)
	}
	// A guardrail's own id is not its check's.
	svc.evaluate(t, "conformance.min-length", `{}`, `"x"`).failed(t, "check-not-in-pack", `This pack has no check "conformance.min-length"`)
}

func TestToolVersions(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	named := func(id, version string) answer {
		return svc.invoke(t, toolMessage(fmt.Sprintf(`{"id":%q,"version":%q}`, id, version), `{}`, `{"tenantId":"t","runId":"r"}`))
	}
	for _, version := range []string{"1.0.0", "2.0.0", "10.0.0"} {
		named("edges.versioned", version).returned(t, fmt.Sprintf(`{"text":%q}`, version))
	}
	f := named("edges.versioned", "3.0.0").
		failed(t, "tool-version-mismatch", `Tool "edges.versioned" is 1.0.0, 2.0.0, 10.0.0 in this pack; the caller asked for 3.0.0`)
	if f.ToolID != "edges.versioned" {
		t.Errorf("toolId %q", f.ToolID)
	}
	svc.call(t, "edges.versioned", `{}`).
		failed(t, "tool-version-mismatch", `Tool "edges.versioned" has several versions in this pack (1.0.0, 2.0.0, 10.0.0); the caller named none`)
	named("edges.empty", "1.0.0").returned(t, `{"A":[],"M":{}}`)
	named("edges.empty", "1.0").
		failed(t, "tool-version-mismatch", `Tool "edges.empty" is 1.0.0 in this pack; the caller asked for 1.0`)
}

// A handler reads the call's context, the fields that are new to this SDK too.
func TestCallContext(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	svc.call(t, "edges.call", `{}`).returned(t, `{"tenant":"tenant-1","run":"run-1","tool":"edges.call","version":"1.0.0","trace":""}`)
	svc.invoke(t, toolMessage(`{"id":"edges.call"}`, `{}`, `{"tenantId":"t","runId":"r","env":{"API_URL":"https://example.com"},`+
		`"secrets":{"key":"hunter2","db":{"user":"u","port":5432}},"settings":{"limits":{"max":3}},"newer":{"a":[1e2]}}`), "traceparent", sentTrace).
		returned(t, `{"tenant":"t","run":"r","tool":"edges.call","version":"1.0.0","trace":"0af7651916cd43dd8448eb211c80319c",`+
			`"env":"https://example.com","secret":"hunter2","db":{"user":"u","port":5432},"limits":{"max":3},"newer":"{\"a\":[1e2]}"}`)
}

// A verdict is open: what a check says beyond passed arrives.
func TestCheckResult(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	svc.evaluate(t, "edges.checks.word", `{"word":"words"}`, `"some words"`).
		is(t, http.StatusOK, `{"v":2,"kind":"check-result","result":{"passed":true,"attributes":{"at":5}}}`)
	svc.evaluate(t, "edges.checks.word", `{"word":"other"}`, `"some words"`).
		is(t, http.StatusOK, `{"v":2,"kind":"check-result","result":{"passed":false,"reason":"no such word","judgeResponse":"the judge: no","attributes":{"at":-1}}}`)
	svc.invoke(t, `{"v":2,"kind":"check-invoke","check":{"id":"edges.checks.word"},"config":{"word":"x"},"trace":{"output":"x","mood":{"n":1.50}}}`).
		is(t, http.StatusOK, `{"v":2,"kind":"check-result","result":{"passed":true,"attributes":{"at":0},"mood":{"n":1.50}}}`)
	// A trace that is none.
	for _, trace := range []string{`7`, `"x"`, `[]`} {
		if f := svc.invoke(t, `{"v":2,"kind":"check-invoke","check":{"id":"edges.checks.word"},"config":{"word":"x"},"trace":`+trace+`}`).failure(t); f.Code == "handler-throw" {
			t.Errorf("trace %s reached the check: %s", trace, f.Message)
		}
	}
}

// The protocol's other headers are for records; no value of them changes an answer.
func TestOtherHeaders(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, value := range []string{"", "2", "3", "x", "\u00e9", strings.Repeat("x", 5000)} {
		svc.call(t, "conformance.echo", `{"message":"hi"}`, "kindgi-run-id", value, "kindgi-request-id", value, "kindgi-protocol", value, "traceparent", value).
			returned(t, `{"message":"hi"}`)
	}
	// A message that cannot be read has its ids from them.
	svc.invoke(t, `{`, "kindgi-run-id", "run-9", "kindgi-request-id", "request-9", "kindgi-tenant-id", "tenant-9", "traceparent", sentTrace)
	r := svc.callRecord(t, "request-9")
	wellFormed(t, r)
	for name, want := range map[string]string{"outcome": "malformed-message", "level": "warn", "runId": "run-9", "tenantId": "tenant-9", "traceId": "0af7651916cd43dd8448eb211c80319c"} {
		if got := r.text(name); got != want {
			t.Errorf("%s %q, want %q: %s", name, got, want, r.line)
		}
	}
}
