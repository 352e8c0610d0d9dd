package contract_test

import (
	"net/http"
	"testing"
)

// Names match exactly: a tool whose schema is open sees only the fields of its type.
func TestNamesMatchExactly(t *testing.T) {
	t.Parallel()
	index := writeIndex(t, "conformance", func(x map[string]any) {
		delete(entry(t, x, "tools", "conformance.echo")["input"].(map[string]any), "additionalProperties")
	})
	svc := start(t, setup{args: []string{"--index", index, "--host", "127.0.0.1"}})
	svc.call(t, "conformance.echo", `{"message":"hi","MESSAGE":"x"}`).returned(t, `{"message":"hi"}`)
	svc.call(t, "conformance.echo", `{"MESSAGE":"x","message":"hi","Message":7,"more":{"message":"y"}}`).returned(t, `{"message":"hi"}`)
}

// No digit of a number is lost on the way in or out, with and without a default beside it.
func TestNumbersStayExact(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	for input, want := range map[string]string{
		`{"id":9007199254740993}`:                                `{"id":9007199254740993,"note":"none"}`,
		`{"id":9007199254740993,"note":"set"}`:                   `{"id":9007199254740993,"note":"set"}`,
		`{"id":-9223372036854775808}`:                            `{"id":-9223372036854775808,"note":"none"}`,
		`{"id":9223372036854775807}`:                             `{"id":9223372036854775807,"note":"none"}`,
		`{"id":1,"any":9007199254740993}`:                        `{"id":1,"any":9007199254740993,"note":"none"}`,
		`{"id":1,"any":{"deep":[18446744073709551617]}}`:         `{"id":1,"any":{"deep":[18446744073709551617]},"note":"none"}`,
		`{"id":1,"any":[0.1,1.10,1e2],"note":"set"}`:             `{"id":1,"any":[0.1,1.10,1e2],"note":"set"}`,
		`{"id":1.0,"note":"set"}`:                                `{"id":1,"note":"set"}`,
		`{"id":9007199254740993.000,"note":"set"}`:               `{"id":9007199254740993,"note":"set"}`,
		`{"id":90071992547409930e-1}`:                            `{"id":9007199254740993,"note":"none"}`,
		`{"id":0.1e1}`:                                           `{"id":1,"note":"none"}`,
		`{"id":-0}`:                                              `{"id":0,"note":"none"}`,
		`{"id":1,"any":{"id":[true,null,"\u00e9\ud83d\ude00"]}}`: `{"id":1,"any":{"id":[true,null,"é😀"]},"note":"none"}`,
	} {
		t.Run(input, func(t *testing.T) {
			t.Parallel()
			svc.call(t, "edges.numbers", input).returned(t, want)
		})
	}
	for _, input := range []string{`{"id":9223372036854775808}`, `{"id":-9223372036854775809}`, `{"id":1.5}`, `{"id":"1"}`, `{"id":1e19}`} {
		if f := svc.call(t, "edges.numbers", input).failure(t); f.Code != "input-validation-failed" || f.Issues == nil {
			t.Errorf("%s: got %s %q", input, f.Code, f.Message)
		}
	}
}

// An integer may be written with a fraction or an exponent.
func TestIntegersByValue(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	for _, ms := range []string{"1", "1.0", "1e0", "0.1e1", "10e-1"} {
		svc.call(t, "conformance.sleep", `{"ms":`+ms+`}`).returned(t, `{"slept":1}`)
	}
	for _, ms := range []string{"1.5", "-1", "1e-1", `"1"`, "null", "true"} {
		if f := svc.call(t, "conformance.sleep", `{"ms":`+ms+`}`).failure(t); f.Code != "input-validation-failed" {
			t.Errorf("ms %s: got %s", ms, f.Code)
		}
	}
}

// Nil slices and maps are empty ones.
func TestEmptyOutputs(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	svc.call(t, "edges.empty", `{}`).returned(t, `{"A":[],"M":{}}`)
}

// A nil pointer is null, which the output schema admits or not.
func TestNilOutput(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	a := svc.call(t, "edges.nothing", `{}`)
	if a.status == http.StatusOK && sameJSON(t, a.body, `{"v":2,"kind":"result","output":null}`) {
		return
	}
	a.failed(t, "output-validation-failed", `Tool "edges.nothing" handler produced output that failed validation`)
}
