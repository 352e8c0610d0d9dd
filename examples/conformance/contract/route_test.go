package contract_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestHealthAndReadiness(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, headers := range [][]string{nil, {"kindgi-pack-token", "wrong"}, {"Content-Type", "text/plain"}} {
		svc.do(t, "GET", "/healthz", nil, headers...).is(t, http.StatusOK, `{"status":"ok"}`)
		svc.do(t, "GET", "/readyz", nil, headers...).is(t, http.StatusOK, `{"status":"ready"}`)
	}
	// The query is not part of the route.
	svc.do(t, "GET", "/healthz?x=1&y=/v1/invoke", nil).is(t, http.StatusOK, `{"status":"ok"}`)
	svc.do(t, "GET", "/readyz?", nil).is(t, http.StatusOK, `{"status":"ready"}`)
	svc.get(t, "/v1/info?verbose").is(t, http.StatusOK, string(svc.get(t, "/v1/info").body))
	svc.do(t, "POST", "/v1/invoke?trace=1", strings.NewReader(toolCall("conformance.echo", `{"message":"hi"}`)), withToken(nil)...).
		returned(t, `{"message":"hi"}`)
}

// Another path is another route, also where a router would tidy it up and redirect: a
// redirect would make a client repeat its call, and its token, elsewhere.
func TestNoRoute(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, path := range []string{
		"/", "//", "/v1", "/v1/", "/v1/invoke/", "//v1/invoke", "/v1//invoke", "/v1/./invoke", "/v1/../v1/invoke",
		"/../v1/invoke", "/x/../v1/invoke", "/V1/invoke", "/v1/Invoke", "/v1/invoke.", "/v1/invoke;x", "/v2/invoke",
		"/v1/infos", "/healthz/", "//healthz", "/readyz/..", "/index.html", "/favicon.ico", "/debug/pprof/",
		"/v1%2Finvoke", "/v1/invoke%2F", "/v1/invoke%20", "/v1/invoke%00", "/%2e%2e/v1/invoke", "/caf%C3%A9",
	} {
		for _, method := range []string{"GET", "POST"} {
			w := svc.dial(t)
			w.send(t, method+" "+path+" HTTP/1.1\r\nHost: pack\r\nContent-Length: 0\r\n\r\n")
			a := w.receive(t, method)
			a.check(t)
			var body struct{ Error string }
			if err := json.Unmarshal(a.body, &body); err != nil || a.status != http.StatusNotFound || !strings.HasPrefix(body.Error, "No route /") {
				t.Errorf("%s %s: got %v, want 404 No route", method, path, a)
			}
			if !strings.Contains(path, "%") && body.Error != "No route "+path {
				t.Errorf("%s %s: got %q", method, path, body.Error)
			}
		}
	}
	svc.do(t, "GET", "/nowhere?token=x", nil).is(t, http.StatusNotFound, `{"error":"No route /nowhere"}`)
	svc.do(t, "GET", `/a"b\c<d>`, nil) // checks that the answer is JSON
}

// A path that says a route in %-escapes may be that route or none, never a redirect.
func TestEscapedRoute(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, path := range []string{"/v1/%69nvoke", "/%76%31/invoke", "/v1/invok%65"} {
		w := svc.dial(t)
		w.send(t, "POST "+path+" HTTP/1.1\r\nHost: pack\r\nContent-Length: 0\r\n\r\n")
		a := w.receive(t, "POST")
		a.check(t)
		if a.status != http.StatusNotFound && a.status != http.StatusUnauthorized {
			t.Errorf("POST %s: %v", path, a)
		}
	}
}

// The other forms of a request's target.
func TestTargetForms(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for target, want := range map[string]struct {
		status int
		body   string
	}{
		"GET http://elsewhere.example/healthz":       {http.StatusOK, `{"status":"ok"}`},
		"GET http://elsewhere.example/healthz/":      {http.StatusNotFound, `{"error":"No route /healthz/"}`},
		"GET http://elsewhere.example/v1/invoke?a=b": {http.StatusMethodNotAllowed, `{"error":"Use POST"}`},
		"GET http://elsewhere.example":               {http.StatusNotFound, `{"error":"No route /"}`},
		"OPTIONS *":                                  {http.StatusNotFound, `{"error":"No route *"}`},
	} {
		w := svc.dial(t)
		w.send(t, target+" HTTP/1.1\r\nHost: pack\r\n\r\n")
		method, _, _ := strings.Cut(target, " ")
		a := w.receive(t, method)
		a.check(t)
		a.is(t, want.status, want.body)
	}
}

