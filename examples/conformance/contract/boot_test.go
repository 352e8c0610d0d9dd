package contract_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bootProblems starts a service with an index that must fail its boot.
func bootProblems(t testing.TB, index string) []string {
	t.Helper()
	return refuses(t, "boot-failed", setup{args: []string{"--index", index, "--host", "127.0.0.1"}})
}

func TestIndexCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, index := range map[string]string{
		"missing":      filepath.Join(dir, "no-such-file.json"),
		"folder":       dir,
		"empty":        file("empty.json", ""),
		"not JSON":     file("text.json", "index"),
		"half":         file("half.json", `{"v":1,"packId":"conf`),
		"not object":   file("list.json", `[]`),
		"trailing":     file("trailing.json", `{"v":1} {}`),
		"wrong fields": file("fields.json", `{"v":1,"packId":7}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, problem := range bootProblems(t, index) {
				why, ok := strings.CutPrefix(problem, "Cannot read the pack index: ")
				if !ok || len(why) < 5 {
					t.Errorf("got %q, want Cannot read the pack index: WHY", problem)
				}
			}
		})
	}
}

func TestIndexEnvelope(t *testing.T) {
	t.Parallel()
	for v, want := range map[any]string{
		2:  "Index envelope v2 is not v1",
		0:  "Index envelope v0 is not v1",
		17: "Index envelope v17 is not v1",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			// A newer envelope may look quite different: only its version is told.
			index := writeIndex(t, "conformance", func(x map[string]any) {
				clear(x)
				x["v"] = v
				x["new"] = []int{1}
			})
			if problems := bootProblems(t, index); !slices.Equal(problems, []string{want}) {
				t.Errorf("problems %q, want %q", problems, want)
			}
		})
	}
}

// Every module that the binary has not is named once, in the order of the index.
func TestMissingModules(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", func(x map[string]any) {
		entry(t, x, "tools", "conformance.throws")["modulePath"] = "lost/z.go"
		entry(t, x, "tools", "conformance.bad-output")["modulePath"] = "lost/a.go"
		entry(t, x, "tools", "conformance.sleep")["modulePath"] = "lost/z.go"
		entry(t, x, "guardrails", "conformance.min-length")["checkModulePath"] = "lost/check.go"
		entry(t, x, "agents", "conformance.echo-agent")["modulePath"] = "lost/a.go"
		entry(t, x, "flows", "conformance.echo-flow")["modulePath"] = "lost/flow.go"
	})
	want := []string{"Missing module: lost/a.go", "Missing module: lost/z.go", "Missing module: lost/check.go", "Missing module: lost/flow.go"}
	missing := slices.DeleteFunc(bootProblems(t, index), func(p string) bool { return !strings.HasPrefix(p, "Missing module") })
	// The index lists bad-output before sleep before throws, tools before guardrails
	// before agents before flows.
	if !slices.Equal(missing, want) {
		t.Errorf("got  %q\nwant %q", missing, want)
	}
}

// A tool, a version and a check that their module has not are problems.
func TestMissingPrimitives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(t *testing.T, x map[string]any)
		want string
	}{
		"tool": {func(t *testing.T, x map[string]any) {
			entry(t, x, "tools", "conformance.echo")["id"] = "conformance.shout"
		}, "conformance.shout"},
		"version": {func(t *testing.T, x map[string]any) {
			entry(t, x, "tools", "conformance.echo")["version"] = "9.9.9"
		}, "9.9.9"},
		"check": {func(t *testing.T, x map[string]any) {
			entry(t, x, "guardrails", "conformance.min-length")["checkId"] = "conformance.checks.max-length"
		}, "conformance.checks.max-length"},
		"another module's tool": {func(t *testing.T, x map[string]any) {
			echo := entry(t, x, "tools", "conformance.echo")
			echo["modulePath"] = entry(t, x, "tools", "conformance.sleep")["modulePath"]
		}, "conformance.echo"},
		"a tool in an agent's module": {func(t *testing.T, x map[string]any) {
			echo := entry(t, x, "tools", "conformance.echo")
			echo["modulePath"] = entry(t, x, "agents", "conformance.echo-agent")["modulePath"]
		}, "conformance.echo"},
		"a check in a flow's module": {func(t *testing.T, x map[string]any) {
			check := entry(t, x, "guardrails", "conformance.min-length")
			check["checkModulePath"] = entry(t, x, "flows", "conformance.echo-flow")["modulePath"]
		}, "conformance.checks.min-length"},
		"a check in a tool's module": {func(t *testing.T, x map[string]any) {
			check := entry(t, x, "guardrails", "conformance.min-length")
			check["checkModulePath"] = entry(t, x, "tools", "conformance.sleep")["modulePath"]
		}, "conformance.checks.min-length"},
		"a tool of the binary that the index lacks": {func(t *testing.T, x map[string]any) {
			x["tools"] = slices.DeleteFunc(x["tools"].([]any), func(e any) bool {
				return e.(map[string]any)["id"] == "conformance.noisy"
			})
		}, "conformance.noisy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := bootProblems(t, writeIndex(t, "conformance", func(x map[string]any) { c.edit(t, x) }))
			if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, c.want) }) {
				t.Errorf("no problem names %s: %q", c.want, problems)
			}
		})
	}
}

// Every schema is compiled at the boot, and every one that does not compile is named.
func TestBadSchemas(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", func(x map[string]any) {
		entry(t, x, "tools", "conformance.echo")["input"] = map[string]any{"type": "nonsense"}
		entry(t, x, "tools", "conformance.sleep")["output"] = map[string]any{"type": "object", "required": "slept"}
		entry(t, x, "guardrails", "conformance.min-length")["configSchema"] = map[string]any{"minimum": "low"}
	})
	problems := bootProblems(t, index)
	for _, want := range []string{"conformance.echo", "conformance.sleep", "conformance.checks.min-length"} {
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem names %s: %q", want, problems)
		}
	}
	if len(problems) != 3 {
		t.Errorf("%d problems, want 3: %q", len(problems), problems)
	}
}

// All that is wrong with an index is told at once.
func TestEveryBootProblemAtOnce(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", func(x map[string]any) {
		entry(t, x, "tools", "conformance.echo")["input"] = map[string]any{"type": "nonsense"}
		entry(t, x, "tools", "conformance.sleep")["version"] = "9.9.9"
		entry(t, x, "tools", "conformance.noisy")["modulePath"] = "lost/noisy.go"
	})
	problems := bootProblems(t, index)
	for _, want := range []string{"conformance.echo", "9.9.9", "Missing module: lost/noisy.go"} {
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem names %s: %q", want, problems)
		}
	}
}

// Bad settings are told without looking at the index, and listed with nothing lost.
func TestSettingsBeforeBoot(t *testing.T) {
	t.Parallel()
	svc := launch(t, setup{args: []string{"--index", "/no/such/index.json", "--host", "127.0.0.1"}, env: map[string]string{"PORT": "http"}})
	if code := svc.wait(t); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if len(svc.records("config-invalid")) != 1 {
		t.Errorf("no config-invalid record")
	}
}

// The schemas of an index file are the ones enforced, and those that are not the binary's
// own are named.
func TestIndexSchemasAreEnforced(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", func(x map[string]any) {
		input := entry(t, x, "tools", "conformance.echo")["input"].(map[string]any)
		input["properties"].(map[string]any)["message"] = map[string]any{"type": "string", "maxLength": 3}
		output := entry(t, x, "tools", "conformance.sleep")["output"].(map[string]any)
		output["properties"].(map[string]any)["slept"] = map[string]any{"type": "integer", "maximum": 5}
		config := entry(t, x, "guardrails", "conformance.min-length")["configSchema"].(map[string]any)
		config["properties"].(map[string]any)["minLength"] = map[string]any{"type": "integer", "minimum": 10, "default": 12}
	})
	svc := start(t, setup{args: []string{"--index", index, "--host", "127.0.0.1"}})

	svc.call(t, "conformance.echo", `{"message":"abc"}`).returned(t, `{"message":"abc"}`)
	svc.call(t, "conformance.echo", `{"message":""}`).returned(t, `{"message":""}`)
	svc.call(t, "conformance.echo", `{"message":"abcd"}`).
		failed(t, "input-validation-failed", `Tool "conformance.echo" input failed validation`).
		issues(t, `[{"instancePath":"/message","schemaPath":"#/properties/message/maxLength","keyword":"maxLength","params":{"limit":3},"message":"must NOT have more than 3 characters"}]`)
	svc.call(t, "conformance.sleep", `{"ms":6}`).
		failed(t, "output-validation-failed", `Tool "conformance.sleep" handler produced output that failed validation`).
		issues(t, `[{"instancePath":"/slept","schemaPath":"#/properties/slept/maximum","keyword":"maximum","params":{"comparison":"<=","limit":5},"message":"must be <= 5"}]`)
	svc.evaluate(t, "conformance.checks.min-length", `{"minLength":9}`, `"x"`).
		failed(t, "input-validation-failed", `Check "conformance.checks.min-length" config failed validation at /minLength: must be >= 10`)
	svc.evaluate(t, "conformance.checks.min-length", `{}`, `"11 letters!"`).
		is(t, http.StatusOK, `{"v":2,"kind":"check-result","result":{"passed":false,"reason":"too short"}}`)

	stale := svc.event(t, "index-stale")
	for _, want := range []string{"conformance.echo", "conformance.sleep", "conformance.checks.min-length"} {
		if !strings.Contains(stale.line, want) {
			t.Errorf("index-stale does not name %s: %s", want, stale.line)
		}
	}
	if strings.Contains(stale.line, "conformance.noisy") {
		t.Errorf("index-stale names a schema that is the binary's own: %s", stale.line)
	}
}

// An index as the indexer wrote it is the binary's own: nothing in it is stale, and what
// an integer's type cannot hold is refused as it is without the file.
func TestOwnIndexIsNotStale(t *testing.T) {
	t.Parallel()
	for _, pack := range []string{"conformance", "edges"} {
		svc := start(t, setup{pack: pack, args: []string{"--index", writeIndex(t, pack, nil), "--host", "127.0.0.1"}})
		if stale := svc.records("index-stale"); len(stale) > 0 { // written before listening
			t.Errorf("record %s", stale[0].line)
		}
		if pack != "edges" {
			continue
		}
		for _, id := range []string{"9223372036854775808", "9223372036854775900", "9223372036854776000", "9223372036854776001", "-9223372036854775809", "1e19"} {
			if f := svc.call(t, "edges.numbers", `{"id":`+id+`}`).failure(t); f.Code != "input-validation-failed" || f.Issues == nil {
				t.Errorf("id %s: got %s %q", id, f.Code, f.Message)
			}
		}
	}
}
