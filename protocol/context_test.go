package protocol_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// However a context is printed, its secrets are not.
func TestContextHidesSecrets(t *testing.T) {
	t.Parallel()
	request, err := protocol.ParseRequest([]byte(toolCall))
	if err != nil {
		t.Fatal(err)
	}
	parsed := request.(*protocol.ToolInvoke).Context
	literal := parsed
	literal.Raw = nil
	for name, c := range map[string]protocol.CallContext{"parsed": parsed, "literal": literal} {
		var record bytes.Buffer
		slog.New(slog.NewJSONHandler(&record, nil)).Info("call", "ctx", c, "pointer", &c)
		slog.New(slog.NewTextHandler(&record, nil)).Info("call", "ctx", c, "pointer", &c)
		marshalled, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		for how, text := range map[string]string{
			"%v": fmt.Sprintf("%v", c), "%+v": fmt.Sprintf("%+v", &c), "%#v": fmt.Sprintf("%#v", c), "%s": fmt.Sprintf("%s", c), "%x": fmt.Sprintf("%x", c),
			"inside": fmt.Sprintf("%+v", protocol.ToolInvoke{Context: c}), "slog": record.String(), "json": string(marshalled),
		} {
			if strings.Contains(text, "hunter") || strings.Contains(text, "104 117 110") || strings.Contains(text, "68756e") {
				t.Errorf("%s, %s: shows a secret: %s", name, how, text)
			}
			if how != "%x" && !strings.Contains(text, "call_0") {
				t.Errorf("%s, %s: does not show the ids: %s", name, how, text)
			}
		}
		if !strings.Contains(string(marshalled), `"secrets":{"KEY":"[redacted]"}`) {
			t.Errorf("%s: %s", name, marshalled)
		}
	}
}

func TestContextHidesSecretsOfAnyType(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{"tenantId":"t","runId":"r","secrets":"hunter22"}`, `{"secrets":["hunter22"]}`, ` {"secrets":{"a":{"b":"hunter22"}}} `} {
		got, err := json.Marshal(protocol.CallContext{Raw: jsontext.Value(raw)})
		if err != nil || strings.Contains(string(got), "hunter") {
			t.Errorf("%s: %s, %v", raw, got, err)
		}
	}
}

func TestRequestAppendTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		request protocol.Request
		want    string
	}{
		{&protocol.ToolInvoke{ToolID: "a.t", Version: "1.0.0", Input: jsontext.Value(`{"n":1}`), Context: protocol.CallContext{
			TenantID: "t", RunID: "r", IdempotencyKey: "k", Env: map[string]string{"B": "\u2028", "A": ""},
			Secrets: map[string]jsontext.Value{"S": jsontext.Value(`"hunter22"`)}, Settings: map[string]jsontext.Value{},
		}}, `{"v":2,"kind":"invoke","tool":{"id":"a.t","version":"1.0.0"},"input":{"n":1},"ctx":{"tenantId":"t","runId":"r","idempotencyKey":"k",` +
			`"env":{"A":"","B":"` + "\u2028" + `"},"secrets":{"S":"hunter22"},"settings":{}}}`},
		{&protocol.ToolInvoke{ToolID: "a", Context: protocol.CallContext{TenantID: "x", Raw: jsontext.Value(`{"tenantId":"t","runId":"r","new":1}`)}},
			`{"v":2,"kind":"invoke","tool":{"id":"a"},"ctx":{"tenantId":"t","runId":"r","new":1}}`},
		{&protocol.CheckInvoke{CheckID: "c"}, `{"v":2,"kind":"check-invoke","check":{"id":"c"},"config":{}}`},
		{&protocol.CheckInvoke{CheckID: "c", Config: jsontext.Value(`{"a":1}`), Trace: jsontext.Value(`{}`)},
			`{"v":2,"kind":"check-invoke","check":{"id":"c"},"config":{"a":1},"trace":{}}`},
	} {
		got := c.request.AppendTo(nil)
		if string(got) != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		back, err := protocol.ParseRequest(got)
		if err != nil {
			t.Fatal(err)
		}
		if again := back.AppendTo(nil); !bytes.Equal(again, got) {
			t.Errorf("got  %s\nwant %s", again, got)
		}
	}
}

func TestFieldOfUncheckedContext(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "{", `{"a"`, `[]`, `{"a":1`, "\xff"} {
		c := protocol.CallContext{Raw: jsontext.Value(raw)}
		if v, ok := c.Field("a"); ok {
			t.Errorf("%q: %s", raw, v)
		}
	}
	c := protocol.CallContext{Raw: jsontext.Value(` {"\u0061" : [ 1 ] } `)}
	if v, ok := c.Field("a"); !ok || string(v) != "[ 1 ]" {
		t.Errorf("%s, %t", v, ok)
	}
}
