package contract_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A supervisor starts a service as ARGV --index I --module-root D --host H, where ARGV may
// or may not name the command.
func TestArguments(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", nil)
	for name, args := range map[string][]string{
		"none":                 {"--host", "127.0.0.1"},
		"serve":                {"serve", "--host", "127.0.0.1"},
		"index":                {"--index", index, "--module-root", filepath.Dir(index), "--host", "127.0.0.1"},
		"serve with index":     {"serve", "--index", index, "--module-root", filepath.Dir(index), "--host", "127.0.0.1"},
		"equals signs":         {"--index=" + index, "--module-root=.", "--host", "127.0.0.1"},
		"missing module root":  {"--index", index, "--module-root", "/no/such/folder", "--host", "127.0.0.1"},
		"module root, no more": {"--module-root", "/no/such/folder", "--host", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{args: args})
			svc.do(t, "GET", "/readyz", nil).is(t, http.StatusOK, `{"status":"ready"}`)
			svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
			fromFile := slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--index") })
			if got := svc.info(t).ArtifactVersion; (got == indexArtifact) != fromFile {
				t.Errorf("artifact version %q: it serves another index than the one named", got)
			}
		})
	}
}

// The index is the argument's, else the environment's, else the one compiled in.
func TestIndexSource(t *testing.T) {
	t.Parallel()
	versioned := func(artifact string) string {
		return writeIndex(t, "conformance", func(x map[string]any) { x["artifactVersion"] = artifact })
	}
	fromArgument, fromEnv := versioned("argument"), versioned("environment")
	for name, c := range map[string]struct {
		setup
		want string
	}{
		"argument before environment": {setup{args: []string{"--host", "127.0.0.1", "--index", fromArgument}, env: map[string]string{"KINDGI_PACK_INDEX": fromEnv}}, "argument"},
		"environment":                 {setup{env: map[string]string{"KINDGI_PACK_INDEX": fromEnv}}, "environment"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := start(t, c.setup)
			if got := svc.info(t).ArtifactVersion; got != c.want {
				t.Errorf("artifact version %q, want %q", got, c.want)
			}
			if got := svc.event(t, "listening").text("artifactVersion"); got != c.want {
				t.Errorf("listening says artifact version %q, want %q", got, c.want)
			}
		})
	}
}

// Without --host a service listens on every interface; with it on that address alone.
func TestHost(t *testing.T) {
	t.Parallel()
	every := start(t, setup{args: []string{}})
	addresses := []string{"127.0.0.1"}
	if ipv6() {
		addresses = append(addresses, "::1")
	}
	_, port, _ := net.SplitHostPort(every.address)
	for _, address := range addresses {
		every.address = net.JoinHostPort(address, port)
		every.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
	}
	if ipv6() {
		one := start(t, setup{args: []string{"--host", "::1"}})
		one.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
	}
	if runtime.GOOS == "linux" { // where all of 127.0.0.0/8 is this machine
		one := start(t, setup{args: []string{"--host", "127.0.0.2"}})
		_, port, _ := net.SplitHostPort(one.address)
		if conn, err := net.DialTimeout("tcp", "127.0.0.1:"+port, patience); err == nil {
			_ = conn.Close()
			t.Errorf("with --host 127.0.0.2 it answers on 127.0.0.1")
		}
	}
}

func ipv6() bool {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}

// PORT names the port; the listening record says which one it is.
func TestPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	_ = l.Close()
	svc := start(t, setup{env: map[string]string{"PORT": port}})
	if _, got, _ := net.SplitHostPort(svc.address); got != port {
		t.Errorf("it listens on port %s, want %s", got, port)
	}

	// Another service cannot have the same port, which is no bad value for that.
	if problems := refuses(t, "boot-failed", setup{env: map[string]string{"PORT": port}}); len(problems) != 1 {
		t.Errorf("problems %q, want one", problems)
	}
}

// A setting with a bad value ends the process before it listens; the problem names the
// setting.
func TestBadSettings(t *testing.T) {
	t.Parallel()
	for setting, values := range map[string][]string{
		"PORT":                                {"-1", "65536", "http", "80.0", "1e3", "0x50", "99999999999999999999"},
		"KINDGI_PACK_SERVICE_TOKEN":           {unset, "", " \t\n", "two words", "a\ttab", "t\u00f6ken", "del\x7fete"},
		"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": {"0", "-1", "many", "1.5", "1e2", "99999999999999999999"},
		"KINDGI_PACK_ENV_CHECK":               {"yes", "STRICT", "strict,warn"},
		"KINDGI_PACK_ENV_FILTER":              {"true", "ON", "1"},
		"KINDGI_LOG_LEVEL":                    {"loud", "5"},
		"KINDGI_LOG_LEVELS":                   {"pack", "pack=loud", "pack=debug,=info", "pack=debug;pack.tool=info"},
		"KINDGI_LOG_FORMAT":                   {"xml", "text"},
	} {
		for i, value := range values {
			t.Run(fmt.Sprintf("%s %d", setting, i), func(t *testing.T) {
				t.Parallel()
				problems := refuses(t, "config-invalid", setup{env: map[string]string{setting: value}})
				if len(problems) != 1 || !strings.Contains(problems[0], setting) {
					t.Errorf("problems %q, want one that names %s", problems, setting)
				}
			})
		}
	}
	// The last is an address, but nobody's (RFC 5737).
	for i, host := range []string{"not a host", "127.0.0.1:80", "300.1.1.1", "198.51.100.7"} {
		t.Run(fmt.Sprintf("host %d", i), func(t *testing.T) {
			t.Parallel()
			problems := refuses(t, "config-invalid", setup{args: []string{"--host", host}})
			if len(problems) != 1 || !strings.Contains(problems[0], "host") {
				t.Errorf("problems %q, want one that names the host", problems)
			}
		})
	}
}

