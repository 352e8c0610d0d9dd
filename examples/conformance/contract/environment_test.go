package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// kept are the names that the env filter keeps, whatever a pack declares.
const kept = `PATH HOME HOSTNAME USER LANG LANGUAGE TZ TMPDIR TMP TEMP PWD SHLVL _ __CF_USER_TEXT_ENCODING
NODE_ENV NODE_VERSION YARN_VERSION NODE_OPTIONS NODE_EXTRA_CA_CERTS JAVA_HOME JAVA_VERSION
JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS VIRTUAL_ENV PORT HTTP_PROXY HTTPS_PROXY NO_PROXY
http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
K_SERVICE K_REVISION K_CONFIGURATION AWS_REGION AWS_DEFAULT_REGION AWS_EXECUTION_ENV
AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI
AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
AWS_WEB_IDENTITY_TOKEN_FILE AWS_ROLE_ARN ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4
IDENTITY_ENDPOINT IDENTITY_HEADER MSI_ENDPOINT MSI_SECRET AZURE_CLIENT_ID AZURE_TENANT_ID
AZURE_FEDERATED_TOKEN_FILE AZURE_AUTHORITY_HOST
GODEBUG GOGC GOMEMLIMIT GOMAXPROCS GOTRACEBACK GOCOVERDIR
LC_ALL LC_ANYTHING PYTHONPATH PYTHON OTEL_EXPORTER_OTLP_ENDPOINT CLOUD_RUN_JOB CONTAINER_APP_NAME
KINDGI_ANYTHING KINDGI_LOG_LEVEL`

// dropped are names that it does not keep, near misses and static credentials among them.
const dropped = `DATABASE_URL AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN
GOOGLE_APPLICATION_CREDENTIALS AZURE_CLIENT_SECRET FOO path Path HOME_DIR LC KINDGI kindgi_x OTEL GOPATH GOFLAGS
MY_KINDGI_THING EDGES_UNDECLARED`

// special are the values of variables that must mean something to the process.
var special = map[string]string{
	"GODEBUG": "panicnil=0", "GOGC": "100", "GOMEMLIMIT": "off", "GOMAXPROCS": "2", "GOTRACEBACK": "single",
	"PORT": "0", "TZ": "UTC", "KINDGI_LOG_LEVEL": "info", "PATH": os.Getenv("PATH"), "TMPDIR": os.TempDir(), "HOME": "/",
}

func environment(names string) map[string]string {
	env := map[string]string{}
	for _, name := range strings.Fields(names) {
		value, ok := special[name]
		if !ok {
			value = "canary-value"
		}
		env[name] = value
	}
	return env
}

// processNames asks a pack for the names in its process environment.
func processNames(t testing.TB, svc *service, tool string) []string {
	t.Helper()
	var out struct{ Names []string }
	if err := json.Unmarshal([]byte(svc.call(t, tool, `{}`).output(t)), &out); err != nil {
		t.Fatal(err)
	}
	return out.Names
}

func sortedFields(texts ...string) []string {
	all := strings.Fields(strings.Join(texts, " "))
	slices.Sort(all)
	return all
}

func TestEnvFilter(t *testing.T) {
	t.Parallel()
	for _, filter := range []string{"on", "", unset} {
		t.Run(fmt.Sprintf("%q", filter), func(t *testing.T) {
			t.Parallel()
			env := environment(kept + " " + dropped)
			env["KINDGI_PACK_ENV_FILTER"] = filter
			svc := start(t, setup{env: env})
			want := sortedFields(kept)
			if filter != unset {
				want = sortedFields(kept, "KINDGI_PACK_ENV_FILTER")
			}
			if got := processNames(t, svc, "conformance.process-env"); !slices.Equal(got, want) {
				t.Errorf("names in the environment\ngot  %q\nwant %q", got, want)
			}
			if got, want := svc.event(t, "env-dropped").list(t, "names"), sortedFields(dropped); !slices.Equal(got, want) {
				t.Errorf("env-dropped\ngot  %q\nwant %q", got, want)
			}
			svc.signal(t, syscall.SIGTERM)
			svc.wait(t)
			if n := len(svc.records("env-dropped")); n != 1 {
				t.Errorf("%d env-dropped records, want one", n)
			}
			if all := strings.Join(svc.stderr.all(), "\n"); strings.Contains(all, "canary-value") {
				t.Errorf("a record shows a value: %s", all)
			}
		})
	}
}

