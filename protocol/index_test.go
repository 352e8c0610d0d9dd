package protocol_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it):\n%s", path, got)
	}
}

// wholeIndex uses every field that an index has.
func wholeIndex() *protocol.Index {
	object := jsontext.Value(`{"type":"object"}`)
	tool := func(id, version string) protocol.IndexTool {
		return protocol.IndexTool{ID: id, Version: version, Input: object, Output: object, ModulePath: "main.go"}
	}
	full := tool("acme.orders.place", "1.2.0")
	full.Description = "Places an order; \u2028 <b>&"
	full.Input = jsontext.Value(`{"type":"object","properties":{"n":{"type":"number","maximum":1.0,"minimum":-0}},"required":["n"]}`)
	full.Effects = []protocol.Effect{{Kind: protocol.EffectWrites, Resource: "orders", Notes: "one row"}, {Kind: protocol.EffectNetwork}}
	full.Needs = []protocol.Need{{Name: "db"}, {Name: "cache", Optional: true}}
	full.NeedsSpec = &protocol.NeedsSpec{
		Env:          map[string]jsontext.Value{"REGION": jsontext.Value(`{"type":"string"}`)},
		Secrets:      map[string]jsontext.Value{"KEY": jsontext.Value(`{"type":"string"}`)},
		Config:       map[string]jsontext.Value{},
		Capabilities: []string{"wait"},
		Bindings:     []string{},
		Connections: map[string]*protocol.Connection{"mail": {As: protocol.ConnectionPerson, Unknown: map[string]jsontext.Value{
			"app": jsontext.Value(`"google"`)}}},
	}
	full.Sandbox = protocol.SandboxStrict
	full.Limits = &protocol.Limits{MemMB: 128, CPUMs: 500}
	full.Network = &protocol.Network{Kind: protocol.NetworkAllowlist, Hosts: []string{"b.example.com", "a.example.com"}}
	full.Mutating = new(false)
	http := tool("acme.orders.fetch", "")
	http.Spec = &protocol.HTTPSpec{
		Method:        "POST",
		URLTemplate:   "https://api.example.com/{id}",
		Headers:       []protocol.HTTPHeader{{Name: "Accept", Value: "application/json"}},
		Authorization: &protocol.HTTPAuthorization{Kind: protocol.AuthorizationHeader, HeaderName: "X-Key", SecretRef: &protocol.SecretRef{EnvName: "prod", Name: "KEY"}},
		RequestBody:   &protocol.HTTPRequestBody{Kind: protocol.BodyText, Template: "{id}"},
		TimeoutMs:     1500,
		ParseJSON:     new(false),
		SuccessStatus: &protocol.StatusRange{Min: 200, Max: 299},
	}
	return &protocol.Index{
		PackID: "acme.orders", PackVersion: "1.2.0", ArtifactVersion: "20260102.1", PublishedAt: "2026-01-02T03:04:05.678Z",
		Tools: []protocol.IndexTool{
			tool("acme.orders.\U0001F600", "1.0.0"), tool("acme.orders.\uFFFF", "1.0.0"),
			tool("acme.orders.v", "10.0.0"), tool("acme.orders.v", "9.0.0"), tool("acme.orders.v", "10.0.0-rc.1"),
			full, http,
		},
		Guardrails: []protocol.IndexGuardrail{{
			ID: "acme.orders.not-empty", Name: "Not empty", Kind: "check", Severity: protocol.SeverityError,
			Scope:   &protocol.Scope{When: protocol.WhenAlways, Agents: []string{"acme.orders.clerk"}, Flows: []string{}, Tenants: []string{"t"}},
			Action:  protocol.Action{OnViolation: protocol.ActionRetry, Retry: &protocol.Retry{MaxAttempts: 2}},
			CheckID: "acme.orders.checks.not-empty", CheckModulePath: "checks.go",
			ConfigSchema: object, Config: jsontext.Value(`{"min":1e0}`), Sandbox: protocol.SandboxNone,
			Limits: &protocol.Limits{MemMB: 1, CPUMs: 1}, Network: &protocol.Network{Kind: protocol.NetworkNone},
		}, {
			ID: "acme.orders.escalated", Kind: "check", CheckModulePath: "checks.go",
			Action: protocol.Action{OnViolation: protocol.ActionEscalate, EscalateTo: "support"},
		}, {
			ID: "acme.orders.compensated", Kind: "check", CheckModulePath: "checks.go",
			Action: protocol.Action{OnViolation: protocol.ActionCompensate, CompensateWith: "acme.orders.cancel"},
		}},
		Agents: []protocol.Agent{{
			ID: "acme.orders.clerk", Version: "1.0.0", Name: "Clerk", ModulePath: "agents.go",
			Instructions: protocol.Instructions{Text: "Answer."},
			Tools:        []protocol.ToolRef{{ID: "acme.orders.v", Version: "9.0.0"}, {ID: "acme.orders.place", Version: "1.2.0"}},
			Description:  "d", Tags: []string{"b", "a"}, Guardrails: []string{"acme.orders.not-empty"},
			PreferredProvider: "p", PreferredModel: "m",
			Settings: jsontext.Value(`[]`), ModelSettings: jsontext.Value(`{"temperature":0.10}`), Retrieval: jsontext.Value(`{}`),
			Budget: jsontext.Value(`{"maxUsd":1.50}`), Parameters: object, ConversationPolicy: jsontext.Value(`{}`),
			Output: object, ToolErrors: jsontext.Value(`"return"`),
			Unknown: map[string]jsontext.Value{"later": jsontext.Value(`{"z":1,"a":[1E2]}`)},
		}, {
			ID: "acme.orders.prompted", Version: "1.0.0", Name: "Prompted", ModulePath: "agents.go",
			Instructions: protocol.Instructions{Prompt: "acme.prompts.clerk", Version: "2.0.0"},
		}},
		Flows: []protocol.Flow{{
			ID: "acme.orders.intake", Version: "1.0.0", ModulePath: "flows.go", Name: "Intake", Description: "d", MaxParallelism: 2,
			Metadata: jsontext.Value(`{"owner":"ops"}`), Output: jsontext.Value(`{"from":"lookup"}`),
			Nodes: []protocol.Node{{ID: "lookup", Kind: protocol.NodeTool, Ref: "acme.orders.v", Unknown: map[string]jsontext.Value{"input": jsontext.Value(`{"b":1,"a":2}`)}}},
			Edges: []protocol.Edge{{ID: "in", From: protocol.Start, To: "lookup"}, {ID: "out", From: "lookup", To: protocol.End, Unknown: map[string]jsontext.Value{"when": jsontext.Value(`true`)}}},
		}},
		Env: &protocol.IndexEnv{Optional: []string{"Z", "A"}, Required: nil},
	}
}

