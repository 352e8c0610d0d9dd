package pack_test

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// apiToken is the token that the runtime of the tests takes.
const apiToken = "kgi_bt_0123456789abcdefWXYZ"

const allSame = `acme.shop.lookup    2.1.0-rc.1  same
acme.shop.lookup    2.1.0       same
acme.shop.lookup    10.0.0      same
acme.shop.notify    2.1.0       same
acme.shop.panic     2.1.0       same
acme.shop.redirect  2.1.0       same
acme.shop.refund    2.1.0       same
acme.shop.track     2.1.0       same
acme.shop.wait      2.1.0       same
9 same, 0 different, 0 not published, 0 failed
`

// TestVerifyAllowsUnpublished: for a pipeline that runs before a version is published, and for
// nothing else.
func TestVerifyAllowsUnpublished(t *testing.T) {
	t.Parallel()
	edit := func(differs bool) func(map[string]map[string]any) {
		return func(tools map[string]map[string]any) {
			for at, m := range tools {
				if m["id"] == "acme.shop.panic" {
					delete(tools, at)
				}
				if differs && m["id"] == "acme.shop.wait" {
					m["description"] = "another"
				}
			}
		}
	}
	for _, differs := range []bool{false, true} {
		page := publish(t, edit(differs))
		for flag, want := range map[string]int{"--json=false": 1, "--allow-unpublished": map[bool]int{false: 0, true: 1}[differs]} {
			got := command{args: []string{"verify", "--runtime", page.URL, flag}, env: []string{"KINDGI_TOKEN=" + apiToken}}.run(t)
			if got.code != want || !strings.Contains(got.stdout, "1 not published") {
				t.Errorf("differs %v, %s: exit code %d, want %d\n%s%s", differs, flag, got.code, want, got.stdout, got.stderr)
			}
		}
	}
}

