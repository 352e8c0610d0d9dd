package kindgi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// pages are the README and every page of docs.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"README.md", "CONTRIBUTING.md"}, docs...)
}

// block is a fenced block of a page.
type block struct {
	language string
	line     int
	text     string
}

// blocks reads the fenced blocks of a page.
func blocks(t *testing.T, page string) []block {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []block
	var open *block
	for i, line := range strings.Split(string(data), "\n") {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{language: language, line: i + 2}
		case fence:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the block has no end", page, open.line)
	}
	return all
}

// imports are the packages that fragments may use without saying so.
var imports = map[string]string{
	"cmp": "cmp", "context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "io": "io", "json": "encoding/json",
	"os": "os", "slices": "slices", "slog": "log/slog", "sql": "database/sql", "strings": "strings", "testing": "testing", "time": "time",
	"jsontext":    "github.com/go-json-experiment/json/jsontext",
	"jsonschema":  "github.com/invopop/jsonschema",
	"idempotency": "github.com/kindgi/kindgi-go/idempotency",
	"sqlstore":    "github.com/kindgi/kindgi-go/idempotency/sqlstore",
	"pack":        "github.com/kindgi/kindgi-go/pack",
	"packtest":    "github.com/kindgi/kindgi-go/pack/packtest",
	"protocol":    "github.com/kindgi/kindgi-go/protocol",
	"schema":      "github.com/kindgi/kindgi-go/schema",
}

// TestDocsCompile compiles every Go block of every page. Blocks that name their file
// ("go main.go") are one program, a block with a package clause is one of its own, and the
// other blocks of a page are one package together: declarations, or statements, which see
// ctx, t, b, db and store.
func TestDocsCompile(t *testing.T) {
	t.Parallel()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// An overlay shows the blocks to the go command as packages of this module.
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	dir := t.TempDir()
	var packages []string
	add := func(pkg, file, source string) {
		real := filepath.Join(dir, fmt.Sprintf("%d.go", len(overlay.Replace)))
		if err := os.WriteFile(real, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, "docs", pkg, file)] = real
		if path := "./docs/" + pkg; !slices.Contains(packages, path) {
			packages = append(packages, path)
		}
	}
	for _, page := range pages(t) {
		name := strings.ToLower(strings.TrimSuffix(filepath.Base(page), ".md"))
		for i, b := range blocks(t, page) {
			language, file, named := strings.Cut(b.language, " ")
			if language != "go" {
				continue
			}
			place := fmt.Sprintf("//line %s:%d\n", filepath.Join(root, page), b.line)
			if named {
				add(name+"-files", file, place+b.text)
				continue
			}
			if strings.HasPrefix(b.text, "package ") {
				add(fmt.Sprintf("%s-%d", name, i), "main.go", place+b.text)
				continue
			}
			source, err := fragment(place, b.text)
			if err != nil {
				t.Errorf("%s:%d: %v", page, b.line, err)
				continue
			}
			add(name, fmt.Sprintf("block%d.go", i), source)
		}
	}
	if len(packages) == 0 {
		t.Fatal("the pages have no Go blocks")
	}
	file := filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	// Listing what the packages export compiles them, and links nothing.
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-test", "-overlay", file}, packages...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// fragment makes a file of declarations or statements.
func fragment(place, text string) (string, error) {
	const parameters = "ctx context.Context, t *testing.T, b *pack.Builder, db *sql.DB, store idempotency.Store"
	bodies := []string{place + text, "func _(" + parameters + ") {{\n" + place + text + "\n}}\n"}
	var problem error
	for _, body := range bodies {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "block.go", "package docs\n"+body, 0)
		if err != nil {
			problem = err
			continue
		}
		used := map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil && imports[x.Name] != "" {
					used[x.Name] = true
				}
			}
			return true
		})
		var b strings.Builder
		b.WriteString("package docs\n")
		for name := range used {
			fmt.Fprintf(&b, "import %s %q\n", name, imports[name])
		}
		return b.String() + body, nil
	}
	return "", problem
}