// Every problem is listed at once, in one record, and no secret among them.
func TestEveryBadSettingAtOnce(t *testing.T) {
	t.Parallel()
	bad := map[string]string{
		"PORT":                                "http",
		"KINDGI_PACK_SERVICE_TOKEN":           "secret canary",
		"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "0",
		"KINDGI_PACK_ENV_CHECK":               "yes",
		"KINDGI_PACK_ENV_FILTER":              "yes",
		"KINDGI_LOG_LEVEL":                    "loud",
		"KINDGI_LOG_LEVELS":                   "pack",
		"KINDGI_LOG_FORMAT":                   "xml",
	}
	svc := launch(t, setup{env: bad})
	if code := svc.wait(t); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	found := svc.records("config-invalid")
	if len(found) != 1 {
		t.Fatalf("%d config-invalid records, want 1", len(found))
	}
	problems := found[0].list(t, "problems")
	if len(problems) != len(bad) {
		t.Errorf("%d problems, want %d: %q", len(problems), len(bad), problems)
	}
	for name := range bad {
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, name) }) {
			t.Errorf("no problem names %s: %q", name, problems)
		}
	}
	if all := strings.Join(append(svc.stderr.all(), svc.stdout.all()...), "\n"); strings.Contains(all, "canary") {
		t.Errorf("the token is in the output: %s", all)
	}
}

// An empty value means that the setting is not set, where the contract says so.
func TestEmptySettings(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{
		"KINDGI_PACK_ENV_CHECK": "", "KINDGI_PACK_ENV_FILTER": "", "KINDGI_PACK_TENANT_ID": "",
		"DATABASE_URL": "x", // dropped: an unset filter is on
	}})
	svc.call(t, "conformance.echo", `{"message":"hi"}`, "kindgi-tenant-id", "anyone").returned(t, `{"message":"hi"}`)
	svc.event(t, "env-dropped")
}

// White space around the token is not part of it; without a token a service does not start.
func TestTokenIsTrimmed(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_TOKEN": " \t" + token + "\r\n"}})
	if got := svc.get(t, "/v1/info").status; got != http.StatusOK {
		t.Errorf("status %d for the token without the space around it", got)
	}
}

// Any printable ASCII is a token.
func TestTokenCharacters(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for c := byte(0x21); c <= 0x7e; c++ {
		all.WriteByte(c)
	}
	svc := start(t, setup{env: map[string]string{"KINDGI_PACK_SERVICE_TOKEN": all.String()}})
	a := svc.do(t, "GET", "/v1/info", nil, "kindgi-pack-token", all.String())
	if a.status != http.StatusOK {
		t.Errorf("got %v", a)
	}
}

// The default cap is 32.
func TestDefaultCap(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	g := newGate(t)
	held := []*pending{}
	for range 32 {
		held = append(held, svc.begin(t, toolCall("conformance.hold", fmt.Sprintf(`{"release":%q}`, g.path))))
	}
	svc.stdoutCount(t, "hold: "+g.path, 32)
	svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, `{"error":"overloaded"}`)
	g.open(t)
	for _, call := range held {
		call.wait(t).returned(t, `{"released":true}`)
	}
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
}

// stdoutCount waits until a line was printed n times.
func (s *service) stdoutCount(t testing.TB, line string, n int) {
	t.Helper()
	count := 0
	if _, ok := s.stdout.wait(t, fmt.Sprintf("%d lines %q", n, line), func(l string) bool {
		if l == line {
			count++
		}
		return count == n
	}); !ok {
		t.Fatal("the process ended")
	}
}

// The listening record holds what a supervisor needs.
func TestListening(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	r := svc.event(t, "listening")
	_, port, _ := net.SplitHostPort(svc.address)
	if got := r.fields["port"]; got != json.Number(port) {
		t.Errorf("port %v, want %s", got, port)
	}
	if got := r.text("packId"); got != "conformance" {
		t.Errorf("packId %q", got)
	}
	if got, want := r.text("artifactVersion"), svc.info(t).ArtifactVersion; got != want || got == "" {
		t.Errorf("artifactVersion %q, info says %q", got, want)
	}
	if out := svc.stdout.all(); len(out) > 0 {
		t.Errorf("a service prints nothing on standard output itself: %q", out)
	}
}

// indexArtifact and indexPublished pin the indexes that the tests write.
const (
	indexArtifact  = "20260131.1"
	indexPublished = "2026-01-31T12:00:00.000Z"
)

// writeIndex writes a pack's index with its own indexer, lets edit change it, and gives
// the file's path. Each call writes another file, in a folder of its own.
func writeIndex(t testing.TB, pack string, edit func(map[string]any)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index.json")
	_, stderr, code := command(t, pack, nil, "index", "--pack-dir", ".", "--output", path,
		"--artifact-version", indexArtifact, "--published-at", indexPublished)
	if code != 0 {
		t.Fatalf("index: exit code %d: %s", code, stderr)
	}
	if edit == nil {
		return path
	}
	x := readIndex(t, path)
	edit(x)
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readIndex(t testing.TB, path string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var x map[string]any
	if err := json.Unmarshal(b, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// entry finds an entry of a list of an index by its id.
func entry(t testing.TB, x map[string]any, list, id string) map[string]any {
	t.Helper()
	for _, e := range x[list].([]any) {
		if e := e.(map[string]any); e["id"] == id {
			return e
		}
	}
	t.Fatalf("the index has no %s in its %s", id, list)
	return nil
}
