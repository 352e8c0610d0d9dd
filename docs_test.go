package kindgi_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
// ctx, t, b, db and store. They need not import what imports lists.
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
		for _, i := range file.Imports { // what the block imports itself
			path := strings.Trim(i.Path.Value, `"`)
			delete(used, path[strings.LastIndexByte(path, '/')+1:])
		}
		var b strings.Builder
		b.WriteString("package docs\n")
		for name := range used {
			fmt.Fprintf(&b, "import %s %q\n", name, imports[name])
		}
		return b.String() + body, nil
	}
	return "", problem
}

// TestDocsLinks follows the links of the pages to files of the repository and to their
// headings.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	for _, page := range append(pages(t), "SECURITY.md", "CHANGELOG.md", "examples/README.md") {
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
