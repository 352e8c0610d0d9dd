package contract_test

import (
	"fmt"
	"strings"
	"testing"
)

// written gives the fields that a handler's record is written with.
func written(t testing.TB, svc *service, name, fields string) record {
	t.Helper()
	svc.call(t, "edges.record", fmt.Sprintf(`{"message":%q,"fields":%s}`, name, fields)).returned(t, `{}`)
	return svc.record(t, "handler's", func(r record) bool { return r.text("message") == name })
}

// A field whose name says that it is a secret is not shown, at any depth.
func TestRedactionByName(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	for i, name := range []string{
		"authorization", "Authorization", "proxy-authorization", "cookie", "Set-Cookie", "token", "kindgi-pack-token", "access_token", "password",
		"PASSWORD", "db_password", "passwd", "secret", "clientSecret", "secrets", "apikey", "api_key", "X-Api-Key", "apiKey", "privateKey", "private-key",
		"passphrase", "credential", "credentials", "AWS_CREDENTIALS", "t-o-k-e-n",
	} {
		message := fmt.Sprintf("redacted %d", i)
		r := written(t, svc, message, fmt.Sprintf(`{%q:"canary","in":{"a":[{"b":{%q:"canary"}}]},"list":{%q:["canary",{"x":"canary"}]},"number":{%q:1234567}}`, name, name, name, name))
		if strings.Contains(r.line, "canary") || strings.Contains(r.line, "1234567") {
			t.Errorf("%s is shown: %s", name, r.line)
		}
		if got := r.text(name); got != "[redacted]" {
			t.Errorf("%s is %q, want [redacted]: %s", name, got, r.line)
		}
		if n := strings.Count(r.line, `"[redacted]"`); n != 4 {
			t.Errorf("%s is redacted %d times, want 4: %s", name, n, r.line)
		}
	}
	for i, name := range []string{"tokens", "tokenCount", "secretary", "author", "passwordless", "keys", "key", "cookies2", "apikeyname"} {
		r := written(t, svc, fmt.Sprintf("shown %d", i), fmt.Sprintf(`{%q:"plain"}`, name))
		if got := r.text(name); got != "plain" {
			t.Errorf("%s is %q, want it as it is: %s", name, got, r.line)
		}
	}
}

// A text that looks like a secret is not shown, wherever it is.
func TestRedactionByShape(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	for i, c := range []struct{ text, want string }{
		{"kgi_bt_abcdefghijklmnopqrstuvWXYZ", "kgi_bt_…WXYZ"},
		{"kgi_sk_0123456789abcdef", "kgi_sk_…cdef"},
		{"kgi_sk_0123456789abcde", "kgi_sk_…"},
		{"before kgi_bt_abcdefghijklmnopqrstuvWXYZ, after", "before kgi_bt_…WXYZ, after"},
		{"Bearer abc.def-ghi", "Bearer [redacted]"},
		{"Authorization: Bearer abc.def-ghi", "Authorization: Bearer [redacted]"},
		{"postgres://user:canary@db.example/orders?x=1", "postgres://user:***@db.example/orders?x=1"},
		{"see https://me:canary@example.com/a and more", "see https://me:***@example.com/a and more"},
		{"a plain text: user@example.com, 12:30, kgi", "a plain text: user@example.com, 12:30, kgi"},
	} {
		message := fmt.Sprintf("shape %d", i)
		r := written(t, svc, message, fmt.Sprintf(`{"text":%q,"deep":{"list":[%q]}}`, c.text, c.text))
		if got := r.text("text"); got != c.want {
			t.Errorf("%q is written as %q, want %q", c.text, got, c.want)
		}
		deep, _ := r.fields["deep"].(map[string]any)
		if list, _ := deep["list"].([]any); len(list) != 1 || list[0] != c.want {
			t.Errorf("%q is written as %v, want %q", c.text, deep, c.want)
		}
	}
	// In messages too.
	svc.call(t, "edges.record", `{"message":"sent Bearer abcdef"}`).returned(t, `{}`)
	svc.record(t, "redacted message", func(r record) bool { return r.text("message") == "sent Bearer [redacted]" })
}

// Values too deep or in a circle end, and never fail a call.
func TestRedactionBounds(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	deep := strings.Repeat(`{"a":`, 40) + `"canary"` + strings.Repeat(`}`, 40)
	r := written(t, svc, "deep", `{"deep":`+deep+`}`)
	if !strings.Contains(r.line, `"[too deep]"`) || strings.Contains(r.line, "canary") {
		t.Errorf("record %s", r.line)
	}
	r = written(t, svc, "circle", `{"cycle":true}`)
	if !strings.Contains(r.line, `"[circular]"`) {
		t.Errorf("record %s", r.line)
	}
}

// The service's token and a call's secrets are in no record, at any level.
func TestNoSecretInRecords(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_LOG_LEVEL": "trace"}})
	message := toolMessage(`{"id":"conformance.context"}`, `{"password":"canary-input"}`,
		`{"tenantId":"t","runId":"r","requestId":"secrets","secrets":{"db":"canary-secret"},"env":{"API":"canary-env"},"settings":{"s":{"x":"canary-settings"}}}`)
	svc.invoke(t, message).output(t)
	svc.invoke(t, message, "kindgi-pack-token", "canary-token").is(t, 401, `{"error":"Bad pack token"}`)
	svc.callRecord(t, "secrets")
	for _, line := range svc.stderr.all() {
		if strings.Contains(line, "canary") || strings.Contains(line, token) {
			t.Errorf("record %s", line)
		}
	}
}
