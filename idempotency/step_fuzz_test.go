package idempotency_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kindgi/kindgi-go/idempotency"
)

func FuzzParseKey(f *testing.F) {
	f.Add("f6c8a374-b63c-5453-8320-1ca9c067447a")
	f.Add("F6C8A374-B63C-5453-8320-1CA9C067447A")
	f.Add("f6c8a374-b63c-4453-8320-1ca9c067447a")
	f.Add("{f6c8a374-b63c-5453-8320-1ca9c067447a}")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := idempotency.ParseKey(text)
		if err != nil {
			if key != "" {
				t.Fatalf("an error and the key %q", key)
			}
			return
		}
		if !strings.EqualFold(key, text) || key != strings.ToLower(key) || key[14] != '5' {
			t.Fatalf("ParseKey(%q) = %q", text, key)
		}
		if again, err := idempotency.ParseKey(key); err != nil || again != key {
			t.Fatalf("ParseKey(%q) = %q, %v", key, again, err)
		}
	})
}

func FuzzStepKey(f *testing.F) {
	f.Add("run", "scope", "tool", "call")
	f.Add("", "", "", "")
	f.Add("\x00\x1f\x7f", "\u2028\u2029", "\"\\/<>&", "\U0001f600")
	f.Add("\xff", "", "", "\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, run, scope, tool, call string) {
		step := idempotency.Step{RunID: run, Scope: scope, ToolID: tool, CallID: call}
		key, err := step.Key()
		parts := []string{run, scope, tool}
		if call != "" {
			parts = append(parts, call)
		}
		if valid := utf8.ValidString(strings.Join(parts, "\n")); valid != (err == nil) {
			t.Fatalf("valid UTF-8 %t, error %v", valid, err)
		}
		if err != nil {
			return
		}
		if parsed, err := idempotency.ParseKey(key); err != nil || parsed != key {
			t.Fatalf("ParseKey(%q) = %q, %v", key, parsed, err)
		}
		// The array must at least be JSON that reads back as the parts, in one line.
		text, err := idempotency.StepJSON(step)
		if err != nil {
			t.Fatal(err)
		}
		var back []string
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if strings.Join(back, "\x00") != strings.Join(parts, "\x00") || len(back) != len(parts) {
			t.Fatalf("%s reads back as %q, not %q", text, back, parts)
		}
		if bytes.ContainsAny(text, "\n\r\t") {
			t.Fatalf("%q has white space that JSON.stringify does not write", text)
		}
	})
}
