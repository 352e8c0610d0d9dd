package contract_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// record is a JSON line of a service's standard error.
type record struct {
	line   string
	names  []string // of the fields, in their order
	fields map[string]any
}

// parseRecord reads a line; false when it is no JSON object.
func parseRecord(line string) (record, bool) {
	r := record{line: line}
	if !strings.HasPrefix(line, "{") {
		return r, false
	}
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	if err := dec.Decode(&r.fields); err != nil || dec.More() {
		return r, false
	}
	// The names of the outermost object, in order.
	dec = json.NewDecoder(strings.NewReader(line))
	_, _ = dec.Token()
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return r, false
		}
		r.names = append(r.names, name.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return r, false
		}
	}
	return r, true
}

// text gives a field that is a string, "" for any other.
func (r record) text(name string) string {
	s, _ := r.fields[name].(string)
	return s
}

// at is the record's time.
func (r record) at(t testing.TB) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, r.text("time"))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// list gives a field that is a list of strings.
func (r record) list(t testing.TB, name string) []string {
	t.Helper()
	values, ok := r.fields[name].([]any)
	if !ok {
		t.Fatalf("field %s is no list in %s", name, r.line)
	}
	texts := []string{}
	for _, v := range values {
		s, ok := v.(string)
		if !ok {
			t.Fatalf("field %s holds %v, not text, in %s", name, v, r.line)
		}
		texts = append(texts, s)
	}
	return texts
}

// sameJSON compares two JSON texts as values, numbers by their digits.
func sameJSON(t testing.TB, got []byte, want string) bool {
	t.Helper()
	return bytes.Equal(normal(t, got), normal(t, []byte(want)))
}

// normal gives a JSON text without white space, the names of objects sorted.
func normal(t testing.TB, text []byte) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("not JSON: %v: %.300s", err, text)
	}
	if dec.More() {
		t.Fatalf("more than one JSON value: %.300s", text)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
