package suite

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/google/jsonschema-go/jsonschema" // ships the suite's files

	"github.com/kindgi/kindgi-go/schema"
)

// The suite comes with a module that ships a copy of its mandatory cases for Draft 2020-12. A whole copy,
// with the optional cases, is used instead when SCHEMA_TEST_SUITE names its folder (the one with tests
// and remotes in it; Python's jsonschema ships one as json/ in its source distribution).

type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// folders gives where the cases and the remote documents are.
func folders(t *testing.T) (tests, remotes string) {
	t.Helper()
	if whole := os.Getenv("SCHEMA_TEST_SUITE"); whole != "" {
		return filepath.Join(whole, "tests", "draft2020-12"), filepath.Join(whole, "remotes")
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata")
	return filepath.Join(data, "draft2020-12"), filepath.Join(data, "remotes")
}

// documents reads the remote documents of the draft by the URI that the suite gives them.
func documents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	documents := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		document, err := os.ReadFile(path)
		documents["http://localhost:1234/"+filepath.ToSlash(name)] = document
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

func TestSuite(t *testing.T) {
	tests, remotes := folders(t)
	compiler := schema.Compiler{Documents: documents(t, remotes)}
	files, err := filepath.Glob(filepath.Join(tests, "*.json"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files of cases: %v", len(files), err)
	}
	cases := 0
	for _, file := range files {
		if filepath.Base(file) == "format.json" {
			continue // says that formats are annotations; here they are assertions, as in Ajv
		}
		cases += run(t, compiler, file)
	}
	t.Logf("%d mandatory cases", cases)
	if cases < 1000 {
		t.Errorf("only %d cases", cases)
	}
}

func run(t *testing.T, compiler schema.Compiler, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []group
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(file)
	cases := 0
	for _, g := range groups {
		s, err := compiler.Compile(g.Schema)
		if err != nil {
			t.Errorf("%s: %s: %v", name, g.Description, err)
			continue
		}
		for _, c := range g.Tests {
			cases++
			issues, err := s.Validate(c.Data)
			if err != nil {
				t.Errorf("%s: %s: %s: %v", name, g.Description, c.Description, err)
				continue
			}
			if (len(issues) == 0) != c.Valid {
				t.Errorf("%s: %s: %s: valid should be %v\n%s\n%s\n%v", name, g.Description, c.Description, c.Valid, g.Schema, c.Data, issues)
			}
		}
	}
	return cases
}
