package pack_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a git repository with a pack whose main package is in a folder of its
// own, and whose tool is registered by another package.
type repository struct {
	dir string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	for _, tool := range []string{"git", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s: %v", tool, err)
		}
	}
	sdk, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{dir: t.TempDir()}
	r.write(t, "go.mod", strings.Replace(readFile(t, filepath.Join(sdk, "go.mod")), "module github.com/kindgi/kindgi-go", "module example.com/acme/desk", 1)+
		"\nrequire github.com/kindgi/kindgi-go v0.0.0\n\nreplace github.com/kindgi/kindgi-go => "+sdk+"\n")
	r.write(t, "go.sum", readFile(t, filepath.Join(sdk, "go.sum")))
	r.write(t, "cmd/desk/main.go", `package main

import (
	"example.com/acme/desk/internal/orders"
	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

func main() {
	b := pack.New("acme.desk", "1.0.0")
	orders.Register(b)
	b.AddAgent(protocol.Agent{ID: "acme.desk.clerk", Name: "Clerk", Instructions: protocol.Instructions{Text: "Help."}})
	pack.Serve(b)
}
`)
	r.write(t, "internal/orders/lookup.go", `// Package orders looks orders up.
package orders

import (
	"context"

	"github.com/kindgi/kindgi-go/pack"
)

// Query names an order.
type Query struct {
	Number string `+"`json:\"number\"`"+`
}

// Register registers the package's tools.
func Register(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "acme.desk.lookup"}, func(context.Context, Query) (string, error) { return "", nil })
}
`)
	r.git(t, "init", "-q")
	r.commit(t)
	return r
}

func (r *repository) write(t *testing.T, name, content string) {
	t.Helper()
	name = filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a program in a folder of the repository and gives what it prints.
func (r *repository) run(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = filepath.Join(r.dir, folder)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_COMMITTER_DATE=2026-01-31T23:30:00-02:00", "GIT_AUTHOR_DATE=2026-01-31T23:30:00-02:00",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (r *repository) git(t *testing.T, args ...string) string {
	t.Helper()
	return strings.TrimSpace(r.run(t, ".", "git", args...))
}

func (r *repository) commit(t *testing.T) {
	t.Helper()
	r.git(t, "add", "-A")
	r.git(t, "commit", "-q", "-m", "a step")
}

// build builds the pack, from a folder of the repository, into a file beside it.
func (r *repository) build(t *testing.T, folder, pkg string, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "desk.exe")
	r.run(t, folder, "go", append(append([]string{"build", "-ldflags=-s -w", "-o", binary}, flags...), pkg)...)
	return binary
}

type versionReport struct {
	ArtifactVersion, IndexHash, Revision, SDKVersion string
	Modified                                         bool
}

func versionOf(t *testing.T, r *repository, binary string) versionReport {
	t.Helper()
	var v versionReport
	if err := json.Unmarshal([]byte(r.run(t, ".", binary, "version", "--json")), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCompiledInPins takes the pins of the compiled-in index from the version control
// stamp, the same in every binary of one commit.
func TestCompiledInPins(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	revision := r.git(t, "rev-parse", "HEAD")
	binary := r.build(t, ".", "./cmd/desk", "-buildvcs=true")
	v := versionOf(t, r, binary)
	if want := "20260201." + revision[:12]; v.ArtifactVersion != want || v.Revision != revision || v.Modified || v.SDKVersion != "(devel)" {
		t.Errorf("the binary of %s says %+v, want the artifact %s", revision, v, want)
	}
	if again := versionOf(t, r, r.build(t, "cmd/desk", ".", "-buildvcs=true")); again != v {
		t.Errorf("another build of the commit says %+v, the first %+v", again, v)
	}
	text := r.run(t, ".", binary, "version")
	if !strings.Contains(text, revision) || strings.Contains(text, "uncommitted") {
		t.Errorf("version prints %q", text)
	}

	r.write(t, "internal/orders/extra.go", "package orders\n")
	dirty := r.build(t, ".", "./cmd/desk", "-buildvcs=true")
	if v := versionOf(t, r, dirty); v.ArtifactVersion != "20260201."+revision[:12]+".dirty" || !v.Modified {
		t.Errorf("the binary of a changed tree says %+v", v)
	}
	if text := r.run(t, ".", dirty, "version"); !strings.Contains(text, revision+", with uncommitted changes") {
		t.Errorf("version prints %q", text)
	}

	r.git(t, "checkout", "-q", "--orphan", "fresh")
	uncommitted := r.build(t, ".", "./cmd/desk", "-buildvcs=true")
	if text := r.run(t, ".", uncommitted, "version"); !strings.Contains(text, "artifact  devel,") || !strings.Contains(text, "source    unknown (the repository has no commit yet)\n") {
		t.Errorf("version prints %q", text)
	}

	bare := r.build(t, ".", "./cmd/desk", "-buildvcs=false")
	if v := versionOf(t, r, bare); v.ArtifactVersion != "devel" || v.Revision != "" {
		t.Errorf("a binary without a stamp says %+v", v)
	}
	if text := r.run(t, ".", bare, "version"); !strings.Contains(text, "unknown (the binary carries no version control stamp)") {
		t.Errorf("version prints %q", text)
	}
}

// TestReproducible gives the same bytes whatever the folder and the place, with and
// without -trimpath.
func TestReproducible(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-trimpath compiles everything once more")
	}
	r := newRepository(t)
	pins := []string{"index", "--output", "-", "--artifact-version", "1", "--published-at", "2026-01-31T00:00:00Z"}
	plain := r.run(t, ".", r.build(t, ".", "./cmd/desk"), pins...)
	for _, want := range []string{`"modulePath": "internal/orders/lookup.go"`, `"modulePath": "cmd/desk/main.go"`} {
		if !strings.Contains(plain, want) {
			t.Errorf("%s is not in\n%s", want, plain)
		}
	}
	// The same source in another place, built from another folder.
	other := newRepository(t)
	if got := other.run(t, "internal", other.build(t, "cmd/desk", ".", "-trimpath"), pins...); got != plain {
		t.Errorf("another place with -trimpath gives other bytes:\n%s\nwant\n%s", got, plain)
	}
	if got := r.run(t, ".", "go", append([]string{"run", "./cmd/desk"}, pins...)...); got != plain {
		t.Errorf("go run gives other bytes:\n%s\nwant\n%s", got, plain)
	}
}