func TestEnvFilterOff(t *testing.T) {
	t.Parallel()
	env := environment(kept + " " + dropped)
	env["KINDGI_PACK_ENV_FILTER"] = "off"
	svc := start(t, setup{env: env})
	if got, want := processNames(t, svc, "conformance.process-env"), sortedFields(kept, dropped, "KINDGI_PACK_ENV_FILTER"); !slices.Equal(got, want) {
		t.Errorf("names in the environment\ngot  %q\nwant %q", got, want)
	}
	svc.signal(t, syscall.SIGTERM)
	svc.wait(t)
	if n := len(svc.records("env-dropped")); n != 0 {
		t.Errorf("%d env-dropped records, want none", n)
	}
}

// What a pack declares stays; what another pack declares does not.
func TestEnvFilterKeepsDeclaredNames(t *testing.T) {
	t.Parallel()
	env := environment("EDGES_REQUIRED EDGES_OPTIONAL EDGES_UNDECLARED")
	svc := start(t, setup{pack: "edges", env: env})
	if got, want := processNames(t, svc, "edges.environ"), sortedFields("EDGES_OPTIONAL EDGES_REQUIRED HOME PATH PORT"); !slices.Equal(got, want) {
		t.Errorf("names in the environment\ngot  %q\nwant %q", got, want)
	}
	if got := svc.event(t, "env-dropped").list(t, "names"); !slices.Equal(got, []string{"EDGES_UNDECLARED"}) {
		t.Errorf("env-dropped %q", got)
	}
}

// Nothing dropped, nothing said.
func TestEnvFilterWithNothingToDrop(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	svc.signal(t, syscall.SIGTERM)
	svc.wait(t)
	if n := len(svc.records("env-dropped")); n != 0 {
		t.Errorf("%d env-dropped records, want none", n)
	}
}

// The token leaves the environment before a handler can run, with the filter on and off,
// and leaves what the system shows of the process.
func TestTokenLeavesTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, filter := range []string{"on", "off"} {
		t.Run(filter, func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{env: map[string]string{"KINDGI_PACK_ENV_FILTER": filter, "KEPT_OR_NOT": "x"}})
			if names := processNames(t, svc, "conformance.process-env"); slices.Contains(names, "KINDGI_PACK_SERVICE_TOKEN") {
				t.Errorf("a handler finds the token's name: %q", names)
			}
			if runtime.GOOS != "linux" {
				t.Skip("only Linux shows a process's first environment, in /proc")
			}
			shown, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", svc.pid))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(shown, []byte(token)) || bytes.Contains(shown, []byte("KINDGI_PACK_SERVICE_TOKEN="+token[:1])) {
				t.Errorf("/proc shows the token")
			}
			if !bytes.Contains(shown, []byte("PATH=")) {
				t.Errorf("/proc does not show the environment at all, so this test proves nothing: %q", shown)
			}
		})
	}
}

// requiring writes an index of the conformance pack that requires env names, not in order and one twice.
func requiring(t testing.TB) string {
	t.Helper()
	return writeIndex(t, "conformance", func(x map[string]any) {
		x["env"] = map[string]any{"optional": []string{"OPTIONAL_NAME"}, "required": []string{"B_NAME", "A_NAME", "AN_EMPTY_NAME", "A_NAME"}}
	})
}

