package protocol_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

func TestAppendResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{protocol.AppendToolResult([]byte("x"), jsontext.Value(`{"n":9007199254740993}`)), `x{"v":2,"kind":"result","output":{"n":9007199254740993}}`},
		{protocol.AppendToolResult(nil, nil), `{"v":2,"kind":"result","output":null}`},
		{protocol.AppendCheckResult(nil, jsontext.Value(`{"passed":true}`)), `{"v":2,"kind":"check-result","result":{"passed":true}}`},
	} {
		if string(c.got) != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestErrorAppendTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e    protocol.Error
		want string
	}{
		{protocol.Error{Code: protocol.ToolNotInPack, Message: `This pack has no tool "a"`, ToolID: "a"},
			`{"v":2,"kind":"error","code":"tool-not-in-pack","message":"This pack has no tool \"a\"","toolId":"a"}`},
		{protocol.Error{Code: protocol.HandlerThrow, Message: "m", CheckID: "c", Cause: &protocol.Cause{Name: "N", Message: "M", Stack: "S"}},
			`{"v":2,"kind":"error","code":"handler-throw","message":"m","checkId":"c","cause":{"name":"N","message":"M","stack":"S"}}`},
		{protocol.Error{Code: protocol.HandlerThrow, Message: "m", Cause: &protocol.Cause{}},
			`{"v":2,"kind":"error","code":"handler-throw","message":"m","cause":{"name":"","message":""}}`},
		{protocol.Error{Code: protocol.InputValidationFailed, Message: "m", Issues: []protocol.Issue{
			{InstancePath: "", SchemaPath: "#/required", Keyword: "required", Params: jsontext.Value(`{"missingProperty":"a"}`), Message: "must have required property 'a'"},
			{InstancePath: "/a", Message: "own", PropertyName: "p"},
		}}, `{"v":2,"kind":"error","code":"input-validation-failed","message":"m","issues":[` +
			`{"instancePath":"","schemaPath":"#/required","keyword":"required","params":{"missingProperty":"a"},"message":"must have required property 'a'"},` +
			`{"instancePath":"/a","message":"own","propertyName":"p"}]}`},
		// What is not UTF-8 is replaced; U+2028 and the like are themselves.
		{protocol.Error{Code: protocol.HandlerThrow, Message: "a\xffb\u2028<&>\x00\xed\xa0\x80"},
			"{\"v\":2,\"kind\":\"error\",\"code\":\"handler-throw\",\"message\":\"a\ufffdb\u2028<&>\\u0000\ufffd\ufffd\ufffd\"}"},
		// Raw values that are not JSON do not spoil the message.
		{protocol.Error{Code: protocol.InputValidationFailed, Message: "m", Issues: []protocol.Issue{{Keyword: "type", Params: jsontext.Value(`{"a":`), Message: "x"}},
			Unknown: map[string]jsontext.Value{"u": jsontext.Value("}")}, Cause: &protocol.Cause{Name: "N", Unknown: map[string]jsontext.Value{"v": nil}}},
			`{"v":2,"kind":"error","code":"input-validation-failed","message":"m","cause":{"name":"N","message":""},"issues":[{"instancePath":"","keyword":"type","message":"x"}]}`},
	} {
		got := c.e.AppendTo([]byte("x"))
		if string(got) != "x"+c.want {
			t.Errorf("got  %s\nwant x%s", got, c.want)
		}
		for name, marshal := range map[string]func(any) ([]byte, error){
			"v1": json.Marshal, "v2": func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		} {
			for _, v := range []any{c.e, &c.e} {
				b, err := marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				var back protocol.Error
				if err := json.Unmarshal(b, &back); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if string(back.AppendTo(nil)) != c.want {
					t.Errorf("%s %T: got %s\nwant %s", name, v, b, c.want)
				}
			}
		}
	}
}

func TestErrorIsAnError(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("calling: %w", &protocol.Error{Code: protocol.Cancelled, Message: "a.b was cancelled"})
	e, ok := errors.AsType[*protocol.Error](err)
	if !ok || e.Error() != "cancelled: a.b was cancelled" {
		t.Errorf("%v", err)
	}
}

