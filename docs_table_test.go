package kindgi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOperatingListsEveryRecord compares the records that the code names with the guide's table,
// both ways.
func TestOperatingListsEveryRecord(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"pack/*.go", "internal/record/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	// The functions that write a record, and which of their arguments names it.
	writers := map[string]int{"Event": 1, "event": 0, "recordProblems": 1}
	written := map[string]bool{"call": true} // its writer has no argument for it
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			function := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				function = f.Name
			case *ast.SelectorExpr:
				function = f.Sel.Name
			}
			if i, ok := writers[function]; ok && i < len(call.Args) {
				if name, ok := call.Args[i].(*ast.BasicLit); ok {
					written[strings.Trim(name.Value, `"`)] = true
				}
			}
			return true
		})
	}
	const page = "docs/operating.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	_, table, _ := strings.Cut(string(data), "\n| `event` |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed[m[1]] = true
	}
	for name := range written {
		if !listed[name] {
			t.Errorf("%s does not list the record %s", page, name)
		}
	}
	for name := range listed {
		if !written[name] {
			t.Errorf("%s lists the record %s, which nothing writes", page, name)
		}
	}
}

// TestDeployingListsEverySetting compares the settings of the process with the guide's table.
func TestDeployingListsEverySetting(t *testing.T) {
	t.Parallel()
	setting := regexp.MustCompile(`\bKINDGI_(?:PACK|LOG)_[A-Z_]+\b|\bPORT\b`)
	var code []byte
	for _, name := range []string{"pack/settings.go", "internal/record/config.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, data...)
	}
	const page = "docs/deploying.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "\n| Setting |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, name := range setting.FindAllString(string(code), -1) {
		if !slices.Contains(setting.FindAllString(table, -1), name) {
			t.Errorf("%s does not list the setting %s", page, name)
		}
	}
}
