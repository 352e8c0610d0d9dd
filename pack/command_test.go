package pack_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

var commandNames = []string{"serve", "index", "list", "schema", "call", "verify", "version"}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, name := range commandNames {
		for _, args := range [][]string{{name, "-h"}, {name, "--help"}, {"help", name}} {
			got := shop(t, args...)
			usage := "Usage: shop.exe " + name
			if name == "serve" {
				usage = "Usage: shop.exe [serve] [FLAGS]\n"
			}
			if got.code != 0 || !strings.HasPrefix(got.stdout, usage) || got.stderr != "" {
				t.Errorf("%q: exit %d, stdout %q, stderr %q", args, got.code, got.stdout, got.stderr)
			}
			for line := range strings.Lines(got.stdout) {
				if len(line) > 81 || regexp.MustCompile(`^ +-[a-z]{2}`).MatchString(line) {
					t.Errorf("%q: the line %q is long, or shows a long flag with one dash", args, line)
				}
			}
		}
	}
	for _, arg := range []string{"help", "-h", "--help"} {
		got := shop(t, arg)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%s: exit %d, stderr %q", arg, got.code, got.stderr)
		}
		for _, name := range commandNames {
			if !regexp.MustCompile(`(?m)^  ` + name + ` +\S`).MatchString(got.stdout) {
				t.Errorf("%s does not list %s:\n%s", arg, name, got.stdout)
			}
		}
	}
	golden(t, "shop.serve-help.txt", shop(t, "serve", "-h").stdout)
	golden(t, "shop.call-help.txt", shop(t, "call", "-h").stdout)
	if version := shop(t, "version"); shop(t, "--version") != version {
		t.Error("--version is not the command version")
	}
}

// TestHelpVariables names every environment variable of the process, in the help, in the
// documentation of Serve and in the guide.
func TestHelpVariables(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"help": shop(t, "help").stdout, "serve -h": shop(t, "serve", "-h").stdout}
	for _, file := range []string{"serve.go", "../docs/deploying.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	for _, name := range []string{
		"KINDGI_PACK_SERVICE_TOKEN", "PORT", "KINDGI_PACK_INDEX", "KINDGI_PACK_SERVICE_MAX_CONCURRENCY", "KINDGI_PACK_TENANT_ID",
		"KINDGI_PACK_ENV_CHECK", "KINDGI_PACK_ENV_FILTER", "KINDGI_LOG_LEVEL", "KINDGI_LOG_LEVELS", "KINDGI_LOG_FORMAT", "NO_COLOR",
		"SHOP_DATABASE", "SHOP_REGION",
	} {
		for where, text := range texts {
			own := strings.HasPrefix(name, "SHOP_")
			if (!own || strings.HasSuffix(where, "h") || where == "help") && !regexp.MustCompile(`\b`+name+`\b`).MatchString(text) {
				t.Errorf("%s does not name %s", where, name)
			}
		}
	}
}

