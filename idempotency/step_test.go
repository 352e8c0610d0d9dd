package idempotency_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/idempotency"
)

const exampleRun = "4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13"

func TestStepKey(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		step idempotency.Step
		want string
	}{
		{
			"a node", idempotency.Step{RunID: exampleRun, Scope: "charge-card", ToolID: "acme.payments.charge"},
			"f6c8a374-b63c-5453-8320-1ca9c067447a",
		},
		{
			"a model's call", idempotency.Step{RunID: exampleRun, Scope: "agent-loop#2/dispatch-tools", ToolID: "acme.refunds.issue", CallID: "call_0"},
			"bf055463-2cce-5e82-b31a-43d7698db52e",
		},
		{
			"the same call id in the next iteration", idempotency.Step{RunID: exampleRun, Scope: "agent-loop#3/dispatch-tools", ToolID: "acme.refunds.issue", CallID: "call_0"},
			"f08fa71f-aaa9-5f9e-96bf-7e54d4f1af46",
		},
		{
			"beyond ASCII", idempotency.Step{RunID: exampleRun, Scope: "notify/branch-é", ToolID: "acme.mail.send"},
			"873f6e4e-cd72-5604-ac09-ab1496cfeb8a",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.step.Key()
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestStepKeyInvalidUTF8(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		part string
		step idempotency.Step
	}{
		{"RunID", idempotency.Step{RunID: "run\xff"}},
		{"Scope", idempotency.Step{Scope: "\xc3"}},
		{"ToolID", idempotency.Step{ToolID: "\xed\xa0\x80"}}, // a surrogate, which UTF-8 does not have
		{"CallID", idempotency.Step{CallID: "\xf8"}},
	} {
		t.Run(test.part, func(t *testing.T) {
			t.Parallel()
			key, err := test.step.Key()
			if err == nil {
				t.Fatalf("got the key %s, want an error", key)
			}
			if !strings.Contains(err.Error(), test.part) {
				t.Errorf("%q does not name the part %s", err, test.part)
			}
		})
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	const key = "f6c8a374-b63c-5453-8320-1ca9c067447a"
	for _, test := range []struct {
		name, text, want string // want "" is an error
	}{
		{"lower case", key, key},
		{"upper case", strings.ToUpper(key), key},
		{"empty", "", ""},
		{"white space around", " " + key[:35], ""},
		{"braces", "{" + key + "}", ""},
		{"urn", "urn:uuid:" + key, ""},
		{"no hyphens", strings.ReplaceAll(key, "-", ""), ""},
		{"hyphens elsewhere", "f6c8a37-4b63c-5453-8320-1ca9c067447a", ""},
		{"not hex", "g6c8a374-b63c-5453-8320-1ca9c067447a", ""},
		{"version 4", "f6c8a374-b63c-4453-8320-1ca9c067447a", ""},
		{"version 7", "f6c8a374-b63c-7453-8320-1ca9c067447a", ""},
		{"another variant", "f6c8a374-b63c-5453-c320-1ca9c067447a", ""},
		{"NCS variant", "f6c8a374-b63c-5453-7320-1ca9c067447a", ""},
		{"nil", "00000000-0000-0000-0000-000000000000", ""},
		{"max", "ffffffff-ffff-ffff-ffff-ffffffffffff", ""},
		{"36 bytes, not ASCII", "é6c8a374-b63c-5453-8320-1ca9c06744é", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := idempotency.ParseKey(test.text)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if failed := err != nil; failed != (test.want == "") {
				t.Errorf("error %v", err)
			}
			if err != nil && !errors.Is(err, idempotency.ErrInvalidKey) {
				t.Errorf("%v does not match ErrInvalidKey", err)
			}
		})
	}
}