func TestIndexBytes(t *testing.T) {
	t.Parallel()
	b, err := wholeIndex().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "index/whole.json", b)
	x, err := protocol.ParseIndex(b)
	if err != nil {
		t.Fatal(err)
	}
	again, err := x.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, again) {
		t.Errorf("reading an index and writing it changed it:\n%s", again)
	}

	empty, err := (&protocol.Index{}).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "index/empty.json", empty)
}

func TestIndexBytesLeavesTheIndexAlone(t *testing.T) {
	t.Parallel()
	x := wholeIndex()
	before, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Bytes(); err != nil {
		t.Fatal(err)
	}
	after, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("Bytes changed the index")
	}
}

func TestIndexBytesRefuses(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{"maximum":1e400}`, `{"a":1,"a":2}`, `{`, "\"\xff\"", `"\ud800"`} {
		x := wholeIndex()
		x.Tools[0].Input = jsontext.Value(raw)
		if b, err := x.Bytes(); err == nil || !strings.Contains(err.Error(), `"acme.orders"`) {
			t.Errorf("%s: got %d bytes and %v", raw, len(b), err)
		}
	}
}

func TestParseIndexVersion(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"v":2}`:           "Index envelope v2 is not v1",
		`{"v":1.5}`:         "Index envelope v1.5 is not v1",
		`{"v":"1"}`:         `Index envelope v"1" is not v1`,
		`{}`:                "Index envelope vundefined is not v1",
		`{"v":null}`:        "Index envelope vnull is not v1",
		`{"v":2,"tools":1}`: "Index envelope v2 is not v1",
	} {
		_, err := protocol.ParseIndex([]byte(document))
		_, ok := errors.AsType[*protocol.IndexVersionError](err)
		if !ok || err.Error() != want {
			t.Errorf("%s: got %v, want %s", document, err, want)
		}
	}
}