func TestWrongUsage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args  []string
		first string // of the lines on stderr
	}{
		{[]string{"frobnicate"}, `there is no command "frobnicate"; it is serve, index, list, schema, call, verify or version`},
		{[]string{"serv"}, `there is no command "serv" (did you mean "serve"?); it is serve, index, list, schema, call, verify or version`},
		{[]string{"--frobnicate"}, `serve: there is no flag --frobnicate`},
		{[]string{"-hots", "::1"}, `serve: there is no flag --hots (did you mean "--host"?)`},
		{[]string{"serve", "--indx=hunter2"}, `serve: there is no flag --indx (did you mean "--index"?)`},
		{[]string{"serve", "--host"}, `serve: --host needs a value: --host ADDRESS`},
		{[]string{"--port", "80"}, `serve: there is no flag --port: the environment variable PORT sets it`},
		{[]string{"serve", "-log-level=debug"}, `serve: there is no flag --log-level: the environment variable KINDGI_LOG_LEVEL sets it`},
		{[]string{"serve", "--token", "hunter2"}, `serve: there is no flag --token: the environment variable KINDGI_PACK_SERVICE_TOKEN sets it`},
		{[]string{"serve", "now"}, `serve: it takes no arguments, got "now"`},
		{[]string{"index", "now"}, `index: it takes no arguments, got "now"`},
		{[]string{"index", "--out", "x"}, `index: there is no flag --out`},
		{[]string{"index", "--artefact-version=1"}, `index: there is no flag --artefact-version (did you mean "--artifact-version"?)`},
		{[]string{"index", "--json", "--output", "-"}, `index: --json reports on standard output, where --output - writes the index; name a file`},
		{[]string{"index", "--compiled-in", "--published-at", "now"}, `index: --compiled-in takes the version and the time from the binary; leave out --artifact-version and --published-at`},
		{[]string{"list", "now"}, `list: it takes no arguments, got "now"`},
		{[]string{"version", "now"}, `version: it takes no arguments, got "now"`},
		{[]string{"schema"}, `schema: its id is missing; the command list shows what there is`},
		{[]string{"schema", "a", "b"}, `schema: it takes one id, got "b" too`},
		{[]string{"schema", "a", "--output", "--config"}, `schema: it prints one of --output and --config`},
		{[]string{"call"}, `call: its id is missing; the command list shows what there is`},
		{[]string{"call", "a", "{}", "b"}, `call: it takes an id and an input, got "b" too`},
		{[]string{"call", "a", "--", "{}", "-b"}, `call: it takes an id and an input, got "-b" too`},
		{[]string{"call", "a", "-", "--ctx", "-"}, `call: standard input can be read once, and is to be the input and --ctx: put all but one into files, @FILE`},
		{[]string{"call", "a", "--trace", "-", "--config=-"}, `call: standard input can be read once, and is to be --config and --trace: put all but one into files, @FILE`},
		{[]string{"call", "a", "--timeout", "0s"}, `call: --timeout is 0s: it must be a millisecond or more`},
		{[]string{"call", "a", "--timeout", "soon"}, `call: --timeout is "soon": it must be a number with its unit, such as 500ms, 30s or 2m`},
		{[]string{"verify", "-timeout", "30"}, `verify: --timeout is "30": it must be a number with its unit, such as 500ms, 30s or 2m`},
		{[]string{"call", "a", "--timeout"}, `call: --timeout needs a value: --timeout DURATION`},
		{[]string{"list", "--json=perhaps"}, `list: --json is "perhaps": it takes no value, or true or false`},
		{[]string{"list", "-x"}, `list: there is no flag -x`},
		{[]string{"list", "---json"}, `list: "---json" is no flag; what follows -- is taken as it is`},
		{[]string{"help", "me"}, `there is no command "me"; it is serve, index, list, schema, call, verify or version`},
		{[]string{"verify"}, `verify: it needs --runtime URL`},
		{[]string{"verify", "--runtime", "https://r.example", "now"}, `verify: it takes no arguments, got "now"`},
		{[]string{"verify", "--runtime", "r.example"}, `--runtime: it must begin with https:// or http://`},
		{[]string{"verify", "--runtime", "127.0.0.1:8080"}, `--runtime: it must begin with https:// or http://`},
		{[]string{"verify", "--runtime", "https://"}, `--runtime: it has no host`},
		{[]string{"verify", "--runtime", "https://u:hunter2@r.example"}, `--runtime: it must not have a user or a password in it: the token proves who asks`},
		{[]string{"verify", "--runtime", "https://r.example?token=hunter2"}, `--runtime: it must not have a query or a fragment`},
		{[]string{"verify", "--runtime", "https://u:hunter2@r.example:port"}, `--runtime: it is not a URL`},
		{[]string{"verify", "--runtime", "https://r.example", "--token-env", "kgi_bt_hunter2"}, `--token-env takes the name of an environment variable, not a token: other users can read a command line`},
		{[]string{"verify", "--runtime", "https://r.example", "--token-env", "hunter2.x"}, `--token-env takes the name of an environment variable, not a token: other users can read a command line`},
		{[]string{"verify", "--runtime", "https://r.example", "--timeout", "-1s"}, `--timeout is -1s: it must be more than 0`},
	}
	for _, test := range tests {
		got := shop(t, test.args...)
		first, rest, _ := strings.Cut(got.stderr, "\n")
		if got.code != 2 || got.stdout != "" || !strings.HasSuffix(first, test.first) {
			t.Errorf("%q: exit %d, stdout %q, stderr begins %q, want %q", test.args, got.code, got.stdout, first, test.first)
		}
		name := test.args[0]
		if strings.HasPrefix(name, "-") {
			name = "serve"
		}
		if want := "run shop.exe " + name + " -h to see what it takes\n"; rest != want && slices.Contains(commandNames, name) {
			t.Errorf("%q: after the first line stands %q, want %q", test.args, rest, want)
		}
		if strings.Contains(got.stderr, "hunter2") {
			t.Errorf("%q: stderr shows a secret: %q", test.args, got.stderr)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	got := shop(t, "list")
	if got.code != 0 || got.stderr != "" {
		t.Errorf("exit %d, stderr %q", got.code, got.stderr)
	}
	golden(t, "shop.list.txt", got.stdout)

	got = shop(t, "list", "--json")
	var rows []struct {
		Kind, ID, Guardrail, Version, Description string
		ReadOnly                                  bool
		Effects                                   []string
	}
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil || got.code != 0 || strings.Count(got.stdout, "\n") != 1 {
		t.Fatalf("exit %d, %v: %q", got.code, err, got.stdout)
	}
	if len(rows) != 15 || rows[0].ID != "acme.shop.lookup" || rows[0].Version != "2.1.0-rc.1" || !rows[0].ReadOnly || rows[0].Effects[0] != "reads" ||
		rows[9].Kind != "check" || rows[9].ID != "acme.shop.checks.words" || rows[9].Guardrail != "acme.shop.words" ||
		rows[11].ID != "acme.shop.polite" || rows[11].Guardrail != "acme.shop.polite-ci" {
		t.Errorf("the rows are %+v", rows)
	}
}

// TestWarnings are shown beside what a command does, which they do not change.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const warning = "warning: pack/testdata/shop/main.go:25: check stray: its id does not begin with the pack's; another pack may have a guardrail of that name, so call it acme.shop.NAME\n"
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"index", "--output", "-"}} {
		got := command{args: args, env: []string{"KINDGI_SHOP_TEST=warning"}}.run(t)
		if got.code != 0 || got.stderr != warning || !strings.Contains(got.stdout, "stray") && args[len(args)-1] != "--json" {
			t.Errorf("%q: exit %d, stderr %q", args, got.code, got.stderr)
		}
	}
}

