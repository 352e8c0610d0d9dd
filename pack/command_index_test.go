package pack_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/protocol"
)

// pinned are the pins of the golden index.
var pinned = []string{"--artifact-version", "20260131.7", "--published-at", "2026-01-31T13:00:00.123456+01:00"}

func indexInto(t *testing.T, dir string, args ...string) ran {
	t.Helper()
	return shop(t, append([]string{"index", "--pack-dir", dir}, args...)...)
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestGoldenIndex keeps the index of a pack that uses everything, byte for byte.
func TestGoldenIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "index.json")
	wrote := indexInto(t, dir, pinned...)
	hash := protocol.Hash([]byte(readFile(t, file)))
	wrote.want(t, 0,
		"wrote "+file+": acme.shop 2.1.0, artifact 20260131.7, 9 tools, 6 guardrails, 2 agents, 1 flow, "+hash+"\n", "")
	golden(t, "shop.index.json", readFile(t, file))

	// The same from another folder, to another file, and through standard output.
	other := filepath.Join(dir, "sub", "pack.json")
	if err := os.Mkdir(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	got := command{args: append([]string{"index", "--output", "pack.json"}, pinned...), dir: filepath.Dir(other)}.run(t)
	if got.code != 0 || readFile(t, other) != readFile(t, file) {
		t.Errorf("another folder gives other bytes: exit %d %q", got.code, got.stderr)
	}
	indexInto(t, dir, append([]string{"--output", "-"}, pinned...)...).want(t, 0, readFile(t, file), "")
	// And once more over the file that is there.
	before := readFile(t, file)
	indexInto(t, dir, pinned...)
	if readFile(t, file) != before {
		t.Error("the second index has other bytes")
	}
}

func TestIndexJSON(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "index.json")
	indexInto(t, dir, append(pinned, "--json")...).want(t, 0,
		`{"kind":"ok","value":{"packId":"acme.shop","packVersion":"2.1.0","artifactVersion":"20260131.7","publishedAt":"2026-01-31T12:00:00.123Z",`+
			`"counts":{"tools":9,"guardrails":6,"agents":2,"flows":1},"outputPath":`+inJSON(file)+`,"fileErrors":[]}}`+"\n", "")
	indexInto(t, filepath.Join(dir, "none"), "--json").want(t, 1,
		`{"kind":"err","error":{"code":"write-failed","message":`+inJSON("cannot write "+filepath.Join(dir, "none", "index.json")+": no such file or directory")+
			`,"filePath":`+inJSON(filepath.Join(dir, "none", "index.json"))+"}}\n", "")
	indexInto(t, dir, "--json", "--published-at", "yesterday").want(t, 1,
		`{"kind":"err","error":{"code":"invalid-argument","message":"--published-at \"yesterday\" is not an RFC 3339 time, such as 2026-01-31T12:00:00Z","field":"published-at"}}`+"\n", "")
	command{args: []string{"index", "--json"}, env: []string{"KINDGI_SHOP_TEST=problem"}, dir: dir}.run(t).want(t, 1,
		`{"kind":"err","error":{"code":"invalid-pack","message":"pack/testdata/shop/main.go:27: tool id \"shop.stray\" does not begin with the pack's: call it acme.shop.NAME; `+
			`pack/testdata/shop/main.go:27: tool shop.stray: Sandbox \"strickt\" is not known (did you mean \"strict\"?); it is none, context-isolated or strict",`+
			`"filePath":"pack/testdata/shop/main.go"}}`+"\n", "")
}

func inJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// TestArtifactVersion counts up within a day.
func TestArtifactVersion(t *testing.T) {
	t.Parallel()
	version := func(t *testing.T, previous string, args ...string) string {
		t.Helper()
		dir := t.TempDir()
		if previous != "" {
			if err := os.WriteFile(filepath.Join(dir, "index.json"), []byte(previous), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := indexInto(t, dir, args...); got.code != 0 {
			t.Fatalf("exit %d: %s", got.code, got.stderr)
		}
		var x struct{ ArtifactVersion, PublishedAt string }
		if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, "index.json"))), &x); err != nil {
			t.Fatal(err)
		}
		if at, err := time.Parse("2006-01-02T15:04:05.000Z", x.PublishedAt); err != nil || len(args) == 0 && time.Since(at).Abs() > time.Hour {
			t.Errorf("publishedAt is %q", x.PublishedAt)
		}
		return x.ArtifactVersion
	}
	having := func(artifact string) string {
		return `{"v":1,"packId":"acme.shop","packVersion":"1.0.0","artifactVersion":` + inJSON(artifact) +
			`,"publishedAt":"2026-01-31T00:00:00.000Z","tools":[],"guardrails":[],"agents":[],"flows":[]}`
	}
	const day = "2026-01-31T23:30:00-02:00" // in UTC it is the next day
	for previous, want := range map[string]string{
		"": "20260201.1", having("20260201.1"): "20260201.2", having("20260201.41"): "20260201.42",
		having("20260131.9"): "20260201.1", having("20260201.x"): "20260201.1", having("20260201.-5"): "20260201.1",
		having("20260201."): "20260201.1", having("v7"): "20260201.1", "not an index": "20260201.1",
		having("20260201.99999999999999999999"): "20260201.1",
	} {
		if got := version(t, previous, "--published-at", day); got != want {
			t.Errorf("after %q the version is %s, want %s", previous, got, want)
		}
	}
	before := time.Now().UTC().Format("20060102")
	got := version(t, "")
	if after := time.Now().UTC().Format("20060102"); got != before+".1" && got != after+".1" {
		t.Errorf("today's first version is %s", got)
	}
	if got := version(t, "", "--artifact-version", "v7"); got != "v7" {
		t.Errorf("the version is %s", got)
	}
}

// TestIndexFailures leave what was there as it was, and nothing beside it.
func TestIndexFailures(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the messages are the system's")
	}
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		command
		message string
	}{
		{"no folder", command{args: []string{"--pack-dir", filepath.Join(dir, "none")}}, "cannot write " + dir + "/none/index.json: no such file or directory"},
		{"not a folder", command{args: []string{"--pack-dir", plain}}, "cannot write " + dir + "/plain/index.json: not a directory"},
		{"a folder", command{args: []string{"--output", filepath.Join(dir, "folder")}}, "cannot write " + dir + "/folder: it is a directory"},
		{"a closed folder", command{args: []string{"--pack-dir", closed}, edit: asNobody}, "cannot write " + dir + "/closed/index.json: permission denied"},
		{"a full device", command{args: []string{"--output", "/dev/full"}}, "cannot write /dev/full: no space left on device"},
		{"no version", command{args: []string{"--artifact-version", "a b"}}, `artifact version "a b" must be printable ASCII without spaces: services send it in a header`},
		{"no time", command{args: []string{"--published-at", "9999-12-31T23:59:59-01:00"}}, `--published-at "9999-12-31T23:59:59-01:00" is not an RFC 3339 time, such as 2026-01-31T12:00:00Z`},
		{"a comma", command{args: []string{"--published-at", "2026-01-31T12:00:00,5Z"}}, `--published-at "2026-01-31T12:00:00,5Z" is not an RFC 3339 time, such as 2026-01-31T12:00:00Z`},
		{"one digit", command{args: []string{"--published-at", "2026-01-31T2:00:00Z"}}, `--published-at "2026-01-31T2:00:00Z" is not an RFC 3339 time, such as 2026-01-31T12:00:00Z`},
		{"no such offset", command{args: []string{"--published-at", "2026-01-31T12:00:00+25:00"}}, `--published-at "2026-01-31T12:00:00+25:00" is not an RFC 3339 time, such as 2026-01-31T12:00:00Z`},
	} {
		test.args = append([]string{"index"}, test.args...)
		test.dir = "/"
		t.Run(test.name, func(t *testing.T) { test.run(t).want(t, 1, "", "index: "+test.message+"\n") })
	}

	// A file system that is full in the middle of the file.
	got := command{args: []string{"-c", `ulimit -f 4; exec "$0" index --output "$1"`, shopPath(t), plain}, edit: func(cmd *exec.Cmd) {
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh"}, cmd.Args[1:]...)
	}}.run(t)
	got.want(t, 1, "", "index: cannot write "+plain+": file too large\n")
	if got := readFile(t, plain); got != "precious" {
		t.Errorf("the file that was there is now %q", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("files were left behind: %v, %v", entries, err)
	}
}

