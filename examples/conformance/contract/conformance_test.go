package contract_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"testing"
)

// Each tool of the conformance pack does what it is there for.
func TestConformanceTools(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	svc.call(t, "conformance.echo", `{"message":"Grüße \u0000\n\"😀"}`).returned(t, `{"message":"Grüße \u0000\n\"😀"}`)
	svc.call(t, "conformance.sleep", `{"ms":0}`).returned(t, `{"slept":0}`)
	svc.call(t, "conformance.sleep", `{"ms":25}`).returned(t, `{"slept":25}`)
	g := newGate(t)
	held := svc.hold(t, "conformance.hold", g)
	g.open(t)
	held.wait(t).returned(t, `{"released":true}`)

	for output, passed := range map[string]bool{`"x"`: true, `"  \n "`: false, `""`: false, `" y "`: true} {
		want := `{"v":2,"kind":"check-result","result":{"passed":true}}`
		if !passed {
			want = `{"v":2,"kind":"check-result","result":{"passed":false,"reason":"too short"}}`
		}
		svc.evaluate(t, "conformance.checks.min-length", `{}`, output).is(t, http.StatusOK, want)
	}
	const failed = `{"v":2,"kind":"check-result","result":{"passed":false,"reason":"too short"}}`
	const passed = `{"v":2,"kind":"check-result","result":{"passed":true}}`
	for config, want := range map[string]string{`{"minLength":4}`: failed, `{"minLength":3}`: passed, `{"minLength":0}`: passed, `{}`: passed} {
		svc.evaluate(t, "conformance.checks.min-length", config, `" äöü "`).is(t, http.StatusOK, want)
	}
	svc.evaluate(t, "conformance.checks.min-length", `{"minLength":-1}`, `"x"`).
		failed(t, "input-validation-failed", `Check "conformance.checks.min-length" config failed validation at /minLength: must be >= 0`)
	// A trace without an output has none.
	svc.invoke(t, `{"v":2,"kind":"check-invoke","check":{"id":"conformance.checks.min-length"},"config":{},"trace":{"runId":"r","tenantId":"t"}}`).
		is(t, http.StatusOK, failed)
	// The check without a configuration takes what it is sent.
	if f := svc.evaluate(t, "conformance.checks.throws", `{"any":"thing"}`, `"x"`).failure(t); f.Code != "handler-throw" {
		t.Errorf("got %s %q", f.Code, f.Message)
	}
}

// The handler finds the call context as it was sent.
func TestConformanceContext(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, ctx := range []string{
		`{"tenantId":"t","runId":"r"}`,
		`{"tenantId":"","runId":""}`,
		`{"tenantId":"t","runId":"r","requestId":"q","idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a","projectId":"p","orgId":"o",` +
			`"settings":{"block":{"a":[1,2.50,null],"b":"é"}},"env":{"API_URL":"https://example.com","EMPTY":""},` +
			`"secrets":{"db":"hunter2","nested":{"user":"u","key":9007199254740993}},"config":{"x":1e2}}`,
		`{"secrets":{},"env":{},"config":{},"settings":{},"runId":"r","tenantId":"t"}`,
	} {
		svc.invoke(t, toolMessage(`{"id":"conformance.context"}`, `{}`, ctx)).returned(t, ctx)
	}
}

// The pack's index is what the contract says of it, byte for byte.
func TestConformanceIndex(t *testing.T) {
	t.Parallel()
	path := writeIndex(t, "conformance", nil)
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../index.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the index is not examples/conformance/index.json; write it again with\n"+
			"go run ./examples/conformance index --pack-dir . --output examples/conformance/index.json --artifact-version %s --published-at %s\ngot\n%s",
			indexArtifact, indexPublished, got)
	}
	x := readIndex(t, path)
	for name, want := range map[string]any{
		"v": 1.0, "packId": "conformance", "packVersion": "1.0.0", "artifactVersion": indexArtifact, "publishedAt": indexPublished,
	} {
		if x[name] != want {
			t.Errorf("%s %v, want %v", name, x[name], want)
		}
	}
	for list, ids := range map[string][]string{
		"tools": {"conformance.bad-output", "conformance.context", "conformance.defaults", "conformance.echo", "conformance.hold",
			"conformance.noisy", "conformance.process-env", "conformance.sleep", "conformance.throws"},
		"guardrails": {"conformance.check-throws", "conformance.min-length"},
		"agents":     {"conformance.echo-agent"},
		"flows":      {"conformance.echo-flow"},
	} {
		got := []string{}
		for _, e := range x[list].([]any) {
			got = append(got, e.(map[string]any)["id"].(string))
		}
		if fmt.Sprint(got) != fmt.Sprint(ids) {
			t.Errorf("%s %q, want %q", list, got, ids)
		}
	}
	if _, ok := x["env"]; ok {
		t.Errorf("an env in the index of a pack that declares none")
	}
	for _, tool := range x["tools"].([]any) {
		if tool := tool.(map[string]any); tool["version"] != "1.0.0" {
			t.Errorf("%s is %v, want 1.0.0", tool["id"], tool["version"])
		}
	}
	minLength, throws := entry(t, x, "guardrails", "conformance.min-length"), entry(t, x, "guardrails", "conformance.check-throws")
	if got := fmt.Sprintf("%v %v %v", minLength["action"], minLength["severity"], minLength["checkId"]); got != "map[on-violation:halt] error conformance.checks.min-length" {
		t.Errorf("min-length %s", got)
	}
	if got := fmt.Sprintf("%v %v", throws["action"], throws["checkId"]); got != "map[on-violation:log-only] conformance.checks.throws" {
		t.Errorf("check-throws %s", got)
	}
	agent := entry(t, x, "agents", "conformance.echo-agent")
	if got := fmt.Sprintf("%v %v %v", agent["version"], agent["tools"], agent["guardrails"]); got != "1.0.0 [map[id:conformance.echo version:1.0.0]] [conformance.min-length]" {
		t.Errorf("agent %s", got)
	}
	flow := entry(t, x, "flows", "conformance.echo-flow")
	if got := fmt.Sprintf("%v %v %v", flow["version"], flow["kernelPayloadVersion"], flow["nodes"]); got != "1.0.0 1 [map[id:echo kind:tool ref:conformance.echo]]" {
		t.Errorf("flow %s", got)
	}
	between := map[string]bool{}
	for _, e := range flow["edges"].([]any) {
		e := e.(map[string]any)
		between[fmt.Sprint(e["from"], " ", e["to"])] = true
	}
	if len(between) != 2 || !between["$start echo"] || !between["echo $end"] {
		t.Errorf("edges %v", flow["edges"])
	}
}