// TestProblems keep every command from working on a pack that is none.
func TestProblems(t *testing.T) {
	t.Parallel()
	problems := []string{
		`pack/testdata/shop/main.go:27: tool id "shop.stray" does not begin with the pack's: call it acme.shop.NAME`,
		`pack/testdata/shop/main.go:27: tool shop.stray: Sandbox "strickt" is not known (did you mean "strict"?); it is none, context-isolated or strict`,
	}
	for _, args := range [][]string{
		{"list"}, {"index", "--output", "-"}, {"schema", "acme.shop.track"}, {"call", "acme.shop.track"}, {"version"},
		{"verify", "--runtime", "http://127.0.0.1:1"},
	} {
		var want strings.Builder
		for _, problem := range problems {
			want.WriteString(args[0] + ": " + problem + "\n")
		}
		command{args: args, env: []string{"KINDGI_SHOP_TEST=problem", "KINDGI_TOKEN=x"}}.run(t).want(t, 1, "", want.String())
	}
	got := command{args: []string{"serve"}, env: []string{"KINDGI_SHOP_TEST=problem", "KINDGI_PACK_SERVICE_TOKEN=x"}}.run(t)
	var record struct {
		Event    string
		Problems []string
	}
	if err := json.Unmarshal([]byte(got.stderr), &record); err != nil || got.code != 1 {
		t.Fatalf("exit %d, %v: %q", got.code, err, got.stderr)
	}
	if record.Event != "boot-failed" || len(record.Problems) != 2 || record.Problems[0] != problems[0] || record.Problems[1] != problems[1] {
		t.Errorf("the record is %+v", record)
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	got := shop(t, "schema", "acme.shop.lookup", "--version", "10.0.0")
	got.want(t, 0, `{
  "additionalProperties": false,
  "properties": {
    "depth": {
      "default": 1,
      "maximum": 3,
      "minimum": 0,
      "type": "integer"
    },
    "number": {
      "description": "The order's number, as on the <receipt> & the parcel.",
      "maxLength": 20,
      "minLength": 1,
      "type": "string"
    }
  },
  "required": [
    "number"
  ],
  "type": "object"
}
`, "")
	for _, test := range []struct{ args, part string }{
		{"acme.shop.track --output", `"place"`},
		{"--output acme.shop.track", `"place"`},
		{"acme.shop.checks.words", `"forbidden"`},
		{"acme.shop.checks.words --config", `"forbidden"`},
		{"acme.shop.words --config", `"forbidden"`},
	} {
		got := shop(t, append([]string{"schema"}, strings.Fields(test.args)...)...)
		if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, test.part) {
			t.Errorf("schema %s: exit %d, %q %q", test.args, got.code, got.stdout, got.stderr)
		}
	}
	for _, test := range []struct{ args, message string }{
		{"acme.shop.lookup", `tool "acme.shop.lookup" has several versions; name one with --version: 2.1.0-rc.1, 2.1.0 or 10.0.0`},
		{"acme.shop.lookup --version 3.0.0", `the pack has no tool "acme.shop.lookup" 3.0.0; list shows what it has`},
		{"acme.shop.clerk", `"acme.shop.clerk" is an agent or a flow: schema shows what tools and checks have`},
		{"acme.shop.intake", `"acme.shop.intake" is an agent or a flow: schema shows what tools and checks have`},
		{"acme.shop.lokup", `the pack has no tool or check "acme.shop.lokup" (did you mean "acme.shop.lookup"?); list shows what it has`},
		{"acme.shop.track --config", `"acme.shop.track" is a tool: it has an input and an output schema`},
		{"acme.shop.checks.words --output", `"acme.shop.checks.words" is a check: it has no output schema`},
		{"acme.shop.polite", `check "acme.shop.polite" takes no configuration`},
	} {
		shop(t, append([]string{"schema"}, strings.Fields(test.args)...)...).want(t, 2, "", "schema: "+test.message+"\n")
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := shop(t, "version", "--json")
	var v struct {
		PackID, PackVersion, ArtifactVersion, IndexHash, SDKVersion string
	}
	if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || got.code != 0 {
		t.Fatalf("exit %d, %v: %q", got.code, err, got.stdout)
	}
	if v.PackID != "acme.shop" || v.PackVersion != "2.1.0" || v.SDKVersion == "" || v.SDKVersion == "unknown" || !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(v.IndexHash) {
		t.Errorf("got %+v", v)
	}
	text := shop(t, "version")
	for _, want := range []string{"acme.shop 2.1.0", v.ArtifactVersion, v.IndexHash, v.SDKVersion} {
		if !strings.Contains(text.stdout, want) {
			t.Errorf("%q is not in %q", want, text.stdout)
		}
	}
}

// TestCompiledInIndex writes the index that a service without an index file serves, every
// time the same.
func TestCompiledInIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	served := shop(t, "version").stdout
	for range 2 {
		if got := indexInto(t, dir, "--compiled-in"); got.code != 0 {
			t.Fatalf("exit %d: %s", got.code, got.stderr)
		}
		if hash := protocol.Hash([]byte(readFile(t, filepath.Join(dir, "index.json")))); !strings.Contains(served, hash) {
			t.Errorf("the index written has the hash %s, and version says %s", hash, served)
		}
	}
	if got := indexInto(t, dir, "--compiled-in", "--check"); got.code != 0 {
		t.Errorf("--check finds another index: %s", got.stderr)
	}
}