// TestIndexReplaces keeps a file's mode, follows a link, and writes into a pipe.
func TestIndexReplaces(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are another matter there")
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "index.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.json", link); err != nil {
		t.Fatal(err)
	}
	if got := indexInto(t, dir, pinned...); got.code != 0 {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 || info.Size() == 0 {
		t.Errorf("the link's target is %v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if _, err := os.Stat("/dev/stdout"); err == nil {
		if got := indexInto(t, dir, append([]string{"--output", "/dev/stdout"}, pinned...)...); got.code != 0 || !strings.HasPrefix(got.stdout, readFile(t, file)) {
			t.Errorf("exit %d: %s", got.code, got.stderr)
		}
	}
	got := command{args: []string{"-c", `umask 027; exec "$0" index --output "$1"`, shopPath(t), filepath.Join(dir, "new.json")}, edit: func(cmd *exec.Cmd) {
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh"}, cmd.Args[1:]...)
	}}.run(t)
	if info, err := os.Stat(filepath.Join(dir, "new.json")); got.code != 0 || err != nil || info.Mode() != 0o640 {
		t.Errorf("a new file is %v, %v, exit %d", info, err, got.code)
	}
}

// TestIndexCheck tells a file that is the pack's from one that is not.
func TestIndexCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "index.json")
	if got := indexInto(t, dir); got.code != 0 {
		t.Fatal(got.stderr)
	}
	fresh := readFile(t, file)
	indexInto(t, dir, "--check").want(t, 0, file+" is up to date\n", "")
	got := indexInto(t, dir, "--check", "--json")
	if got.code != 0 || !strings.HasPrefix(got.stdout, `{"kind":"ok","value":{"packId":"acme.shop",`) {
		t.Errorf("exit %d: %q", got.code, got.stdout)
	}
	if got := indexInto(t, dir, "--check", "--artifact-version", "other"); got.code != 1 || !strings.Contains(got.stderr, `+  "artifactVersion": "other",`) {
		t.Errorf("a pinned version was not compared: exit %d\n%s", got.code, got.stderr)
	}

	// The pack has changed since.
	got = command{args: []string{"index", "--pack-dir", dir, "--check"}, env: []string{"KINDGI_SHOP_TEST=changed"}}.run(t)
	if want := "index: " + file + " is stale: write it again with the command index\n--- " + file + "\n+++ the pack\n@@ "; got.code != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, want) {
		t.Errorf("exit %d, %q, want it to begin %q", got.code, got.stderr, want)
	}
	if !regexp.MustCompile(`(?m)^@@ -\d+,6 \+\d+,\d+ @@ tools acme\.shop\.added 2\.1\.0$`).MatchString(got.stderr) ||
		strings.Contains(got.stderr[strings.Index(got.stderr, "\n+++"):], "\n-") {
		t.Errorf("the difference is not the added tool:\n%s", got.stderr)
	}

	// The file has.
	stale := strings.Replace(fresh, `"maxLength": 20`, `"maxLength": 30`, 1)
	if err := os.WriteFile(file, []byte(stale), 0o644); err != nil {
		t.Fatal(err)
	}
	got = indexInto(t, dir, "--check")
	if !regexp.MustCompile(`(?s)@@ tools acme\.shop\.lookup 2\.1\.0-rc\.1\n .*\n-            "maxLength": 30,\n\+            "maxLength": 20,\n `).MatchString(got.stderr) || got.code != 1 {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
	if readFile(t, file) != stale {
		t.Error("--check wrote the file")
	}
	got = indexInto(t, dir, "--check", "--json")
	var report struct {
		Kind  string
		Error struct{ Code, Message, FilePath string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.code != 1 || report.Error.Code != "stale" || report.Error.FilePath != file ||
		!strings.Contains(report.Error.Message, "maxLength") || strings.Count(got.stdout, "\n") != 1 {
		t.Errorf("exit %d, %v: %q", got.code, err, got.stdout)
	}

	// A line break too few is a difference, too.
	if err := os.WriteFile(file, []byte(strings.TrimSuffix(fresh, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := indexInto(t, dir, "--check"); got.code != 1 || !strings.Contains(got.stderr, "\n-}\n\\ No newline at end of file\n+}\n") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}

	for content, message := range map[string]string{
		`{"v":2}`: file + ": Index envelope v2 is not v1",
		strings.Replace(fresh, `"publishedAt": "`, `"publishedAt": "x`, 1): "is not a time; write the index again",
	} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := indexInto(t, dir, "--check"); got.code != 1 || !strings.Contains(got.stderr, message) {
			t.Errorf("exit %d, %q, want %q in it", got.code, got.stderr, message)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	indexInto(t, dir, "--check").want(t, 1, "", "index: cannot read "+file+": no such file or directory; the command index without --check writes it\n")
	indexInto(t, dir, "--check", "--output", "-").want(t, 1, "", "index: standard output cannot be read; name a file with --output\n")
}