// TestVerifyOfNoRuntime: who answers 404 to everything has not said that a tool is unpublished.
func TestVerifyOfNoRuntime(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(page.Close)
	got := command{args: []string{"verify", "--runtime", page.URL, "--allow-unpublished"}, env: []string{"KINDGI_TOKEN=" + apiToken}}.run(t)
	if got.code != 1 {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestVerifySame accepts what is published, with what a runtime adds and with defaults
// left out or spelled out.
func TestVerifySame(t *testing.T) {
	t.Parallel()
	page := publish(t, nil)
	verify(t, page.URL).want(t, 0, allSame, "")
	verify(t, page.URL+"/api/").want(t, 0, allSame, "")
	if paths, tokens := page.asked(); len(paths) != 18 || len(tokens) != 1 {
		t.Errorf("there were %d requests with %d tokens", len(paths), len(tokens))
	}
	got := command{args: []string{"verify", "--runtime", page.URL, "--token-env", "OTHER"}, env: []string{"OTHER= " + apiToken + "\n"}}.run(t)
	got.want(t, 0, allSame, "")

	spelled := publish(t, func(tools map[string]map[string]any) {
		for _, m := range tools {
			for name, value := range map[string]any{
				"mutating": true, "description": "", "effects": []any{}, "needs": []any{}, "needsSpec": map[string]any{"secrets": map[string]any{}, "bindings": []any{}},
				"sandbox": "none", "limits": nil, "network": nil, "spec": nil,
			} {
				if _, ok := m[name]; !ok {
					m[name] = value
				}
			}
			if spec, ok := m["spec"].(map[string]any); ok {
				for name, value := range map[string]any{"timeoutMs": 30000, "parseJson": true, "headers": []any{}, "futureMember": 1} {
					if _, ok := spec[name]; !ok {
						spec[name] = value
					}
				}
			}
			for _, need := range m["needs"].([]any) {
				need.(map[string]any)["futureMember"] = "x"
			}
		}
	})
	verify(t, spelled.URL).want(t, 0, allSame, "")
}

// TestVerifyDiffers names each field that differs with both values.
func TestVerifyDiffers(t *testing.T) {
	t.Parallel()
	page := publish(t, func(tools map[string]map[string]any) {
		lookup := tools["acme.shop.lookup 2.1.0"]
		lookup["input"].(map[string]any)["properties"].(map[string]any)["number"].(map[string]any)["maxLength"] = 30
		lookup["input"].(map[string]any)["required"] = []any{"number", "depth"}
		delete(lookup["output"].(map[string]any), "additionalProperties")
		lookup["mutating"] = true
		lookup["description"] = "An\x1b[31m\u202e old one." + strings.Repeat("x", 300)
		refund := tools["acme.shop.refund 2.1.0"]
		refund["version"] = "2.0.9"
		refund["effects"] = refund["effects"].([]any)[:2]
		refund["needsSpec"].(map[string]any)["connections"].(map[string]any)["mail"].(map[string]any)["permissions"] = []any{"gmail.read"}
		refund["network"].(map[string]any)["hosts"] = []any{"pay.example.com", "evil.example"}
		refund["sandbox"] = "strict"
		tools["acme.shop.wait 2.1.0"]["limits"] = map[string]any{"memMB": 1, "cpuMs": 2}
		delete(tools, "acme.shop.panic 2.1.0")
	})
	got := verify(t, page.URL)
	got.want(t, 1, `acme.shop.lookup    2.1.0-rc.1  same
acme.shop.lookup    2.1.0       differs
  /description
    this binary: "Looks an order up by its number.\nQuotes \" and back-slashes \\, é, 😀, � and <tags> are kept as they are."
    the runtime: "An\u001b[31m� old one.`+strings.Repeat("x", 177)+`…
  /input/properties/number/maxLength
    this binary: 20
    the runtime: 30
  /input/required
    this binary: ["number"]
    the runtime: ["number","depth"]
  /mutating
    this binary: false
    the runtime: true
  /output/additionalProperties
    this binary: false
    the runtime: nothing
acme.shop.lookup    10.0.0      same
acme.shop.notify    2.1.0       same
acme.shop.panic     2.1.0       not published
acme.shop.redirect  2.1.0       same
acme.shop.refund    2.1.0       differs
  /effects/2
    this binary: {"kind":"network"}
    the runtime: nothing
  /needsSpec/connections/mail/permissions/0
    this binary: "gmail.send"
    the runtime: "gmail.read"
  /network/hosts
    this binary: ["pay.example.com"]
    the runtime: ["pay.example.com","evil.example"]
  /sandbox
    this binary: "context-isolated"
    the runtime: "strict"
  /version
    this binary: "2.1.0"
    the runtime: "2.0.9"
acme.shop.track     2.1.0       same
acme.shop.wait      2.1.0       differs
  /limits
    this binary: nothing
    the runtime: {"cpuMs":2,"memMB":1}
5 same, 3 different, 1 not published, 0 failed
`, "verify: what is published under a version must not change; give each tool that differs a new version\n")

	got = verify(t, page.URL, "--json")
	var report struct {
		Kind  string
		Value struct {
			Runtime string
			Counts  struct{ Same, Differs, NotPublished, Failed int }
			Tools   []struct {
				ID, Version, Status string
				Differences         []struct {
					Path            string
					Binary, Runtime json.RawMessage
				}
				Error struct {
					Code, Message, RequestID string
					Status                   int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.code != 1 || strings.Count(got.stdout, "\n") != 1 || got.stderr != "" {
		t.Fatalf("exit %d, %v: %q %q", got.code, err, got.stdout, got.stderr)
	}
	v := report.Value
	if report.Kind != "ok" || v.Runtime != page.URL || v.Counts.Same != 5 || v.Counts.Differs != 3 || v.Counts.NotPublished != 1 || v.Counts.Failed != 0 || len(v.Tools) != 9 {
		t.Errorf("got %+v", v)
	}
	if d := v.Tools[1].Differences[1]; v.Tools[1].Status != "differs" || d.Path != "/input/properties/number/maxLength" || string(d.Binary) != "20" || string(d.Runtime) != "30" {
		t.Errorf("got %+v", v.Tools[1])
	}
	if e := v.Tools[4]; e.Status != "not-published" || e.Error.Code != "tool-not-found" || e.Error.Status != 404 || e.Error.RequestID != "req-404" {
		t.Errorf("got %+v", e)
	}
	if d := v.Tools[8].Differences[0]; d.Path != "/limits" || d.Binary != nil {
		t.Errorf("got %+v", d)
	}
}

// TestVerifyManyDifferences bounds what is shown of one tool.
func TestVerifyManyDifferences(t *testing.T) {
	t.Parallel()
	page := publish(t, func(tools map[string]map[string]any) {
		input := tools["acme.shop.wait 2.1.0"]["input"].(map[string]any)
		for i := range 200 {
			input[fmt.Sprintf("m%03d", i)] = i
		}
	})
	got := verify(t, page.URL)
	if got.code != 1 || strings.Count(got.stdout, "    this binary: nothing\n") != 100 || !strings.Contains(got.stdout, "  and perhaps more: no more than 100 differences are shown\n") {
		t.Errorf("exit %d\n%s", got.code, got.stdout)
	}
}

// TestVerifyRefused ends at once when every answer would be the same, and shows no token.
func TestVerifyRefused(t *testing.T) {
	t.Parallel()
	page := publish(t, nil)
	got := command{args: []string{"verify", "--runtime", page.URL}, env: []string{"KINDGI_TOKEN=hunter2"}}.run(t)
	got.want(t, 1, "", "verify: the runtime answered 401: The token Bearer [redacted] is expired. (unauthorized), request req-401; the token is that of KINDGI_TOKEN\n")
	if paths, _ := page.asked(); len(paths) > 4 {
		t.Errorf("it asked %d times", len(paths))
	}
	got = command{args: []string{"verify", "--runtime", page.URL, "--json", "--token-env", "T"}, env: []string{"T=hunter2"}}.run(t)
	got.want(t, 1, `{"kind":"err","error":{"code":"unauthorized","message":"The token Bearer [redacted] is expired.","status":401,"requestId":"req-401"}}`+"\n", "")

	command{args: []string{"verify", "--runtime", page.URL}}.run(t).want(t, 1, "",
		"verify: KINDGI_TOKEN is not set: put a token of the runtime's API there, or name another variable with --token-env\n")
	command{args: []string{"verify", "--runtime", page.URL}, env: []string{"KINDGI_TOKEN=hunter2 x"}}.run(t).want(t, 1, "",
		"verify: KINDGI_TOKEN holds no token: it must be printable ASCII without spaces (0x21 to 0x7e)\n")

	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	got = verify(t, closed.URL)
	if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "verify: cannot reach "+closed.URL+" (--runtime): ") ||
		!strings.HasSuffix(got.stderr, "connection refused; is the URL right, and is the runtime up and reachable from here?\n") {
		t.Errorf("exit %d, %q, %q", got.code, got.stdout, got.stderr)
	}
	// A proxy's URL may hold a password.
	proxy := strings.Replace(closed.URL, "://", "://u:hunter2@", 1)
	got = command{args: []string{"verify", "--runtime", "https://runtime.example"}, env: []string{"KINDGI_TOKEN=" + apiToken, "HTTPS_PROXY=" + proxy}}.run(t)
	if got.code != 1 || strings.Count(got.stderr, "\n") != 1 || strings.Contains(got.stderr, "hunter2") ||
		!strings.HasPrefix(got.stderr, "verify: cannot reach the proxy "+closed.URL+" on the way to https://runtime.example (--runtime): ") ||
		!strings.HasSuffix(got.stderr, "connection refused; look at HTTPS_PROXY and NO_PROXY\n") {
		t.Errorf("exit %d, %q, %q", got.code, got.stdout, got.stderr)
	}
}

// TestVerifyRedirects follows a redirect within the runtime and no other: the token must
// not go elsewhere.
func TestVerifyRedirects(t *testing.T) {
	t.Parallel()
	page := publish(t, nil)
	within := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/new/") {
			http.Redirect(w, r, "/new"+r.URL.EscapedPath(), http.StatusPermanentRedirect)
			return
		}
		r.URL.Path, r.URL.RawPath = strings.TrimPrefix(r.URL.Path, "/new"), ""
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(within.Close)
	verify(t, within.URL).want(t, 0, allSame, "")

	elsewhere := publish(t, nil) // another port of the same machine
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+r.URL.EscapedPath()+"?token=hunter2", http.StatusFound)
	}))
	t.Cleanup(here.Close)
	verify(t, here.URL).want(t, 1, "", "verify: "+here.URL+" (--runtime) sends the request on to "+elsewhere.URL+", where the token must not go; if that is the runtime, name it with --runtime\n")
	if paths, _ := elsewhere.asked(); len(paths) > 0 {
		t.Errorf("%d requests went to the other host", len(paths))
	}

	circle := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }))
	t.Cleanup(circle.Close)
	if got := verify(t, circle.URL); got.code != 1 || strings.Count(got.stdout, "(--runtime): it redirects more than 5 times\n") != 9 || !strings.HasSuffix(got.stdout, "\n0 same, 0 different, 0 not published, 9 failed\n") {
		t.Errorf("exit %d, %q", got.code, got.stdout)
	}
}

