package protocol_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// sameValue compares two documents as values, numbers exactly.
func sameValue(t *testing.T, got, want []byte) {
	t.Helper()
	if g, w := normal(t, got), normal(t, want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

// normal writes a document with sorted members and each number as a fraction in lowest terms.
func normal(t *testing.T, document []byte) string {
	t.Helper()
	v := jsontext.Value(bytes.Clone(document))
	if err := v.Format(jsontext.ReorderRawObjects(true), jsontext.PreserveRawStrings(false)); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	var b strings.Builder
	d := jsontext.NewDecoder(bytes.NewReader(v))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return b.String()
		}
		if token.Kind() != '0' {
			b.WriteString(token.String() + "\n")
			continue
		}
		r, ok := new(big.Rat).SetString(token.String())
		if !ok {
			t.Fatalf("number %s", token)
		}
		b.WriteString(r.RatString() + "\n")
	}
}

const wholeManifest = `{"id":"acme.orders.place","version":"1.2.0","project":"p-1","description":"","input":{"type":"object","maximum":9007199254740993},` +
	`"output":{"type":"object"},"effects":[{"kind":"reads"},{}],"needs":[{"name":"x","optional":false}],"transport":"auto","sandbox":"none",` +
	`"limits":{"memMB":1,"cpuMs":2.0},"network":{"kind":"none"},"mutating":true,"unattended":{"n":1.5e-7},` +
	`"needsSpec":{"env":{},"secrets":{"K":{}},"config":{"c":true},"capabilities":["a"],"bindings":[{"b":1}],` +
	`"connections":{"mail":{"app":"google","permissions":["gmail.send"],"as":"person"},"none":null}},"codeArtifactRef":{"kind":"oci","digest":"sha256:0"},` +
	`"spec":{"kind":"http","method":"GET","urlTemplate":"https://x/{a}","headers":[],"authorization":{"kind":"bearer"},"requestBody":{"kind":"json-input"},` +
	`"timeoutMs":30000,"parseJson":true,"successStatus":{"min":200,"max":299},"retries":0},"secretScopes":{"K":{"kind":"tenant","id":"t"},"L":null},"unregisteredAt":null}`

func TestToolManifest(t *testing.T) {
	t.Parallel()
	var m protocol.ToolManifest
	if err := json.Unmarshal([]byte(wholeManifest), &m); err != nil {
		t.Fatal(err)
	}
	if m.ID != "acme.orders.place" || m.Version != "1.2.0" || m.Transport != "auto" || m.CodeArtifactRef.Kind != "oci" || m.Mutating == nil || !*m.Mutating {
		t.Errorf("got %+v", m)
	}
	if scope, ok := m.SecretScopes["L"]; !ok || scope != nil || m.SecretScopes["K"].Kind != "tenant" {
		t.Errorf("scopes: %v", m.SecretScopes)
	}
	if m.NeedsSpec.Connections["mail"].As != protocol.ConnectionPerson || string(m.NeedsSpec.Connections["mail"].Unknown["app"]) != `"google"` {
		t.Errorf("connections: %v", m.NeedsSpec.Connections)
	}
	if m.NeedsSpec.Bindings != nil || string(m.NeedsSpec.Unknown["bindings"]) != `[{"b":1}]` {
		t.Errorf("bindings: %v", m.NeedsSpec)
	}
	if m.Spec == nil || m.Spec.Authorization.Kind != protocol.AuthorizationBearer || m.Spec.SuccessStatus.Max != 299 || !*m.Spec.ParseJSON {
		t.Errorf("spec: %+v", m.Spec)
	}
	got, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	sameValue(t, got, []byte(wholeManifest))
}

func TestToolManifestOfUnexpectedTypes(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		`{}`,
		`{"id":1,"effects":{},"needs":["x"],"needsSpec":[],"limits":{"memMB":"1g"},"network":"none","mutating":"no","spec":{"kind":"mcp","url":"u"}}`,
		`{"spec":{"method":"GET"},"secretScopes":{"a":1},"codeArtifactRef":null}`,
		`{"spec":{"kind":"http"},"needsSpec":{"connections":{"a":{}}},"limits":{},"network":{}}`,
		`{"spec":{"kind":"http","timeoutMs":9007199254740993,"successStatus":{"min":1e2,"max":2.5}},"limits":{"memMB":99999999999999999999}}`,
		`{"spec":{"kind":"http","headers":[{}],"requestBody":{},"authorization":{"secretRef":{}}}}`,
	} {
		var m protocol.ToolManifest
		if err := json.Unmarshal([]byte(document), &m); err != nil {
			t.Errorf("%s: %v", document, err)
			continue
		}
		if http := strings.Contains(document, `"kind":"http"`); http != (m.Spec != nil) {
			t.Errorf("%s: spec %+v", document, m.Spec)
		}
		got, err := json.Marshal(m)
		if err != nil {
			t.Errorf("%s: %v", document, err)
			continue
		}
		sameValue(t, got, []byte(document))
	}
}

func TestParseAPIError(t *testing.T) {
	t.Parallel()
	e, err := protocol.ParseAPIError([]byte(`{"error":{"code":"tool-not-found","message":"No tool","details":{"n":1.50},"requestId":"req-1","hint":"h"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if e.Code != "tool-not-found" || string(e.Details) != `{"n":1.50}` || e.RequestID != "req-1" || string(e.Unknown["hint"]) != `"h"` {
		t.Errorf("got %+v", e)
	}
	if got := e.Error(); got != "No tool (tool-not-found), request req-1" {
		t.Error(got)
	}
	if got := (&protocol.APIError{}).Error(); got != "the runtime refused the request" {
		t.Error(got)
	}
	for _, body := range []string{"", "<html>", "[]", "{}", `{"error":"Bad token"}`, `{"error":null}`} {
		if e, err := protocol.ParseAPIError([]byte(body)); err == nil {
			t.Errorf("%s: %+v", body, e)
		}
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(protocol.Info{PackID: "a", PackVersion: "1.0.0", ArtifactVersion: "1"})
	want := `{"protocol":2,"packId":"a","packVersion":"1.0.0","artifactVersion":"1","tools":[],"checks":[],"missingEnv":[]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	full := `{"protocol":2,"packId":"a","packVersion":"1.0.0","artifactVersion":"1","indexHash":"sha256:0","tools":[{"id":"a.t","version":"1.0.0"},{"id":"a.u"}],"checks":["c"],"missingEnv":["E"],"new":1}`
	var info protocol.Info
	if err := json.Unmarshal([]byte(full), &info); err != nil {
		t.Fatal(err)
	}
	if got, err = json.Marshal(info); err != nil || string(got) != full {
		t.Errorf("got %s, %v\nwant %s", got, err, full)
	}
}
