package protocol_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

const toolCall = `{"v":2,"kind":"invoke","tool":{"id":"acme.orders.lookup","version":"1.2.0"},` +
	`"input":{"number":"A-1","id":9007199254740993},` +
	`"ctx":{"tenantId":"t1","runId":"r1","projectId":"p1","orgId":"o1","requestId":"call_0",` +
	`"idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a","env":{"REGION":"eu"},` +
	`"secrets":{"KEY":"hunter22"},"config":{},"settings":{"tone":{"warm":true}},"region":{"x":1.50}}}`

func TestParseToolInvoke(t *testing.T) {
	t.Parallel()
	body := []byte(toolCall)
	request, err := protocol.ParseRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := request.(*protocol.ToolInvoke)
	if !ok {
		t.Fatalf("got a %T", request)
	}
	c := m.Context
	for _, s := range []struct{ name, got, want string }{
		{"tool id", m.ToolID, "acme.orders.lookup"},
		{"version", m.Version, "1.2.0"},
		{"input", string(m.Input), `{"number":"A-1","id":9007199254740993}`},
		{"tenant", c.TenantID, "t1"},
		{"run", c.RunID, "r1"},
		{"project", c.ProjectID, "p1"},
		{"org", c.OrgID, "o1"},
		{"request", c.RequestID, "call_0"},
		{"key", c.IdempotencyKey, "f6c8a374-b63c-5453-8320-1ca9c067447a"},
		{"env", fmt.Sprint(c.Env), "map[REGION:eu]"},
		{"secret", string(c.Secrets["KEY"]), `"hunter22"`},
		{"settings", string(c.Settings["tone"]), `{"warm":true}`},
	} {
		if s.got != s.want {
			t.Errorf("%s: got %q, want %q", s.name, s.got, s.want)
		}
	}
	if c.Config == nil || len(c.Config) != 0 {
		t.Errorf("config: got %v, want an empty map", c.Config)
	}
	if region, ok := c.Field("region"); !ok || string(region) != `{"x":1.50}` {
		t.Errorf("Field(region) = %s, %t", region, ok)
	}
	if _, ok := c.Field("absent"); ok {
		t.Error("Field gave a member that was not sent")
	}
	if !bytes.Contains(body, m.Input) || &m.Input[0] != &body[bytes.Index(body, m.Input)] {
		t.Error("the input is a copy, not a slice of the body")
	}
}

func TestParseCheckInvoke(t *testing.T) {
	t.Parallel()
	request, err := protocol.ParseRequest([]byte(
		" {\"kind\":\"check-invoke\", \"v\":2e0,\n\"check\":{\"id\":\"a.c\",\"new\":1},\"config\":{\"n\": 1},\"trace\":[]} "))
	if err != nil {
		t.Fatal(err)
	}
	m, ok := request.(*protocol.CheckInvoke)
	if !ok || m.CheckID != "a.c" || string(m.Config) != `{"n": 1}` || string(m.Trace) != "[]" {
		t.Errorf("got %+v", request)
	}
}

