package contract_test

import (
	"regexp"
	"strings"
	"testing"
)

// thrown asserts a handler-throw and its cause.
func thrown(t testing.TB, a answer, prefix, text string) failure {
	t.Helper()
	f := a.failure(t)
	name, _ := f.Cause["name"].(string)
	message, _ := f.Cause["message"].(string)
	stack, isText := f.Cause["stack"].(string)
	if f.Code != "handler-throw" || f.Message != prefix+name+": "+text || name == "" || message != text {
		t.Errorf("got %v\nwant handler-throw %sNAME: %s and a cause that says the same", a, prefix, text)
	}
	if _, ok := f.Cause["stack"]; ok && (!isText || stack == "") {
		t.Errorf("a stack that is no text: %v", f.Cause)
	}
	return f
}

func TestThrow(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	f := thrown(t, svc.call(t, "conformance.throws", `{}`), `Handler for tool "conformance.throws" threw: `, "boom")
	if f.ToolID != "conformance.throws" {
		t.Errorf("toolId %q", f.ToolID)
	}
	f = thrown(t, svc.evaluate(t, "conformance.checks.throws", `{}`, `"x"`), `Check "conformance.checks.throws" evaluate() threw: `, "check boom")
	if f.CheckID != "conformance.checks.throws" {
		t.Errorf("checkId %q", f.CheckID)
	}
}

// Whatever author's code does, wherever it does it, the service answers and lives on.
func TestPanics(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_PACK_SERVICE_MAX_CONCURRENCY": "1"}})
	const prefix = `Handler for tool "edges.panics" threw: `
	for range 2 { // each slot comes back
		for where, text := range map[string]string{
			"handler": "panic in the handler", "marshal": "panic in MarshalJSON", "validate": "panic in Validate", "error": "the card was declined",
		} {
			f := thrown(t, svc.call(t, "edges.panics", `{"where":"`+where+`"}`), prefix, text)
			if stack, _ := f.Cause["stack"].(string); where != "error" && !strings.Contains(stack, "edges") {
				t.Errorf("%s: the stack does not show where: %q", where, stack)
			}
		}
		f := svc.call(t, "edges.panics", `{"where":"nil"}`).failure(t)
		if f.Code != "handler-throw" || !regexp.MustCompile(`nil pointer dereference`).MatchString(f.Message) {
			t.Errorf("got %s %q", f.Code, f.Message)
		}
		f = svc.call(t, "edges.panics", `{"where":"goexit"}`).failure(t)
		if f.Code != "handler-throw" || !strings.HasPrefix(f.Message, prefix) || !strings.Contains(f.Message, "Goexit") {
			t.Errorf("got %s %q", f.Code, f.Message)
		}
		svc.call(t, "edges.empty", `{}`).returned(t, `{"A":[],"M":{}}`)
	}
}