// TestDocsConsole runs every command of the pages' console blocks that shows its output,
// and compares. A line "..." of the page stands for any lines. When a command of a block
// starts a pack and leaves it running ("go run ./PACKAGE &"), the pack runs for the others of
// the block, on another port than 8080.
func TestDocsConsole(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language != "console" {
				continue
			}
			if m := servingCommand.FindStringSubmatch(b.text); m != nil {
				t.Run(page+" "+m[0], func(t *testing.T) {
					t.Parallel()
					process, port := startPack(t, m[2], strings.Fields(m[1])...)
					defer stopPack(t, process)
					address := fmt.Sprintf("localhost:%d", port)
					for _, c := range commandsOf(b.text) {
						c.command = strings.ReplaceAll(c.command, "localhost:8080", address)
						c.run(t, page, b.line)
					}
				})
				continue
			}
			for _, c := range commandsOf(b.text) {
				t.Run(page+" "+c.command, func(t *testing.T) {
					t.Parallel()
					c.run(t, page, b.line)
				})
			}
		}
	}
}

// TestDocsLinks follows the links of the pages to files of the repository and to their
// headings.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	for _, page := range append(pages(t), "SECURITY.md", "CHANGELOG.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(data), ""), -1) {
			file := filepath.Join(filepath.Dir(page), m[1])
			if m[1] == "" {
				file = page
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if m[2] != "" && !slices.Contains(anchors(t, file), m[2]) {
				t.Errorf("%s links to %s%s, and there is no such heading", page, m[1], m[2])
			}
		}
	}
}

// anchors gives what links to the headings of a page end in.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(data), -1) {
		name := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, "#"+strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// servingCommand is a command that starts a pack and leaves it running: its settings, its
// package.
var servingCommand = regexp.MustCompile(`(?m)^\$ ((?:[A-Z_]+=\S+ )*)go run (\./\S+) &$`)

type command struct {
	command string
	text    string
	output  *regexp.Regexp
}

// run runs the command and compares its output.
func (c *command) run(t *testing.T, page string, line int) {
	t.Helper()
	// Records and errors are part of what a person sees; the exit status is not.
	out, _ := exec.CommandContext(t.Context(), "bash", "-c", c.command+" 2>&1").Output()
	got := regexp.MustCompile(`(?m)^(exit status \d+|ok .*)\n`).ReplaceAllString(string(out), "")
	if !c.output.MatchString(got) {
		t.Errorf("%s:%d: $ %s\ngot\n%s\nwant\n%s", page, line, c.command, got, c.text)
	}
}

func commandsOf(text string) []command {
	var all []command
	for part := range strings.SplitSeq("\n"+text, "\n$ ") {
		line, output, _ := strings.Cut(part, "\n")
		if line == "" || strings.TrimSpace(output) == "" {
			continue
		}
		output = strings.TrimSpace(output)
		pattern := strings.ReplaceAll(regexp.QuoteMeta(output), `\.\.\.`, `(?s:.*)`)
		all = append(all, command{line, output, regexp.MustCompile(`^\s*` + pattern + `\s*$`)})
	}
	return all
}

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

// startPack builds a pack of this repository, starts it with settings of the form NAME=VALUE,
// and gives the port it listens on.
func startPack(t *testing.T, pkg string, settings ...string) (*exec.Cmd, int) {
	t.Helper()
	// The binary itself, rather than go run: signals reach it then.
	binary := filepath.Join(t.TempDir(), "pack")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	process := exec.CommandContext(t.Context(), binary, "--host", "127.0.0.1")
	process.Env = append(append(os.Environ(), "PORT=0"), settings...)
	stderr, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	port := 0
	lines := bufio.NewScanner(stderr)
	for port == 0 && lines.Scan() {
		var record struct {
			Kind string `json:"kind"`
			Port int    `json:"port"`
		}
		if json.Unmarshal(lines.Bytes(), &record) == nil && record.Kind == "listening" {
			port = record.Port
		}
	}
	if port == 0 {
		t.Fatalf("%s does not listen: %v", pkg, process.Wait())
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return process, port
}

// stopPack ends a pack in order.
func stopPack(t *testing.T, process *exec.Cmd) {
	t.Helper()
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil {
		t.Errorf("the pack's exit: %v", err)
	}
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