// The texts are those that runtimes and their operators match on.
func TestParseRequestRefuses(t *testing.T) {
	t.Parallel()
	ctx := `,"ctx":{"tenantId":"t","runId":"r"}}`
	for _, c := range []struct{ body, code, message string }{
		{``, "malformed-message", "Request body is not valid JSON"},
		{`nope`, "malformed-message", "Request body is not valid JSON"},
		{"\xef\xbb\xbf{}", "malformed-message", "Request body is not valid JSON"},
		{`{"v":2} x`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"v":2}`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"\u0076":2}`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"input":"` + "\xff" + `"}`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"input":"\ud800"}`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"input":1e400}`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"input":1e1000001}`, "malformed-message", "Request body is not valid JSON"},
		{`{"v":2,"input":` + strings.Repeat("7", 5000) + `}`, "malformed-message", "Request body is not valid JSON"},
		{strings.Repeat("[", 10001) + strings.Repeat("]", 10001), "malformed-message", "Request body is not valid JSON"},
		{`[]`, "malformed-message", "Message must be a JSON object"},
		{`null`, "malformed-message", "Message must be a JSON object"},
		{`"v"`, "malformed-message", "Message must be a JSON object"},
		{`{}`, "unknown-protocol-version", "Expected protocol v2, got undefined"},
		{`{"V":2}`, "unknown-protocol-version", "Expected protocol v2, got undefined"},
		{`{"v":1}`, "unknown-protocol-version", "Expected protocol v2, got 1"},
		{`{"v":3.0}`, "unknown-protocol-version", "Expected protocol v2, got 3"},
		{`{"v":-0}`, "unknown-protocol-version", "Expected protocol v2, got 0"},
		{`{"v":1E21}`, "unknown-protocol-version", "Expected protocol v2, got 1e+21"},
		{`{"v":9007199254740993}`, "unknown-protocol-version", "Expected protocol v2, got 9007199254740992"},
		{`{"v":"2"}`, "unknown-protocol-version", `Expected protocol v2, got "2"`},
		{`{"v":"\u0032\/\u00e9"}`, "unknown-protocol-version", `Expected protocol v2, got "2/é"`},
		{`{"v":null}`, "unknown-protocol-version", "Expected protocol v2, got null"},
		{`{"v":true}`, "unknown-protocol-version", "Expected protocol v2, got true"},
		{`{"v":[ 2, {"a" : 1.0} ]}`, "unknown-protocol-version", `Expected protocol v2, got [2,{"a":1}]`},
		{`{"v":"` + strings.Repeat("é", 500) + `"}`, "unknown-protocol-version", `Expected protocol v2, got "` + strings.Repeat("é", 99) + "…"},
		{`{"v":2}`, "unexpected-message-kind", "Unknown request kind undefined"},
		{`{"v":2,"kind":"ping"}`, "unexpected-message-kind", "Unknown request kind ping"},
		{`{"v":2,"kind":"Invoke"}`, "unexpected-message-kind", "Unknown request kind Invoke"},
		{`{"v":2,"kind":7.0}`, "unexpected-message-kind", "Unknown request kind 7"},
		{`{"v":2,"kind":null}`, "unexpected-message-kind", "Unknown request kind null"},
		{`{"v":2,"kind":{"a": 1}}`, "unexpected-message-kind", `Unknown request kind {"a":1}`},
		{`{"v":2,"kind":"invoke"` + ctx, "malformed-message", "`tool.id` is required"},
		{`{"v":2,"kind":"invoke","tool":"a"` + ctx, "malformed-message", "`tool.id` is required"},
		{`{"v":2,"kind":"invoke","tool":{"id":""}` + ctx, "malformed-message", "`tool.id` is required"},
		{`{"v":2,"kind":"invoke","tool":{"ID":"a"}` + ctx, "malformed-message", "`tool.id` is required"},
		{`{"v":2,"kind":"invoke","tool":{"id":7,"version":7}` + ctx, "malformed-message", "`tool.id` is required"},
		{`{"v":2,"kind":"invoke","tool":{"id":"a","version":7}}`, "malformed-message", "`tool.version` must be a string"},
		{`{"v":2,"kind":"invoke","tool":{"id":"a","version":null}` + ctx, "malformed-message", "`tool.version` must be a string"},
		{`{"v":2,"kind":"invoke","tool":{"id":"a"}}`, "malformed-message", "`ctx` needs string `tenantId` and `runId`"},
		{`{"v":2,"kind":"invoke","tool":{"id":"a"},"ctx":[]}`, "malformed-message", "`ctx` needs string `tenantId` and `runId`"},
		{`{"v":2,"kind":"invoke","tool":{"id":"a"},"ctx":{"tenantId":"t"}}`, "malformed-message", "`ctx` needs string `tenantId` and `runId`"},
		{`{"v":2,"kind":"invoke","tool":{"id":"a"},"ctx":{"tenantId":"t","runId":1}}`, "malformed-message", "`ctx` needs string `tenantId` and `runId`"},
		{`{"v":2,"kind":"check-invoke"}`, "malformed-message", "`check.id` is required"},
		{`{"v":2,"kind":"check-invoke","check":{}}`, "malformed-message", "`check.id` is required"},
		{`{"v":2,"kind":"check-invoke","check":{"id":"c"}}`, "malformed-message", "`config` must be an object"},
		{`{"v":2,"kind":"check-invoke","check":{"id":"c"},"config":[]}`, "malformed-message", "`config` must be an object"},
		{`{"v":2,"kind":"check-invoke","check":{"id":"c"},"config":null}`, "malformed-message", "`config` must be an object"},
	} {
		_, err := protocol.ParseRequest([]byte(c.body))
		e, ok := errors.AsType[*protocol.Error](err)
		if !ok {
			t.Errorf("%.60s: got %v, want an *Error", c.body, err)
			continue
		}
		if string(e.Code) != c.code || e.Message != c.message {
			t.Errorf("%.60s:\n got %s %q\nwant %s %q", c.body, e.Code, e.Message, c.code, c.message)
		}
		if notJSON := c.message == "Request body is not valid JSON"; notJSON != (e.Cause != nil) {
			t.Errorf("%.60s: cause %+v", c.body, e.Cause)
		} else if notJSON && (e.Cause.Name != "SyntaxError" || e.Cause.Message == "") {
			t.Errorf("%.60s: cause %+v", c.body, e.Cause)
		}
	}
}

