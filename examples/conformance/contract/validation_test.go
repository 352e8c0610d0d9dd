package contract_test

import (
	"strings"
	"testing"
)

const inputFailed = `Tool "conformance.echo" input failed validation`

// Input issues, as the reference validator reports them.
func TestInputIssues(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	const (
		missing = `{"instancePath":"","schemaPath":"#/required","keyword":"required","params":{"missingProperty":"message"},"message":"must have required property 'message'"}`
		short   = `{"instancePath":"/message","schemaPath":"#/properties/message/minLength","keyword":"minLength","params":{"limit":1},"message":"must NOT have fewer than 1 characters"}`
		notText = `{"instancePath":"/message","schemaPath":"#/properties/message/type","keyword":"type","params":{"type":"string"},"message":"must be string"}`
		notObj  = `{"instancePath":"","schemaPath":"#/type","keyword":"type","params":{"type":"object"},"message":"must be object"}`
	)
	more := func(name string) string {
		return `{"instancePath":"","schemaPath":"#/additionalProperties","keyword":"additionalProperties","params":{"additionalProperty":"` + name + `"},"message":"must NOT have additional properties"}`
	}
	for input, want := range map[string]string{
		`{}`:                                missing,
		`{"message":""}`:                    short,
		`{"message":7}`:                     notText,
		`{"message":null}`:                  notText,
		`{"Message":"hi"}`:                  missing + `,` + more("Message"),
		`{"message":"hi","MESSAGE":"x"}`:    more("MESSAGE"),
		`{"b":1,"a":2}`:                     missing + `,` + more("b") + `,` + more("a"),
		`{"message":[],"x":{"message":""}}`: more("x") + `,` + notText,
		`[]`:                                notObj,
		`null`:                              notObj,
		`"hi"`:                              notObj,
	} {
		t.Run(input, func(t *testing.T) {
			t.Parallel()
			f := svc.call(t, "conformance.echo", input).failed(t, "input-validation-failed", inputFailed)
			f.issues(t, "["+want+"]")
			if f.ToolID != "conformance.echo" {
				t.Errorf("toolId %q", f.ToolID)
			}
		})
	}
	// An absent input is refused like a null.
	f := svc.invoke(t, `{"v":2,"kind":"invoke","tool":{"id":"conformance.echo"},"ctx":{"tenantId":"t","runId":"r"}}`).
		failed(t, "input-validation-failed", inputFailed)
	f.issues(t, "["+notObj+"]")
	// Length counts characters, not bytes.
	svc.call(t, "conformance.echo", `{"message":"\ud83d\ude00"}`).returned(t, `{"message":"😀"}`)
}

// Defaults are filled into what the handler gets, the nested ones too.
func TestInputDefaults(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for input, want := range map[string]string{
		`{"name":"Ada"}`:                                                  `{"name":"Ada","greeting":"Hello","options":{"loud":false}}`,
		`{"name":"Ada","greeting":"Hi"}`:                                  `{"name":"Ada","greeting":"Hi","options":{"loud":false}}`,
		`{"name":"Ada","greeting":""}`:                                    `{"name":"Ada","greeting":"","options":{"loud":false}}`,
		`{"name":"Ada","options":{}}`:                                     `{"name":"Ada","greeting":"Hello","options":{"loud":false}}`,
		`{"name":"Ada","options":{"loud":true}}`:                          `{"name":"Ada","greeting":"Hello","options":{"loud":true}}`,
		`{"options":{"loud":true},"greeting":"Hi","name":"\u0041\u0064"}`: `{"name":"Ad","greeting":"Hi","options":{"loud":true}}`,
	} {
		t.Run(input, func(t *testing.T) {
			t.Parallel()
			svc.call(t, "conformance.defaults", input).returned(t, want)
		})
	}
	// A default does not mend what is wrong.
	svc.call(t, "conformance.defaults", `{"greeting":null}`).
		failed(t, "input-validation-failed", `Tool "conformance.defaults" input failed validation`).
		issues(t, `[{"instancePath":"","schemaPath":"#/required","keyword":"required","params":{"missingProperty":"name"},"message":"must have required property 'name'"},`+
			`{"instancePath":"/greeting","schemaPath":"#/properties/greeting/type","keyword":"type","params":{"type":"string"},"message":"must be string"}]`)
}

// A type's own validation refuses with an issue that has no keyword.
func TestOwnValidation(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	svc.call(t, "edges.validated", `{"from":1,"to":2}`).returned(t, `{"from":1,"to":2}`)
	svc.call(t, "edges.validated", `{"from":2,"to":1}`).
		failed(t, "input-validation-failed", `Tool "edges.validated" input failed validation`).
		issues(t, `[{"instancePath":"/to","message":"must not be before from"}]`)
}

func TestBadOutput(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	f := svc.call(t, "conformance.bad-output", `{"any":"thing"}`).
		failed(t, "output-validation-failed", `Tool "conformance.bad-output" handler produced output that failed validation`)
	f.issues(t, `[{"instancePath":"/message","schemaPath":"#/properties/message/type","keyword":"type","params":{"type":"string"},"message":"must be string"}]`)
	if f.ToolID != "conformance.bad-output" {
		t.Errorf("toolId %q", f.ToolID)
	}
}

// A value that JSON cannot hold is an error that says why; never half a response.
func TestOutputThatIsNotJSON(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	for _, what := range []string{"nan", "cycle", "channel", "year", "method", "utf8"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			a := svc.call(t, "edges.unencodable", `{"what":"`+what+`"}`)
			f := a.failure(t)
			const prefix = `Tool "edges.unencodable" handler produced output that is not JSON: `
			if f.Code != "output-validation-failed" || !strings.HasPrefix(f.Message, prefix) || len(f.Message) < len(prefix)+5 {
				t.Errorf("got %s %q, want output-validation-failed %sWHY", f.Code, f.Message, prefix)
			}
			f.issues(t, "null")
			if f.ToolID != "edges.unencodable" || strings.Contains(string(a.body), "half of a response") {
				t.Errorf("got %v", a)
			}
			if what == "method" && !strings.Contains(f.Message, "no JSON today") {
				t.Errorf("%q does not say why", f.Message)
			}
		})
	}
}

func TestCheckConfig(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	for config, c := range map[string]struct{ message, issues string }{
		`{}`: {`Check "edges.checks.word" config failed validation: must have required property 'word'`,
			`[{"instancePath":"","schemaPath":"#/required","keyword":"required","params":{"missingProperty":"word"},"message":"must have required property 'word'"}]`},
		`{"word":7}`: {`Check "edges.checks.word" config failed validation at /word: must be string`,
			`[{"instancePath":"/word","schemaPath":"#/properties/word/type","keyword":"type","params":{"type":"string"},"message":"must be string"}]`},
		`{"word":7,"more":1}`: {`Check "edges.checks.word" config failed validation: must NOT have additional properties`,
			`[{"instancePath":"","schemaPath":"#/additionalProperties","keyword":"additionalProperties","params":{"additionalProperty":"more"},"message":"must NOT have additional properties"},` +
				`{"instancePath":"/word","schemaPath":"#/properties/word/type","keyword":"type","params":{"type":"string"},"message":"must be string"}]`},
	} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			f := svc.evaluate(t, "edges.checks.word", config, `"some words"`).failed(t, "input-validation-failed", c.message)
			f.issues(t, c.issues)
			if f.CheckID != "edges.checks.word" || f.ToolID != "" {
				t.Errorf("checkId %q, toolId %q", f.CheckID, f.ToolID)
			}
		})
	}
}
