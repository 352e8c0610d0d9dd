package protocol_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// FuzzParseRequest: no body makes the parser panic; a refusal is an error message that reads back; an
// accepted body means what encoding/json reads in it, and is written back as the same message.
func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(toolCall))
	f.Add([]byte(benchmarkCall()))
	f.Add([]byte(` {"v":2e0,"kind":"check-invoke","check":{"id":"a\u00e9"},"config":{"a":[{}]},"trace":` + wholeTrace + `}`))
	f.Add([]byte(`{"v":1.5,"kind":{"a":1}}`))
	f.Add([]byte(`{"v":2,"kind":"x\ud83d\ude00"}`))
	f.Add([]byte(`{"v":2,"kind":"invoke","tool":{"id":"a","version":"\n"},"ctx":{"tenantId":"","runId":"","env":{"a":1,"b":"\\"}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := protocol.ParseRequest(body)
		if err != nil {
			e, ok := errors.AsType[*protocol.Error](err)
			if !ok || !e.Code.Known() {
				t.Fatalf("%v is no message", err)
			}
			answer, err := protocol.ParseResponse(e.AppendTo(nil))
			if back, ok := answer.(*protocol.Error); err != nil || !ok || back.Code != e.Code {
				t.Fatalf("%s reads back as %#v, %v", e.AppendTo(nil), answer, err)
			}
			return
		}
		// jsontext is strict (no duplicates, no invalid UTF-8); encoding/json then reads the values.
		if !jsontext.Value(body).IsValid() {
			t.Fatal("accepted what jsontext does not")
		}
		members := object(t, body)
		var v float64
		if err := json.Unmarshal(members["v"], &v); err != nil || v != protocol.Version {
			t.Fatalf("v is %s", members["v"])
		}
		switch m := request.(type) {
		case *protocol.ToolInvoke:
			tool, ctx := object(t, members["tool"]), object(t, members["ctx"])
			same(t, "kind", str(members["kind"]), "invoke")
			same(t, "tool.id", m.ToolID, str(tool["id"]))
			same(t, "tool.version", m.Version, str(tool["version"]))
			same(t, "input", string(m.Input), string(members["input"]))
			same(t, "ctx", string(m.Context.Raw), string(members["ctx"]))
			same(t, "tenantId", m.Context.TenantID, str(ctx["tenantId"]))
			same(t, "runId", m.Context.RunID, str(ctx["runId"]))
			same(t, "projectId", m.Context.ProjectID, str(ctx["projectId"]))
			same(t, "orgId", m.Context.OrgID, str(ctx["orgId"]))
			same(t, "requestId", m.Context.RequestID, str(ctx["requestId"]))
			same(t, "idempotencyKey", m.Context.IdempotencyKey, str(ctx["idempotencyKey"]))
			for name, value := range m.Context.Env {
				same(t, "env", value, str(object(t, ctx["env"])[name]))
			}
			for name, value := range m.Context.Secrets {
				same(t, "secrets", string(value), string(object(t, ctx["secrets"])[name]))
			}
			for name, value := range ctx {
				got, ok := m.Context.Field(name)
				if !ok || string(got) != string(value) {
					t.Fatalf("Field(%q) = %s, %t", name, got, ok)
				}
			}
		case *protocol.CheckInvoke:
			same(t, "kind", str(members["kind"]), "check-invoke")
			same(t, "check.id", m.CheckID, str(object(t, members["check"])["id"]))
			same(t, "config", string(m.Config), string(members["config"]))
			same(t, "trace", string(m.Trace), string(members["trace"]))
		}
		again, err := protocol.ParseRequest(request.AppendTo(nil))
		if err != nil {
			t.Fatalf("%s: %v", request.AppendTo(nil), err)
		}
		same(t, "written back", string(again.AppendTo(nil)), string(request.AppendTo(nil)))
	})
}

func object(t *testing.T, value []byte) map[string]json.RawMessage {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(value, &m); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return m
}

// str reads a string; anything else is "".
func str(value []byte) string {
	var s string
	_ = json.Unmarshal(value, &s)
	return s
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %q, want %q", what, got, want)
	}
}