func TestParseRequestAccepts(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"v":2.0,"kind":"invoke","tool":{"id":"a"},"ctx":{"tenantId":"t","runId":"r"}}`,
		`{"v":20e-1,"kind":"invoke","tool":{"id":"a","version":""},"ctx":{"tenantId":"","runId":""},"later":[1]}`,
		`{"\u0076":2,"k\u0069nd":"inv\u006fke","tool":{"id":"a"},"ctx":{"tenantId":"t","runId":"r"}}`,
	} {
		if _, err := protocol.ParseRequest([]byte(body)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestContextOfUnexpectedTypes(t *testing.T) {
	t.Parallel()
	body := `{"v":2,"kind":"invoke","tool":{"id":"a"},"ctx":{"tenantId":"t","runId":"r","projectId":7,` +
		`"env":{"A":"a","B":1},"secrets":[],"settings":"x","idempotencyKey":null}}`
	request, err := protocol.ParseRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	m := request.(*protocol.ToolInvoke)
	c := m.Context
	if c.ProjectID != "" || c.IdempotencyKey != "" || c.Secrets != nil || c.Settings != nil {
		t.Errorf("a member of another type reached its field: %v", c)
	}
	if fmt.Sprint(c.Env) != "map[A:a]" {
		t.Errorf("env: %v", c.Env)
	}
	if v, ok := c.Field("projectId"); !ok || string(v) != "7" {
		t.Errorf("Field(projectId) = %s, %t", v, ok)
	}
	if got := string(m.AppendTo(nil)); !strings.Contains(got, `"env":{"A":"a","B":1},"secrets":[]`) {
		t.Errorf("the context changed on the way: %s", got)
	}
}

func TestParseRequestAllocations(t *testing.T) {
	body := []byte(benchmarkCall())
	if n := testing.AllocsPerRun(100, func() { _, _ = protocol.ParseRequest(body) }); n > 3 {
		t.Errorf("%v allocations, want 3 at most", n)
	}
}

// benchmarkCall is a tool call of about 1 KB without env or secrets.
func benchmarkCall() string {
	var lines strings.Builder
	for i := range 9 {
		if i > 0 {
			lines.WriteByte(',')
		}
		fmt.Fprintf(&lines, `{"sku":"SKU-%04d","quantity":%d,"price":%d.95,"note":"handle with care"}`, i, i+1, i*10)
	}
	return `{"v":2,"kind":"invoke","tool":{"id":"acme.orders.place","version":"1.2.0"},"input":{"number":"A-100",` +
		`"lines":[` + lines.String() + `]},"ctx":{"tenantId":"tenant-1","runId":"4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13",` +
		`"projectId":"project-1","requestId":"call_0","idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a"}}`
}

func BenchmarkParseRequest(b *testing.B) {
	body := []byte(benchmarkCall())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := protocol.ParseRequest(body); err != nil {
			b.Fatal(err)
		}
	}
}
