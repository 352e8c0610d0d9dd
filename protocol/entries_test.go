package protocol_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// Each entry, written as an author writes it and as an index carries it.
func TestEntries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entry json.Marshaler
		into  json.Unmarshaler
		want  string
	}{
		{protocol.Effect{Kind: protocol.EffectSensitiveDataEgress}, new(protocol.Effect), `{"kind":"sensitive-data-egress"}`},
		{protocol.Need{Name: "n"}, new(protocol.Need), `{"name":"n"}`},
		{protocol.NeedsSpec{}, new(protocol.NeedsSpec), `{}`},
		{protocol.NeedsSpec{Env: map[string]jsontext.Value{"B": jsontext.Value("true"), "A": jsontext.Value("{}")}, Capabilities: []string{}}, new(protocol.NeedsSpec),
			`{"env":{"A":{},"B":true},"capabilities":[]}`},
		{protocol.Connection{As: protocol.ConnectionCompany}, new(protocol.Connection), `{"as":"company"}`},
		{protocol.Limits{MemMB: 64}, new(protocol.Limits), `{"memMB":64,"cpuMs":0}`},
		{protocol.Network{Kind: protocol.NetworkUnrestricted}, new(protocol.Network), `{"kind":"unrestricted"}`},
		{protocol.HTTPHeader{Name: "A"}, new(protocol.HTTPHeader), `{"name":"A","value":""}`},
		{protocol.HTTPRequestBody{Kind: protocol.BodyInputPassthrough}, new(protocol.HTTPRequestBody), `{"kind":"input-passthrough"}`},
		{protocol.HTTPAuthorization{Unknown: map[string]jsontext.Value{"connection": jsontext.Value(`"mail"`)}}, new(protocol.HTTPAuthorization), `{"connection":"mail"}`},
		{protocol.SecretRef{EnvName: "e", Name: "n"}, new(protocol.SecretRef), `{"envName":"e","name":"n"}`},
		{protocol.StatusRange{Min: 200, Max: 204}, new(protocol.StatusRange), `{"min":200,"max":204}`},
		{protocol.Action{OnViolation: protocol.ActionHalt}, new(protocol.Action), `{"on-violation":"halt"}`},
		{protocol.Retry{MaxAttempts: 3}, new(protocol.Retry), `{"maxAttempts":3}`},
		{protocol.Scope{When: protocol.WhenCIOnly, Agents: []string{"a"}}, new(protocol.Scope), `{"when":"ci-only","agents":["a"]}`},
		{protocol.ToolRef{ID: "a.t", Version: "1.0.0"}, new(protocol.ToolRef), `{"id":"a.t","version":"1.0.0"}`},
		{protocol.Instructions{Text: "t\n"}, new(protocol.Instructions), `"t\n"`},
		{protocol.Instructions{}, new(protocol.Instructions), `""`},
		{protocol.Instructions{Prompt: "p", Version: "1.0.0", Text: "not written"}, new(protocol.Instructions), `{"prompt":"p","version":"1.0.0"}`},
		{protocol.Node{ID: "n", Kind: protocol.NodeAgent, Ref: "a"}, new(protocol.Node), `{"id":"n","kind":"agent","ref":"a"}`},
		{protocol.Edge{ID: "e", From: protocol.Start, To: protocol.End}, new(protocol.Edge), `{"id":"e","from":"$start","to":"$end"}`},
		{protocol.IndexEnv{Required: []string{"A"}}, new(protocol.IndexEnv), `{"optional":[],"required":["A"]}`},
		{protocol.InfoTool{ID: "a.t"}, new(protocol.InfoTool), `{"id":"a.t"}`},
		{protocol.CodeArtifactRef{Kind: "oci"}, new(protocol.CodeArtifactRef), `{"kind":"oci"}`},
		{protocol.SecretScope{}, new(protocol.SecretScope), `{}`},
		{protocol.TraceToolResult{ToolCallID: "c"}, new(protocol.TraceToolResult), `{"toolCallId":"c"}`},
		{protocol.TraceModelCall{}, new(protocol.TraceModelCall), `{"providerId":"","model":"","promptTokens":0,"completionTokens":0}`},
		{protocol.Agent{}, new(protocol.Agent), `{"id":"","version":"","name":"","instructions":"","capabilities":[],"tools":[],"modulePath":""}`},
		{protocol.Flow{}, new(protocol.Flow), `{"id":"","version":"","nodes":[],"edges":[],"kernelPayloadVersion":1,"modulePath":""}`},
		{protocol.IndexGuardrail{}, new(protocol.IndexGuardrail), `{"id":"","kind":"","action":{"on-violation":""},"checkModulePath":""}`},
		{protocol.IndexTool{Input: jsontext.Value("{}"), Output: jsontext.Value("{}")}, new(protocol.IndexTool), `{"id":"","input":{},"output":{},"modulePath":""}`},
	} {
		got, err := json.Marshal(c.entry)
		if err != nil || string(got) != c.want {
			t.Errorf("%T: got %s, %v\nwant %s", c.entry, got, err, c.want)
			continue
		}
		if err := json.Unmarshal(got, c.into); err != nil {
			t.Errorf("%T: %v", c.entry, err)
			continue
		}
		if got, err = json.Marshal(c.into); err != nil || string(got) != c.want {
			t.Errorf("%T, read: got %s, %v\nwant %s", c.entry, got, err, c.want)
		}
	}
}

func TestEntriesRefuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		into           json.Unmarshaler
		document, want string
	}{
		{new(protocol.Effect), `{}`, "/kind is required"},
		{new(protocol.Limits), `{"memMB":1.5,"cpuMs":1}`, "/memMB must be a whole number, not 1.5"},
		{new(protocol.HTTPSpec), `{"kind":"mcp","method":"GET","urlTemplate":"u"}`, `/kind must be "http", not "mcp"`},
		{new(protocol.Instructions), `{"prompt":"p"}`, "/version is required"},
		{new(protocol.Instructions), `[]`, "must be an object, not a list"},
		{new(protocol.Flow), `{"id":"f","version":"1.0.0","nodes":[{}],"edges":[],"kernelPayloadVersion":1,"modulePath":"m"}`, "/nodes/0/id is required\n/nodes/0/kind is required"},
		{new(protocol.Scope), `{"when":"always","agents":"a"}`, `/agents must be a list, not "a"`},
		{new(protocol.NeedsSpec), `{"connections":{"a":1}}`, "/connections/a must be an object, not 1"},
		{new(protocol.NeedsSpec), `{"connections":7,"env":"` + strings.Repeat("x", 50) + `"}`, "/env must be an object, not text\n/connections must be an object, not 7"},
		{new(protocol.Network), `{"kind":"allowlist","hosts":["a",1,{}]}`, "/hosts/1 must be text, not 1\n/hosts/2 must be text, not an object"},
	} {
		if err := c.into.UnmarshalJSON([]byte(c.document)); err == nil || err.Error() != c.want {
			t.Errorf("%T %s:\n got %v\nwant %s", c.into, c.document, err, c.want)
		}
	}
}

// The sets of names that the pack contract lists.
func TestEffectKinds(t *testing.T) {
	t.Parallel()
	want := []protocol.EffectKind{"reads", "writes", "deletes", "network", "spawns-run", "emits-event", "external-side-effect", "sensitive-data-egress"}
	got := protocol.EffectKinds()
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

func TestGuardrailCheck(t *testing.T) {
	t.Parallel()
	g := protocol.IndexGuardrail{ID: "a.g"}
	if got := g.Check(); got != "a.g" {
		t.Error(got)
	}
	g.CheckID = "a.checks.g"
	if got := g.Check(); got != "a.checks.g" {
		t.Error(got)
	}
}

func TestMarshalRefuses(t *testing.T) {
	t.Parallel()
	for _, v := range []json.Marshaler{
		protocol.RunTrace{TotalCostUSD: math.NaN()},
		protocol.RunTrace{DurationMs: math.Inf(-1)},
		protocol.Node{Unknown: map[string]jsontext.Value{"a": jsontext.Value("1,")}},
		protocol.Node{Unknown: map[string]jsontext.Value{"a\xff": nil, "a\ufffd": nil}},
		protocol.IndexTool{Input: jsontext.Value("{}{}")},
	} {
		if b, err := v.MarshalJSON(); err == nil {
			t.Errorf("%T: wrote %s", v, b)
		}
	}
}
