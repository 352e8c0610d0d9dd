package schema_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kindgi/kindgi-go/schema"
)

// decodesChecked compares checking and decoding in one pass with doing one after the other, for a text that
// is JSON. It reports whether there was one pass.
func decodesChecked(t rapid.TB, s *schema.Schema, typ reflect.Type, text []byte) bool {
	t.Helper()
	want := reflect.New(typ)
	issues := s.Check(text)
	var wrong error
	if len(issues) == 0 {
		wrong = schema.Decode(text, want.Interface())
	}

	alone := reflect.New(typ)
	onePass := schema.DecodeChecked(s, text, alone.Interface())
	if onePass && (len(issues) > 0 || wrong != nil || !reflect.DeepEqual(alone.Interface(), want.Interface())) {
		t.Fatalf("%v: %s is decoded as\n%#v\nby a schema that says %v; decoding says %v and\n%#v\n%s", typ, text, alone, issues, wrong, want, s.JSON())
	}

	got := reflect.New(typ)
	gotIssues, err := s.Decode(text, got.Interface())
	switch {
	case !reflect.DeepEqual(gotIssues, issues):
		t.Fatalf("%v: %s has issues\n%v\nwant\n%v", typ, text, gotIssues, issues)
	case len(issues) > 0:
	case (err == nil) != (wrong == nil):
		t.Fatalf("%v: %s: error %v, want %v", typ, text, err, wrong)
	case err == nil && !reflect.DeepEqual(got.Interface(), want.Interface()):
		t.Fatalf("%v: %s is decoded as\n%#v\nwant\n%#v", typ, text, got, want)
	}
	return onePass
}

type checkedOrder struct {
	Number string            `json:"number"`
	Count  int               `json:"count"`
	Small  *uint8            `json:"small"`
	Lines  []checkedLine     `json:"lines"`
	Labels map[string]string `json:"labels"`
	At     time.Time         `json:"at,omitzero"`
	Next   *checkedOrder     `json:"next,omitempty"`
	Paid   bool              `json:"paid"`
}

type checkedLine struct {
	SKU   string  `json:"sku"`
	Price float64 `json:"price"`
}