// The method is checked after the route and before the token.
func TestMethods(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for path, allowed := range map[string]string{"/healthz": "GET", "/readyz": "GET", "/v1/info": "GET", "/v1/invoke": "POST"} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"} {
			if method == allowed {
				continue
			}
			for _, headers := range [][]string{nil, {"kindgi-pack-token", token}} {
				a := svc.do(t, method, path, nil, headers...)
				a.is(t, http.StatusMethodNotAllowed, `{"error":"Use `+allowed+`"}`)
				if got := a.header.Get("Allow"); !slices.Contains(strings.Split(got, ", "), allowed) {
					t.Errorf("%s %s: Allow %q, want %s", method, path, got, allowed)
				}
			}
		}
	}
	// HEAD has no body to compare; an invoke by HEAD is refused all the same.
	a, err := svc.try(t.Context(), "HEAD", "/v1/invoke", nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != http.StatusMethodNotAllowed {
		t.Errorf("HEAD /v1/invoke: %v", a)
	}
	// A body changes nothing, and does not spoil the connection for the next caller.
	for range 3 {
		svc.do(t, "PUT", "/v1/invoke", strings.NewReader(`{"some":"body"}`)).is(t, http.StatusMethodNotAllowed, `{"error":"Use POST"}`)
		svc.do(t, "POST", "/nowhere", strings.NewReader(`{"some":"body"}`)).is(t, http.StatusNotFound, `{"error":"No route /nowhere"}`)
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for name, sent := range map[string]string{
		"none": "", "wrong": "wrong", "prefix": token[:len(token)-1], "longer": token + "x", "upper case": strings.ToUpper(token),
		"twice": token + ", " + token, "quoted": `"` + token + `"`, "bearer": "Bearer " + token, "other bytes": "t\u00f6ken", "long": strings.Repeat("x", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc.do(t, "GET", "/v1/info", nil, "kindgi-pack-token", sent).is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
			svc.invoke(t, toolCall("conformance.echo", `{"message":"hi"}`), "kindgi-pack-token", sent).
				is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
		})
	}
	// Authorization is a platform's own business.
	svc.do(t, "GET", "/v1/info", nil, "Authorization", "Bearer "+token).is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
	if a := svc.get(t, "/v1/info", "Authorization", "Bearer of something else"); a.status != http.StatusOK {
		t.Errorf("with another Authorization: %v", a)
	}
	// Header names have no case.
	if a := svc.do(t, "GET", "/v1/info", nil, "KINDGI-PACK-TOKEN", token); a.status != http.StatusOK {
		t.Errorf("with an upper-case header: %v", a)
	}
}

// The token is checked before a byte of the body is read: a caller without it is answered
// at once, whatever body it announces and never sends.
func TestTokenBeforeBody(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	for _, framing := range []string{"Content-Length: 9223372036854775807", "Content-Length: 1000", "Transfer-Encoding: chunked"} {
		for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
			w := svc.dial(t)
			w.send(t, "POST /v1/invoke HTTP/1.1\r\nHost: pack\r\nContent-Type: application/json\r\n"+expect+framing+"\r\n\r\n")
			a := w.receive(t, "POST") // a 100 Continue would be received here
			a.check(t)
			a.is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
			// None of them holds the only slot.
			svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
		}
	}
	// Nor does the same for another refusal.
	w := svc.dial(t)
	w.send(t, "POST /nowhere HTTP/1.1\r\nHost: pack\r\nContent-Length: 1000000\r\n\r\n{")
	w.receive(t, "POST").is(t, http.StatusNotFound, `{"error":"No route /nowhere"}`)
}