func TestParseIndexRefuses(t *testing.T) {
	t.Parallel()
	const head = `"v":1,"packId":"a","packVersion":"1.0.0","artifactVersion":"1","publishedAt":"2026-01-02T03:04:05.678Z"`
	const tool = `{"id":"a.t","input":{},"output":{},"modulePath":"m.go"}`
	for _, c := range []struct{ document, want string }{
		{`{"v":1`, "the index is not valid JSON: unexpected end of the text at byte 6"},
		{`[]`, "the index is not an object but a list"},
		{` null`, "the index is not an object but null"},
		{`{` + head + `,"tools":[],"guardrails":[],"agents":[]}`, "/flows is required"},
		{`{` + head + `,"tools":{},"guardrails":[],"agents":[],"flows":7}`, "/tools must be a list, not an object\n/flows must be a list, not 7"},
		{`{` + head + `,"tools":[` + tool + `,7,{"id":"b.t","input":true,"output":{},"modulePath":null}],"guardrails":[],"agents":[],"flows":[]}`,
			"/tools/1 must be an object, not 7\n/tools/2/input must be an object, not true\n/tools/2/modulePath must be text, not null"},
		{`{` + head + `,"tools":[` + tool + `,` + tool + `],"guardrails":[],"agents":[],"flows":[]}`, `/tools/1: "a.t" is at /tools/0 already`},
		{`{` + head + `,"tools":[],"guardrails":[{"id":"g","kind":"k","action":{"on-violation":1},"checkModulePath":"c"}],"agents":[],"flows":[]}`,
			"/guardrails/0/action/on-violation must be text, not 1"},
		{`{` + head + `,"tools":[],"guardrails":[],"agents":[{"id":"a","version":"1.0.0","name":"n","instructions":1,"capabilities":[],"tools":[{"id":"x"}],"modulePath":"m"}],"flows":[]}`,
			"/agents/0/instructions must be text or an object, not 1\n/agents/0/tools/0/version is required"},
		{`{` + head + `,"tools":[{"id":"","input":{},"output":{},"modulePath":"m","spec":{"kind":"mcp"}}],"guardrails":[],"agents":[],"flows":[]}`,
			"/tools/0/spec/kind must be \"http\", not \"mcp\"\n/tools/0/spec/method is required\n/tools/0/spec/urlTemplate is required"},
		{`{` + head + `,"tools":[{"id":"a","input":{},"output":{},"modulePath":"m","needsSpec":{"connections":{"a/b~":{}}}}],"guardrails":[],"agents":[],"flows":[]}`,
			"/tools/0/needsSpec/connections/a~1b~0/as is required"},
		{`{` + head + `,"tools":[],"guardrails":[],"agents":[],"flows":[{"id":"","version":"1.0.0","nodes":[],"edges":[],"kernelPayloadVersion":1,"modulePath":""}]}`,
			"/flows/0/id is empty"},
	} {
		_, err := protocol.ParseIndex([]byte(c.document))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.document, err, c.want)
		}
	}
}

func TestParseIndexBoundsItsErrors(t *testing.T) {
	t.Parallel()
	document := `{"v":1,"packId":"a","packVersion":"1.0.0","artifactVersion":"1","publishedAt":"","guardrails":[],"agents":[],"flows":[],` +
		`"tools":[` + strings.Repeat("7,", 5000) + `7]}`
	_, err := protocol.ParseIndex([]byte(document))
	if err == nil || strings.Count(err.Error(), "\n") > 100 {
		t.Errorf("got %.200v", err)
	}
}

func TestParseIndexKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	document := []byte(`{"v":1,"packId":"a","packVersion":"1.0.0","artifactVersion":"1","publishedAt":"","later":{"n":1.50},` +
		`"tools":[{"id":"a.t","description":"","input":{},"output":{},"modulePath":"m.go","pausable":true,` +
		`"needsSpec":{"capabilities":[{"id":1}],"new":0},"effects":[{"kind":"reads","weight":9007199254740993}]}],` +
		`"guardrails":[{"id":"g","kind":"k","action":{"on-violation":"page","escalateTo":{"team":"x"}},"checkModulePath":"c"}],` +
		`"agents":[],"flows":[{"id":"f","version":"1.0.0","nodes":[{"id":"n","kind":"fanout","ref":{"id":"x"}}],"edges":[],"kernelPayloadVersion":1,"modulePath":"m"}],` +
		`"env":{"optional":[],"required":[],"new":[]}}`)
	x, err := protocol.ParseIndex(document)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, document)
}

// sameJSON compares two documents as values, numbers by their text.
func sameJSON(t *testing.T, got, want []byte) {
	t.Helper()
	sort := func(document []byte) string {
		v := jsontext.Value(bytes.Clone(document))
		if err := v.Format(jsontext.ReorderRawObjects(true)); err != nil {
			t.Fatalf("%v: %s", err, document)
		}
		return string(v)
	}
	if g, w := sort(got), sort(want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	if got := protocol.Hash([]byte("abc")); got != "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(got)
	}
}
