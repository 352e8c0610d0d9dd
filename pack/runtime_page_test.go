package pack_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

// runtimePage plays the runtime's GET /v1/tools/{id}/versions/{version}.
type runtimePage struct {
	*httptest.Server
	tools map[string]map[string]any // "ID VERSION" to the manifest

	mu       sync.Mutex
	requests []string
	tokens   map[string]bool // the Authorization headers that came
}

// publish makes a page of everything the shop has, as a runtime shows it.
func publish(t testing.TB, edit func(tools map[string]map[string]any)) *runtimePage {
	t.Helper()
	x, err := protocol.ParseIndex([]byte(readFile(t, filepath.Join("testdata", "shop.index.json"))))
	if err != nil {
		t.Fatal(err)
	}
	page := &runtimePage{tools: map[string]map[string]any{}, tokens: map[string]bool{}}
	for _, tool := range x.Tools {
		raw, err := tool.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]any{}
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		delete(m, "modulePath")
		// What a runtime adds of its own.
		m["project"], m["transport"], m["unattended"] = "p1", "auto", false
		m["codeArtifactRef"] = map[string]any{"kind": "oci", "digest": "sha256:00"}
		m["secretScopes"] = map[string]any{"pay-key": map[string]any{"kind": "tenant"}}
		page.tools[tool.ID+" "+tool.Version] = m
	}
	if edit != nil {
		edit(page.tools)
	}
	page.Server = httptest.NewServer(page)
	t.Cleanup(page.Close)
	return page
}

// asked gives the paths that were asked for, and the Authorization headers.
func (page *runtimePage) asked() (paths, tokens []string) {
	page.mu.Lock()
	defer page.mu.Unlock()
	return slices.Clone(page.requests), slices.Collect(maps.Keys(page.tokens))
}

func (page *runtimePage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page.mu.Lock()
	page.requests = append(page.requests, r.URL.EscapedPath())
	page.tokens[r.Header.Get("Authorization")] = true
	page.mu.Unlock()
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/api"), "/")
	switch {
	case r.Header.Get("Authorization") != "Bearer "+apiToken:
		envelope(w, http.StatusUnauthorized, "unauthorized", "The token "+r.Header.Get("Authorization")+" is expired.", "req-401")
	case r.Method != http.MethodGet || len(parts) != 6 || parts[1] != "v1" || parts[2] != "tools" || parts[4] != "versions" || r.Header.Get("Accept") != "application/json":
		envelope(w, http.StatusBadRequest, "bad-request", "not a request for a tool's version", "req-400")
	case page.tools[parts[3]+" "+parts[5]] == nil:
		envelope(w, http.StatusNotFound, "tool-not-found", "No such tool.", "req-404")
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(page.tools[parts[3]+" "+parts[5]])
	}
}

func envelope(w http.ResponseWriter, status int, code, message, requestID string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", requestID)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": code, "message": message, "requestId": requestID, "details": map[string]any{}}})
}

func verify(t testing.TB, runtimeURL string, args ...string) ran {
	t.Helper()
	return command{args: append([]string{"verify", "--runtime", runtimeURL}, args...), env: []string{"KINDGI_TOKEN=" + apiToken}}.run(t)
}