func TestPinnedTenant(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_TENANT_ID": "tenant-1"}})
	const mismatch = `{"code":"pack-tenant-mismatch"}`
	echo := toolCall("conformance.echo", `{"message":"hi"}`)
	for _, sent := range []string{"", "tenant-2", "TENANT-1", "tenant-1x", "tenant-1, tenant-1"} {
		svc.invoke(t, echo, "kindgi-tenant-id", sent).is(t, http.StatusMisdirectedRequest, mismatch)
		svc.get(t, "/v1/info", "kindgi-tenant-id", sent).is(t, http.StatusMisdirectedRequest, mismatch)
		svc.invoke(t, checkCall("conformance.checks.min-length", `{}`, `"x"`), "kindgi-tenant-id", sent).is(t, http.StatusMisdirectedRequest, mismatch)
		// Before the content type and the body.
		svc.invoke(t, "text", "kindgi-tenant-id", sent, "Content-Type", "text/plain").is(t, http.StatusMisdirectedRequest, mismatch)
	}
	svc.invoke(t, echo, "kindgi-tenant-id", "tenant-1").returned(t, `{"message":"hi"}`)
	if a := svc.get(t, "/v1/info", "kindgi-tenant-id", "tenant-1"); a.status != http.StatusOK {
		t.Errorf("info of the right tenant: %v", a)
	}
	// The context of a call must name the tenant too; a call that names none is malformed.
	other := toolMessage(`{"id":"conformance.echo"}`, `{"message":"hi"}`, `{"tenantId":"tenant-2","runId":"run-1"}`)
	svc.invoke(t, other, "kindgi-tenant-id", "tenant-1").is(t, http.StatusMisdirectedRequest, mismatch)
	none := toolMessage(`{"id":"conformance.echo"}`, `{"message":"hi"}`, `{"runId":"run-1"}`)
	svc.invoke(t, none, "kindgi-tenant-id", "tenant-1").failed(t, "malformed-message", "`ctx` needs string `tenantId` and `runId`")
	svc.invoke(t, checkCall("conformance.checks.min-length", `{}`, `"x"`), "kindgi-tenant-id", "tenant-1").
		is(t, http.StatusOK, `{"v":2,"kind":"check-result","result":{"passed":true}}`)
	// The token comes first, and health and readiness are nobody's.
	svc.do(t, "GET", "/v1/info", nil, "kindgi-tenant-id", "tenant-2").is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
	svc.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
	svc.do(t, "GET", "/readyz", nil, "kindgi-tenant-id", "tenant-2").is(t, http.StatusOK, `{"status":"ready"}`)
}

// None of the headers a service reads is a list: one that was sent twice is not the value it has
// first, which whatever stands between may see otherwise.
func TestRepeatedHeaders(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_TENANT_ID": "local"}})
	for _, c := range []struct {
		name     string
		headers  []string
		status   int
		contains string
	}{
		{"once", []string{"kindgi-pack-token: " + token, "kindgi-tenant-id: local", "kindgi-timeout-ms: 1"}, http.StatusOK, `"deadline-exceeded"`},
		{"token, then another", []string{"kindgi-pack-token: " + token, "kindgi-pack-token: x", "kindgi-tenant-id: local"}, http.StatusUnauthorized, "Bad pack token"},
		{"another, then token", []string{"kindgi-pack-token: x", "kindgi-pack-token: " + token, "kindgi-tenant-id: local"}, http.StatusUnauthorized, "Bad pack token"},
		{"tenant, then another", []string{"kindgi-pack-token: " + token, "kindgi-tenant-id: local", "kindgi-tenant-id: other"}, http.StatusMisdirectedRequest, "pack-tenant-mismatch"},
		{"another, then tenant", []string{"kindgi-pack-token: " + token, "kindgi-tenant-id: other", "kindgi-tenant-id: local"}, http.StatusMisdirectedRequest, "pack-tenant-mismatch"},
		{"two timeouts", []string{"kindgi-pack-token: " + token, "kindgi-tenant-id: local", "kindgi-timeout-ms: 1", "kindgi-timeout-ms: 2"}, http.StatusOK, `"slept":40`},
		{"two media types", []string{"kindgi-pack-token: " + token, "kindgi-tenant-id: local", "Content-Type: text/plain"}, http.StatusUnsupportedMediaType, "Content-Type"},
	} {
		body := toolMessage(`{"id":"conformance.sleep"}`, `{"ms":40}`, `{"tenantId":"local","runId":"r"}`)
		head := append([]string{"POST /v1/invoke HTTP/1.1", "Host: pack", "Content-Type: application/json",
			fmt.Sprintf("Content-Length: %d", len(body))}, c.headers...)
		w := svc.dial(t)
		w.send(t, strings.Join(head, "\r\n")+"\r\n\r\n"+body)
		a := w.receive(t, "POST")
		a.check(t)
		if a.status != c.status || !strings.Contains(string(a.body), c.contains) {
			t.Errorf("%s: got %v, want %d with %s", c.name, a, c.status, c.contains)
		}
	}
}