// TestDecodeByAnySchema decodes into one type by schemas that were not derived from it, as those of an
// index file may be.
func TestDecodeByAnySchema(t *testing.T) {
	t.Parallel()
	texts := []string{
		`{}`, `null`, `[]`, `"x"`, `12`, ` { } `,
		`{"number":"A-1","count":3,"small":7,"lines":[{"sku":"a","price":1.5}],"labels":{"a":"b"},"at":"2026-01-02T03:04:05Z","paid":true}`,
		`{"paid":false,"lines":[],"number":"B","count":-1}`,
		`{"number":"A-1","count":1.0}`, `{"number":"A-1","count":2e0}`, `{"number":"A-1","count":0}`, `{"count":-0}`, `{"count":9223372036854775807}`,
		`{"count":9223372036854775808}`, `{"count":-9223372036854775808}`, `{"count":"3"}`, `{"count":7}`, `{"count":12}`,
		`{"small":null}`, `{"small":0}`, `{"small":255}`, `{"small":256}`, `{"small":-1}`, `{"small":1.0}`,
		`{"number":""}`, `{"number":"\u0041-1"}`, `{"num\u0062er":"A-1"}`, `{"number":"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"}`, `{"number":null}`,
		`{"lines":[]}`, `{"lines":[{}]}`, `{"lines":[{"sku":"a","price":1},{"sku":"a","price":1}]}`, `{"lines":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}`,
		`{"lines":null}`, `{"lines":[null]}`, `{"lines":{}}`, `{"lines":[{"sku":1}]}`, `{"lines":[{"sku":"x","other":[1,{"a":"]"}]}]}`,
		`{"labels":{}}`, `{"labels":{"a":1}}`, `{"labels":{"a":"1","b":"22","c":"333"}}`, `{"labels":null}`, `{"labels":{"x-a":"1"}}`,
		`{"next":{"number":"B","next":{"number":"C"}}}`, `{"next":{"next":{"count":"no"}}}`, `{"next":null}`, `{"next":{}}`, `{"next":7}`,
		`{"unknown":1}`, `{"unknown":"text"}`, `{"number":"A","unknown":{"deep":[1,2]},"count":1}`, `{"Number":"case"}`,
		`{"at":"2026-01-02"}`, `{"at":"2026-01-02T03:04:05Z"}`, `{"at":null}`, `{"paid":null}`, `{"paid":1}`,
		`{ "number" : "A" , "lines" : [ { "sku" : "s" , "price" : 2 } ] , "paid" : true }`,
		`{"next":` + strings.Repeat(`{"next":`, 400) + `{}` + strings.Repeat(`}`, 401),
	}
	for _, document := range []string{
		`{}`,
		`{"type":"object"}`,
		`{"type":["object","null"]}`,
		`{"type":"array"}`,
		`{"properties":{"number":{},"count":{},"small":{},"lines":{},"labels":{},"at":{},"next":{"properties":{"number":{},"count":{},"small":{},"lines":{},"labels":{},"at":{},"next":{},"paid":{}}},"paid":{}}}`,
		`{"items":{},"minItems":1,"properties":{"count":{"minimum":1},"labels":{"additionalProperties":{"maxLength":1}},"lines":{"items":{"properties":{"sku":{},"price":{}}}}}}`,
		`{"not":{}}`,
		`{"const":{}}`,
		`{"enum":[{},null,{"count":7}]}`,
		`{"type":"object","additionalProperties":false}`,
		`{"type":"object","additionalProperties":{"type":"string"}}`,
		`{"type":"object","properties":{"number":{"type":"string"},"count":{"type":"integer"},"paid":{"type":"boolean"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"number":{"type":"string","minLength":1,"maxLength":5,"pattern":"^[A-Cé]"},"count":{"type":"integer","minimum":0,"multipleOf":3},
			"small":{"type":["integer","null"],"maximum":254},"lines":{"type":"array"},"labels":{"type":"object"},"at":{},"next":{},"paid":{}},"required":["count"]}`,
		`{"type":"object","required":["number","other"],"properties":{"other":{"type":"number"}}}`,
		`{"type":"object","properties":{"count":{"type":"number"},"small":{},"number":{"enum":["A-1","B"]},"lines":{"type":"array","items":{"type":"object",
			"properties":{"sku":{"type":"string"},"price":{"type":"number","exclusiveMinimum":0}},"required":["sku"]},"minItems":1,"maxItems":2},
			"labels":{"type":"object","additionalProperties":{"type":"string","maxLength":2}},"at":{"type":"string","format":"date"},"next":{"type":"object"},"paid":{"const":true}}}`,
		`{"type":"object","properties":{"number":{},"count":{},"small":{},"labels":{"type":"object","minProperties":1,"maxProperties":2},"at":{},"next":{"$ref":"#"},"paid":{},
			"lines":{"type":"array","uniqueItems":true,"items":{"type":["object","null"],"properties":{"sku":{"const":"a"},"price":{}}}}}}`,
		`{"$ref":"#/$defs/order","$defs":{"order":{"type":"object","additionalProperties":false,"properties":{"number":{"type":"string"},"count":{"type":"integer","maximum":10},
			"small":{"type":["integer","null"]},"lines":{"type":"array","contains":{"type":"object","required":["price"]}},"labels":{"type":"object","propertyNames":{"pattern":"^x-"}},
			"at":{"type":"string"},"next":{"$ref":"#/$defs/order"},"paid":{"type":["boolean","null"]}}}}}`,
		`{"type":"object","patternProperties":{"^n":{"type":"string"}},"properties":{"count":{"type":"integer"}}}`,
		`{"type":"object","dependentRequired":{"number":["count"]},"properties":{"number":{},"count":{},"small":{},"lines":{},"labels":{},"at":{},"next":{},"paid":{}}}`,
		`{"type":"object","properties":{"number":{},"count":{},"small":{},"lines":{},"labels":{},"at":{},"next":{},"paid":{}},"unevaluatedProperties":false}`,
		`{"anyOf":[{"type":"object","required":["number"]},{"type":"object","required":["next"]}]}`,
		`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"object","maxProperties":2}}}`,
		`{"if":{"required":["count"]},"then":{"properties":{"count":{"minimum":1}}},"else":{"maxProperties":1}}`,
	} {
		s, err := schema.Compile([]byte(document))
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		for _, text := range texts {
			decodesChecked(t, s, reflect.TypeFor[checkedOrder](), []byte(text))
		}
	}
	s, err := schema.For[checkedOrder]()
	if err != nil {
		t.Fatal(err)
	}
	onePass := 0
	for _, text := range texts {
		if decodesChecked(t, s, reflect.TypeFor[checkedOrder](), []byte(text)) {
			onePass++
		}
	}
	if onePass == 0 {
		t.Error("the derived schema and its type are not one pass")
	}
}

// TestDecodeIntoAnotherType: a schema remembers the codec of one type, and gives no other type that one.
func TestDecodeIntoAnotherType(t *testing.T) {
	t.Parallel()
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var a struct {
			N int `json:"n"`
		}
		var b struct {
			N int64 `json:"n"`
		}
		var c map[string]int
		for _, v := range []any{&a, &b, &c} {
			if issues, err := s.Decode([]byte(`{"n":5}`), v); err != nil || len(issues) > 0 {
				t.Errorf("%T: %v, %v", v, issues, err)
			}
		}
		if a.N != 5 || b.N != 5 || c["n"] != 5 {
			t.Errorf("got %v, %v, %v", a, b, c)
		}
	}
	if _, err := s.Decode([]byte(`{"n":5}`), nil); err == nil {
		t.Error("no error for nil")
	}
	if issues, _ := s.Decode([]byte(`{"n":"x"}`), new(any)); len(issues) != 1 {
		t.Errorf("issues %v", issues)
	}
}