func TestEnvCheckStrict(t *testing.T) {
	t.Parallel()
	for _, check := range []string{"strict", "", unset} {
		t.Run(fmt.Sprintf("%q", check), func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{
				args: []string{"--index", requiring(t), "--host", "127.0.0.1"},
				env:  map[string]string{"KINDGI_PACK_ENV_CHECK": check, "AN_EMPTY_NAME": "", "B_NAME": "b"},
			})
			missing := svc.event(t, "missing-env")
			if got := missing.list(t, "names"); !slices.Equal(got, []string{"AN_EMPTY_NAME", "A_NAME"}) {
				t.Errorf("missing-env names %q", got)
			}
			if got := missing.text("check"); got != "strict" {
				t.Errorf("missing-env check %q", got)
			}
			unready := `{"error":"missing env","missingEnv":["AN_EMPTY_NAME","A_NAME"]}`
			svc.do(t, "GET", "/readyz", nil).unavailable(t, unready)
			svc.call(t, "conformance.echo", `{"message":"hi"}`).unavailable(t, unready)
			svc.do(t, "GET", "/healthz", nil).is(t, http.StatusOK, `{"status":"ok"}`)
			if got := svc.info(t).MissingEnv; !slices.Equal(got, []string{"AN_EMPTY_NAME", "A_NAME"}) {
				t.Errorf("info's missingEnv %q", got)
			}
			// Readiness comes after the token and before the content type.
			svc.do(t, "POST", "/v1/invoke", strings.NewReader("{}")).is(t, http.StatusUnauthorized, `{"error":"Bad pack token"}`)
			svc.invoke(t, "text", "Content-Type", "text/plain").unavailable(t, unready)
		})
	}
}

func TestEnvCheckWarn(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{
		args: []string{"--index", requiring(t), "--host", "127.0.0.1"},
		env:  map[string]string{"KINDGI_PACK_ENV_CHECK": "warn", "B_NAME": "b"},
	})
	missing := svc.event(t, "missing-env")
	if got := missing.list(t, "names"); !slices.Equal(got, []string{"AN_EMPTY_NAME", "A_NAME"}) {
		t.Errorf("missing-env names %q", got)
	}
	if got := missing.text("check"); got != "warn" {
		t.Errorf("missing-env check %q", got)
	}
	svc.do(t, "GET", "/readyz", nil).is(t, http.StatusOK, `{"status":"ready"}`)
	svc.call(t, "conformance.echo", `{"message":"hi"}`).returned(t, `{"message":"hi"}`)
	if got := svc.info(t).MissingEnv; !slices.Equal(got, []string{"AN_EMPTY_NAME", "A_NAME"}) {
		t.Errorf("info's missingEnv %q", got)
	}
}

func TestEnvCheckSatisfied(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{
		args: []string{"--index", requiring(t), "--host", "127.0.0.1"},
		env:  map[string]string{"AN_EMPTY_NAME": "not so empty", "A_NAME": "a", "B_NAME": "b", "OPTIONAL_NAME": "o", "OTHER_NAME": "x"},
	})
	svc.do(t, "GET", "/readyz", nil).is(t, http.StatusOK, `{"status":"ready"}`)
	if got := svc.get(t, "/v1/info"); !bytes.Contains(got.body, []byte(`"missingEnv":[]`)) {
		t.Errorf("missingEnv is not an empty list: %v", got)
	}
	if n := len(svc.records("missing-env")); n != 0 {
		t.Errorf("%d missing-env records, want none", n)
	}
	// What the index declares is what the filter keeps.
	if got, want := processNames(t, svc, "conformance.process-env"), sortedFields("AN_EMPTY_NAME A_NAME B_NAME OPTIONAL_NAME HOME PATH PORT"); !slices.Equal(got, want) {
		t.Errorf("names in the environment\ngot  %q\nwant %q", got, want)
	}
}

// The binary's own declarations count without an index file.
func TestEnvCheckOfTheCompiledIndex(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"EDGES_REQUIRED": unset}})
	svc.do(t, "GET", "/readyz", nil).unavailable(t, `{"error":"missing env","missingEnv":["EDGES_REQUIRED"]}`)
}

// The tenant is checked before readiness.
func TestTenantBeforeReadiness(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"EDGES_REQUIRED": "", "KINDGI_PACK_TENANT_ID": "tenant-1"}})
	svc.call(t, "edges.empty", `{}`).is(t, http.StatusMisdirectedRequest, `{"code":"pack-tenant-mismatch"}`)
	svc.call(t, "edges.empty", `{}`, "kindgi-tenant-id", "tenant-1").
		unavailable(t, `{"error":"missing env","missingEnv":["EDGES_REQUIRED"]}`)
}