// TestVerifyAnswers survives whatever answers in the runtime's place.
func TestVerifyAnswers(t *testing.T) {
	t.Parallel()
	const hint = "is --runtime the URL of the runtime's API?"
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		status string // of each tool
		line   string
	}{
		{"a proxy's page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<html>hello</html>"))
		}, "failed", "the answer, text/html, is no manifest: not valid JSON"},
		{"a list", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) }, "failed", "is no manifest: must be an object, not a list; " + hint},
		{"a member twice", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"id":"a","id":"b"}`)) }, "failed", "is no manifest: "},
		{"a proxy's 404", http.NotFound, "not published", "the runtime answered 404: text/plain, which is no error envelope; " + hint},
		{"a proxy's 502", func(w http.ResponseWriter, _ *http.Request) { w.Header()["Content-Type"] = nil; w.WriteHeader(502) },
			"failed", "the runtime answered 502: of no known media type, which is no error envelope; " + hint},
		{"an error", func(w http.ResponseWriter, _ *http.Request) {
			envelope(w, 500, "internal", "Broken\x1b[2J "+strings.Repeat("é", 600), "r-1")
		},
			"failed", "the runtime answered 500: Broken�[2J " + strings.Repeat("é", 489) + "… (internal), request r-1"},
		{"a request id in the header alone", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", "r-2")
			w.WriteHeader(429)
			_, _ = w.Write([]byte(`{"error":{"code":"slow-down","message":"Later."}}`))
		}, "failed", "the runtime answered 429: Later. (slow-down), request r-2"},
		{"too large", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"id":"` + strings.Repeat("x", 11<<20) + `"}`))
		}, "failed", "the answer is larger than 10 MiB"},
		{"cut short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(`{"id":`))
		}, "failed", "unexpected EOF"},
		{"a number beyond float64", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"id":"a","limits":{"memMB":1e999}}`))
		},
			"failed", "is no manifest: not valid JSON: number beyond the range of a 64-bit float"},
		{"members of other types", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"id":1,"version":null,"input":[],"output":"x","effects":{},"needsSpec":3,"spec":{"kind":"grpc"},"mutating":"yes"}`))
		}, "differs", "    the runtime: \"yes\""},
		{"the token in a value", func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `{"description":%q}`, "for "+r.Header.Get("Authorization"))
		}, "differs", `    the runtime: "for Bearer [redacted]"`},
		{"the token as a name", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"input":{%q:1,"type":"object"}}`, apiToken)
		}, "differs", "  /input/[redacted]\n"},
		{"the token as a name, twice", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{%q:1,%q:1}`, apiToken, apiToken)
		}, "failed", `duplicate member name "[redacted]"`},
		{"the token as a media type", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", apiToken)
			w.WriteHeader(500)
		},
			"failed", "the runtime answered 500"},
		{"an empty object", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(` {} `)) }, "differs", "    the runtime: nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(test.answer)
			t.Cleanup(server.Close)
			got := verify(t, server.URL)
			if got.code != 1 || strings.Count(got.stdout, "  "+test.status+"\n") != 9 {
				t.Errorf("exit %d, want 9 tools %s:\n%s", got.code, test.status, got.stdout)
			}
			if !strings.Contains(got.stdout, test.line) {
				t.Errorf("%q is not in\n%s", test.line, got.stdout)
			}
			if j := verify(t, server.URL, "--json"); strings.Contains(j.stdout+j.stderr, apiToken) || !json.Valid([]byte(j.stdout)) {
				t.Errorf("the token is shown, or what is shown is not JSON:\n%s", j.stdout)
			}
			if strings.Contains(got.stdout+got.stderr, apiToken) || strings.Contains(got.stdout, "\x1b") {
				t.Errorf("the token or an escape sequence is shown:\n%s", got.stdout)
			}
		})
	}
}

