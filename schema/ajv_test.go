package schema_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// recorded is one schema with Ajv's answers, a line of testdata/ajv.ndjson.gz.
type recorded struct {
	Schema   json.RawMessage `json:"schema"`
	Side     string          `json:"side"`
	Compiled bool            `json:"compiled"`
	Results  [][3]json.RawMessage
	Values   []string `json:"values,omitempty"`
}

func readRecorded(t testing.TB) []recorded {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "ajv.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []recorded
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestAjv holds verdicts, defaults, issues and the strict mode against what Ajv said when it was asked
// (testdata/ajv/record.mjs).
func TestAjv(t *testing.T) {
	t.Parallel()
	all := readRecorded(t)
	values := 0
	for _, r := range all {
		s, err := schema.Compile(r.Schema)
		strict := err
		if err == nil {
			strict = s.Strict()
		}
		if r.Side == "input" && (strict == nil) != r.Compiled {
			t.Errorf("%s\nAjv compiles it: %v; here: %v", r.Schema, r.Compiled, strict)
		}
		if !r.Compiled || err != nil {
			continue
		}
		for _, result := range r.Results {
			values++
			compareWithAjv(t, s, r, result)
		}
	}
	t.Logf("%d schemas, %d values", len(all), values)
	if len(all) < 300 || values < 3000 {
		t.Error("too few")
	}
}

func compareWithAjv(t *testing.T, s *schema.Schema, r recorded, result [3]json.RawMessage) {
	t.Helper()
	var text string
	if err := json.Unmarshal(result[0], &text); err != nil {
		t.Fatal(err)
	}
	value := []byte(text)
	if r.Side == "input" {
		filled, err := s.FillDefaults(value)
		if err != nil {
			t.Errorf("%s\n%s: %v", r.Schema, text, err)
			return
		}
		if string(result[1]) == "null" {
			if len(filled) != len(value) || &filled[0] != &value[0] {
				t.Errorf("%s\n%s: nothing is missing, and yet\n%s", r.Schema, text, filled)
			}
		} else {
			var want string
			if err := json.Unmarshal(result[1], &want); err != nil {
				t.Fatal(err)
			}
			if !sameJSON(t, filled, []byte(want)) {
				t.Errorf("%s\n%s: filled to\n%s, by Ajv to\n%s", r.Schema, text, filled, want)
				return
			}
		}
		value = filled
	}
	issues, err := s.Validate(value)
	if err != nil {
		t.Errorf("%s\n%s: %v", r.Schema, text, err)
		return
	}
	want := ajvIssues(t, result[2])
	if rest := len(want) - len(issues) + 1; len(issues) == 101 && rest > 0 {
		// Past the bound a last issue tells how many more there are.
		more := fmt.Sprintf("has %d more issues than are listed here", rest)
		if last := issues[100]; last.Keyword != "" || last.Message != more {
			t.Errorf("%s\n%s: last issue %v, %d more in Ajv", r.Schema, text, last, rest)
		}
		issues, want = issues[:100], want[:100]
	}
	for i := range min(len(issues), len(want)) {
		if got := issueText(issues[i]); got != want[i] {
			t.Errorf("%s\n%s: issue %d is\n%s, by Ajv\n%s", r.Schema, value, i, got, want[i])
			return
		}
	}
	if len(issues) != len(want) {
		t.Errorf("%s\n%s: %d issues, by Ajv %d\n%v\n%v", r.Schema, value, len(issues), len(want), issues, want)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

// ajvIssues gives recorded issues in the form of issueText.
func ajvIssues(t *testing.T, text json.RawMessage) []string {
	t.Helper()
	var rows [][]json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	var issues []string
	for _, row := range rows {
		var i protocol.Issue
		for k, field := range []*string{&i.InstancePath, &i.SchemaPath, &i.Keyword, nil, &i.Message, &i.PropertyName} {
			if field == nil || k >= len(row) {
				continue
			}
			if err := json.Unmarshal(row[k], field); err != nil {
				t.Fatal(err)
			}
		}
		i.Params = []byte(row[3])
		issues = append(issues, issueText(i))
	}
	return issues
}

func issueText(i protocol.Issue) string {
	return fmt.Sprintf("%q %q %q %s %q %q", i.InstancePath, i.SchemaPath, i.Keyword, i.Params, i.Message, i.PropertyName)
}

// TestAjvAgain asks Ajv anew, where node and Ajv are installed (npm install in testdata/ajv), so that
// the recorded answers are known to be its answers.
func TestAjvAgain(t *testing.T) {
	t.Parallel()
	all := readRecorded(t)
	questions := make([]any, len(all))
	for i, r := range all {
		values := r.Values
		for _, result := range r.Results {
			var text string
			if err := json.Unmarshal(result[0], &text); err != nil {
				t.Fatal(err)
			}
			values = append(values, text)
		}
		questions[i] = map[string]any{"schema": r.Schema, "side": r.Side, "values": values}
	}
	for i, answer := range askAjv(t, questions) {
		if answer.Compiled != all[i].Compiled || !slices.EqualFunc(answer.Results, all[i].Results, func(a, b [3]json.RawMessage) bool {
			return bytes.Equal(a[1], b[1]) && bytes.Equal(a[2], b[2])
		}) {
			t.Errorf("Ajv says something else now about %s", all[i].Schema)
		}
	}
}

// askAjv asks Ajv, or skips the test where it is not installed.
func askAjv(t *testing.T, questions []any) []recorded {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	folder := filepath.Join("testdata", "ajv")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "ajv")); err != nil {
		t.Skip("Ajv is not installed: npm install in " + folder)
	}
	var lines bytes.Buffer
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	command := exec.CommandContext(t.Context(), node, "record.mjs", "--stdin")
	command.Dir, command.Stdin, command.Stderr = folder, &lines, os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []recorded
	for line := range strings.Lines(string(out)) {
		var r recorded
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, r)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}
