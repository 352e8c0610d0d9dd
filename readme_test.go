package kindgi_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeFirstCall starts the pack as the README says and makes the call it shows.
func TestReadmeFirstCall(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	find := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindStringSubmatch(string(data))
		if m == nil {
			t.Fatalf("the README has nothing like %s", pattern)
		}
		return m[1]
	}
	start := find(`(?m)^    (KINDGI_PACK_SERVICE_TOKEN=\S+ go run \S+)$`)
	message := find(`-d '(\{.*\})'`)
	token := find(`-H 'kindgi-pack-token: (\S+)'`)
	want := find(`(?m)^    (\{"v":2,"kind":"result".*\})$`)

	process, port := startPack(t, start[strings.LastIndexByte(start, ' ')+1:], strings.Fields(start)[0])
	defer stopPack(t, process)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/v1/invoke", port), bytes.NewBufferString(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Kindgi-Pack-Token", token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

// TestEmbeddingShowsItsExample keeps the way to stop in the guide and in examples/embedded the same.
func TestEmbeddingShowsItsExample(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile("examples/embedded/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, "docs/embedding.md") {
		if strings.HasPrefix(b.text, "// shutDown") {
			if !strings.Contains(string(program), b.text) {
				t.Errorf("docs/embedding.md:%d: examples/embedded/main.go does not have this", b.line)
			}
			return
		}
	}
	t.Error("docs/embedding.md does not show how to stop")
}

// TestReadmeShowsTheSmallestPack keeps the README's program and examples/hello the same.
func TestReadmeShowsTheSmallestPack(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile("examples/hello/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, "README.md") {
		if b.language == "go" && strings.HasPrefix(b.text, "package main") {
			source := string(program)
			if i := strings.Index(source, "package main"); source[i:] != b.text {
				t.Errorf("README.md:%d: the program is not examples/hello/main.go", b.line)
			}
			return
		}
	}
	t.Error("the README shows no program")
}