// TestVerifyTimeout gives up on a runtime that does not answer.
func TestVerifyTimeout(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "refund") { // the head comes, the body does not
			w.WriteHeader(200)
			_ = http.NewResponseController(w).Flush()
		}
		<-over
	}))
	t.Cleanup(silent.Close)
	t.Cleanup(func() { close(over) })
	got := verify(t, silent.URL, "--timeout", "50ms")
	if got.code != 1 || strings.Count(got.stdout, "  failed\n  no answer from "+silent.URL+" within 50ms; --timeout waits longer\n") != 9 {
		t.Errorf("exit %d\n%s", got.code, got.stdout)
	}
}

// TestVerifyTLS asks over https, and trusts only whom the system trusts.
func TestVerifyTLS(t *testing.T) {
	t.Parallel()
	page := publish(t, nil)
	secure := httptest.NewUnstartedServer(page)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	got := verify(t, secure.URL)
	if got.code != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, "verify: cannot trust "+secure.URL+" (--runtime): ") || !strings.Contains(got.stderr, "certificate signed by unknown authority; an authority of your own must be") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	cert := filepath.Join(t.TempDir(), "cert.pem")
	if err := os.WriteFile(cert, pemOf(secure.Certificate().Raw), 0o644); err != nil {
		t.Fatal(err)
	}
	got = command{args: []string{"verify", "--runtime", secure.URL}, env: []string{"KINDGI_TOKEN=" + apiToken, "SSL_CERT_FILE=" + cert}}.run(t)
	got.want(t, 0, allSame, "")

	// Without encryption and beyond this machine the token travels in the open.
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath}
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	got = command{args: []string{"verify", "--runtime", "http://runtime.example"}, env: []string{"KINDGI_TOKEN=" + apiToken, "HTTP_PROXY=" + proxy.URL}}.run(t)
	got.want(t, 0, allSame, "warning: the token travels unencrypted to runtime.example\n")
}

func pemOf(certificate []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
}