func TestNotPinned(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, sent := range []string{"", "tenant-1", "tenant-2"} {
		svc.call(t, "conformance.echo", `{"message":"hi"}`, "kindgi-tenant-id", sent).returned(t, `{"message":"hi"}`)
	}
}

// The answer about itself keeps the index's order and names the index by its bytes.
func TestInfo(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	i := svc.info(t)
	if i.Protocol != 2 || i.PackID != "edges" || i.PackVersion != "1.0.0" || i.ArtifactVersion == "" {
		t.Errorf("info %+v", i)
	}
	versions := []string{}
	for _, tool := range i.Tools {
		if tool.ID == "edges.versioned" {
			versions = append(versions, tool.Version)
		}
	}
	if !slices.Equal(versions, []string{"1.0.0", "2.0.0", "10.0.0"}) {
		t.Errorf("versions of one tool: %q", versions)
	}
	if !slices.Equal(i.Checks, []string{"edges.checks.word"}) {
		t.Errorf("checks %q", i.Checks)
	}
	if !strings.Contains(string(svc.get(t, "/v1/info").body), `"missingEnv":[]`) {
		t.Errorf("missingEnv is not an empty list")
	}
	if len(i.IndexHash) != len("sha256:")+64 || !strings.HasPrefix(i.IndexHash, "sha256:") {
		t.Errorf("indexHash %q", i.IndexHash)
	}
	// Every replica says the same.
	if again := start(t, setup{pack: "edges"}).info(t); again.IndexHash != i.IndexHash {
		t.Errorf("indexHash differs between two processes of one binary")
	}
}

func TestInfoOfAnIndexFile(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", func(x map[string]any) {
		slices.Reverse(x["tools"].([]any))
		slices.Reverse(x["guardrails"].([]any))
	})
	content, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	content = append([]byte("\n  "), append(content, " \n\n"...)...) // byte for byte
	if err := os.WriteFile(index, content, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)

	svc := start(t, setup{args: []string{"--index", index, "--host", "127.0.0.1"}})
	i := svc.info(t)
	if want := "sha256:" + hex.EncodeToString(sum[:]); i.IndexHash != want {
		t.Errorf("indexHash %q, want %q", i.IndexHash, want)
	}
	x := readIndex(t, index)
	for n, tool := range x["tools"].([]any) {
		if tool := tool.(map[string]any); i.Tools[n].ID != tool["id"] || i.Tools[n].Version != tool["version"] {
			t.Errorf("tool %d is %+v, the index has %v", n, i.Tools[n], tool["id"])
		}
	}
	for n, guardrail := range x["guardrails"].([]any) {
		if id := guardrail.(map[string]any)["checkId"]; i.Checks[n] != id {
			t.Errorf("check %d is %s, the index has %v", n, i.Checks[n], id)
		}
	}
}

// The answer to an invoke says how long it took and which artifact answered.
func TestInvokeHeaders(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	artifact := svc.info(t).ArtifactVersion
	for name, message := range map[string]string{
		"result":    toolCall("conformance.sleep", `{"ms":30}`),
		"error":     toolCall("conformance.throws", `{}`),
		"check":     checkCall("conformance.checks.min-length", `{}`, `"x"`),
		"malformed": `{`,
	} {
		a := svc.invoke(t, message)
		duration := a.header.Get("kindgi-duration-ms")
		if duration == "" || strings.Trim(duration, "0123456789") != "" || len(duration) > 1 && duration[0] == '0' {
			t.Errorf("%s: kindgi-duration-ms %q is no whole number", name, duration)
		}
		if name == "result" && (len(duration) < 2 || len(duration) == 2 && duration < "30") {
			t.Errorf("%s: kindgi-duration-ms %q after 30 ms", name, duration)
		}
		if got := a.header.Get("kindgi-artifact-version"); got != artifact {
			t.Errorf("%s: kindgi-artifact-version %q, want %q", name, got, artifact)
		}
	}
}