// TestVersionOfAnIndexFile gives the artifact and the hash that a service with the same
// index reports.
func TestVersionOfAnIndexFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "index.json")
	indexInto(t, dir, pinned...)
	hash := protocol.Hash([]byte(readFile(t, file)))
	for _, c := range []command{
		{args: []string{"version", "--index", file}},
		{args: []string{"version"}, env: []string{"KINDGI_PACK_INDEX=" + file}},
		{args: []string{"version", "--index", file}, env: []string{"KINDGI_PACK_INDEX=no such file"}},
	} {
		got := c.run(t)
		if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, hash) || !strings.Contains(got.stdout, "artifact  20260131.7, published at 2026-01-31T12:00:00.123Z\n") {
			t.Errorf("%q: exit %d, %q %q, want %s", c.args, got.code, got.stdout, got.stderr, hash)
		}
	}
	broken := filepath.Join(dir, "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := shop(t, "version", "--index", broken); got.code != 1 || !strings.HasPrefix(got.stderr, "version: Cannot read the pack index: "+broken+": the index is not valid JSON: ") {
		t.Errorf("exit %d, %q", got.code, got.stderr)
	}
	shop(t, "version", "--index", filepath.Join(dir, "none")).want(t, 1, "",
		"version: Cannot read the pack index: "+filepath.Join(dir, "none")+": no such file or directory\n")
}