func TestParseResponse(t *testing.T) {
	t.Parallel()
	body := []byte(`{"v":2.0,"kind":"result","output": {"n":1.50} ,"later":1}`)
	r, err := protocol.ParseResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	clear(body)
	if m, ok := r.(*protocol.ToolResult); !ok || string(m.Output) != `{"n":1.50}` {
		t.Errorf("got %#v", r)
	}

	r, err = protocol.ParseResponse([]byte(`{"v":2,"kind":"check-result","result":{"passed":true,"reason":"","score":0.10}}`))
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := r.(*protocol.CheckResult); !ok || !m.Passed || string(m.Unknown["score"]) != "0.10" {
		t.Errorf("got %#v", r)
	}

	const refusal = `{"v":2,"kind":"error","code":"later-code","message":"m","cause":"thrown text","issues":[{"instancePath":"","message":"x","data":[1]}],"retryable":true}`
	r, err = protocol.ParseResponse([]byte(refusal))
	if err != nil {
		t.Fatal(err)
	}
	e, ok := r.(*protocol.Error)
	if !ok || e.Code.Known() || e.Cause != nil || string(e.Unknown["cause"]) != `"thrown text"` {
		t.Fatalf("got %#v", r)
	}
	sameJSON(t, e.AppendTo(nil), []byte(refusal))

	for body, want := range map[string]string{
		`<html>`:                            "the response is not valid JSON: expected a value, found '<' at byte 0",
		`[]`:                                "the response is not a JSON object",
		`{}`:                                "the response is of protocol vundefined, not v2",
		`{"v":3,"kind":"result"}`:           "the response is of protocol v3, not v2",
		`{"v":2}`:                           "the response is of an unknown kind, undefined",
		`{"v":2,"kind":"invoke"}`:           "the response is of an unknown kind, invoke",
		`{"v":2,"kind":"result"}`:           "the response has no output",
		`{"v":2,"kind":"check-result"}`:     "the response has no result",
		`{"v":2,"kind":"error","code":"c"}`: "the response's error: /message is required",
		`{"v":2,"kind":"check-result","result":{"passed":1}}`: "the response's result: /passed must be a boolean, not 1",
		`{"v":2,"kind":"check-result","result":[]}`:           "the response's result: must be an object, not a list",
	} {
		if r, err := protocol.ParseResponse([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%s: got %#v, %v\nwant %s", body, r, err, want)
		}
	}
}

func TestCheckResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    protocol.CheckResult
		want string
	}{
		{protocol.CheckResult{}, `{"passed":false}`},
		{protocol.CheckResult{Unknown: map[string]jsontext.Value{"passed": jsontext.Value("true")}}, `{"passed":false}`},
		{protocol.CheckResult{Passed: true, Reason: "r", JudgeResponse: "j", Attributes: map[string]jsontext.Value{"b": jsontext.Value("1.0"), "a": nil},
			Unknown: map[string]jsontext.Value{"z": jsontext.Value("[]"), "passed": jsontext.Value(`"no"`)}},
			`{"passed":true,"reason":"r","judgeResponse":"j","attributes":{"a":null,"b":1.0},"z":[]}`},
	} {
		for _, v := range []any{c.r, &c.r} {
			got, err := jsonv2.Marshal(v)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		}
	}
	bad := protocol.CheckResult{Attributes: map[string]jsontext.Value{"a": jsontext.Value("{")}}
	if b, err := json.Marshal(bad); err == nil {
		t.Errorf("what is not JSON was written: %s", b)
	}
	var r protocol.CheckResult
	if err := json.Unmarshal([]byte(`{"Passed":true}`), &r); err == nil {
		t.Error("names do not match exactly")
	}
}

// The codes are the protocol's, all of them and no others: testdata has its definition.
func TestCodesAreComplete(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("testdata/error-codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(page))
	var got []string
	for _, c := range protocol.Codes() {
		got = append(got, string(c))
		if !c.Known() {
			t.Errorf("%s is not known", c)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	source, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllSubmatch(source, -1)
	if len(declared) != len(want) {
		t.Errorf("%d constants for %d codes", len(declared), len(want))
	}
	if protocol.Code("nope").Known() {
		t.Error("an unknown code is known")
	}
}
