package contract_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// report is the line that index --json prints.
type report struct {
	Kind  string `json:"kind"`
	Value struct {
		PackID          string         `json:"packId"`
		PackVersion     string         `json:"packVersion"`
		ArtifactVersion string         `json:"artifactVersion"`
		PublishedAt     string         `json:"publishedAt"`
		Counts          map[string]int `json:"counts"`
		OutputPath      string         `json:"outputPath"`
		FileErrors      []any          `json:"fileErrors"`
	} `json:"value"`
	Error *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// index runs the indexer and reads its report, the only line it prints.
func index(t testing.TB, wantCode int, args ...string) report {
	t.Helper()
	stdout, stderr, code := command(t, "conformance", nil, append([]string{"index", "--json"}, args...)...)
	if code != wantCode {
		t.Fatalf("exit code %d, want %d: %s%s", code, wantCode, stdout, stderr)
	}
	var r report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("not one line of JSON: %q", stdout)
	}
	return r
}

func TestIndexer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "index.json")
	r := index(t, 0, "--pack-dir", dir, "--output", path, "--artifact-version", indexArtifact, "--published-at", indexPublished)
	if r.Kind != "ok" || r.Value.PackID != "conformance" || r.Value.PackVersion != "1.0.0" || r.Value.ArtifactVersion != indexArtifact ||
		r.Value.PublishedAt != indexPublished || r.Value.OutputPath != path || r.Value.FileErrors == nil || len(r.Value.FileErrors) != 0 {
		t.Errorf("report %+v", r)
	}
	for name, want := range map[string]int{"tools": 9, "guardrails": 2, "agents": 1, "flows": 1} {
		if got := r.Value.Counts[name]; got != want {
			t.Errorf("%d %s, want %d", got, name, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the indexer leaves something behind: %v, %v", entries, err)
	}
	// The time is written in UTC, with milliseconds.
	index(t, 0, "--pack-dir", dir, "--output", path, "--artifact-version", "1", "--published-at", "2026-01-31T14:30:00.5+02:00")
	if got := readIndex(t, path)["publishedAt"]; got != "2026-01-31T12:30:00.500Z" {
		t.Errorf("publishedAt %v", got)
	}
}

// Without a version of its own, an artifact is the day's next.
func TestIndexerCountsWithinTheDay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index.json")
	versioned := regexp.MustCompile(`^(\d{8})\.(\d+)$`)
	for {
		day := time.Now().UTC().Format("20060102")
		got := []string{}
		_ = os.Remove(path) // a new start
		for range 3 {
			got = append(got, index(t, 0, "--pack-dir", ".", "--output", path).Value.ArtifactVersion)
		}
		if day != time.Now().UTC().Format("20060102") {
			continue // midnight came in between
		}
		for i, version := range got {
			if m := versioned.FindStringSubmatch(version); m == nil || m[1] != day || m[2] != []string{"1", "2", "3"}[i] {
				t.Errorf("version %d of %s is %q", i+1, day, version)
			}
		}
		break
	}
	// Another day's file counts from one.
	index(t, 0, "--pack-dir", ".", "--output", path, "--artifact-version", "20200101.7")
	if got := index(t, 0, "--pack-dir", ".", "--output", path).Value.ArtifactVersion; !strings.HasSuffix(got, ".1") {
		t.Errorf("after another day's index: %q", got)
	}
}

// A failure is one line too, and leaves the file as it was.
func TestIndexerFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index.json")
	if err := os.WriteFile(path, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"a bad time":       {"--output", path, "--published-at", "yesterday"},
		"no such folder":   {"--output", filepath.Join(path, "..", "no", "index.json")},
		"a file as folder": {"--output", filepath.Join(path, "index.json")},
	} {
		r := index(t, 1, append([]string{"--pack-dir", "."}, args...)...)
		if r.Kind != "err" || r.Error == nil || r.Error.Code == "" || r.Error.Message == "" {
			t.Errorf("%s: report %+v", name, r)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "as it was" {
		t.Errorf("the file is %q, %v", got, err)
	}
}

// The same source gives the same bytes, however and wherever the binary is built and run.
func TestIndexWhateverTheBuild(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile(writeIndex(t, "conformance", nil))
	if err != nil {
		t.Fatal(err)
	}
	trimmed := filepath.Join(t.TempDir(), "trimmed")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", trimmed, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	path := filepath.Join(t.TempDir(), "index.json")
	cmd := exec.Command(trimmed, "index", "--pack-dir", "/", "--output", path, "--artifact-version", indexArtifact, "--published-at", indexPublished)
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("with -trimpath the index is another:\n%s", got)
	}
}
