package schema_test

import (
	"reflect"
	"testing"

	"github.com/kindgi/kindgi-go/schema"
)

// TestDerivedSchemasJudge asks derived schemas about values that only just are, or are not, of a type.
func TestDerivedSchemasJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ     reflect.Type
		text    string
		keyword string // of the first issue, "" for a valid value
		path    string
	}{
		{typeOf[struct{}](), `{}`, "", ""},
		{typeOf[struct{}](), `null`, "type", ""},
		{typeOf[struct{}](), `{"a":1}`, "additionalProperties", ""},
		{typeOf[*point](), `null`, "type", ""},
		{typeOf[open](), `{"message":"hi","MESSAGE":"x"}`, "", ""},
		{typeOf[open](), `{"MESSAGE":"x"}`, "required", ""},
		{typeOf[defaults](), `{"name":"a"}`, "", ""},
		{typeOf[defaults](), `{}`, "required", ""},
		{typeOf[uint64](), `18446744073709551615`, "", ""},
		{typeOf[uint64](), `18446744073709551616`, "maximum", ""},
		{typeOf[int64](), `-9223372036854775808`, "", ""},
		{typeOf[int64](), `-9223372036854775809`, "minimum", ""},
		{typeOf[int8](), `1.0e2`, "", ""},
		{typeOf[int8](), `1.5`, "type", ""},
		{typeOf[float32](), `3.4028235e38`, "", ""},
		{typeOf[float32](), `3.4028236e38`, "maximum", ""},
		{typeOf[map[uint8]bool](), `{"255":true}`, "", ""},
		{typeOf[map[uint8]bool](), `{"256":true}`, "pattern", ""},
		{typeOf[map[int8]bool](), `{"-1":true}`, "", ""},
		{typeOf[map[int8]bool](), `{"-0":true}`, "pattern", ""},
		{typeOf[[]byte](), `"aGk="`, "", ""},
		{typeOf[[]byte](), `"aGk"`, "pattern", ""},
		{typeOf[[]byte](), `"aGl="`, "pattern", ""}, // bits that belong to no byte
		{typeOf[[2]byte](), `"aGk="`, "", ""},
		{typeOf[[2]byte](), `"aA=="`, "pattern", ""},
		{typeOf[bytesOfAllKinds](), `{"slices":["aGk=","!"]}`, "required", ""},
		{typeOf[map[string][][]byte](), `{"a":[["aGk="],["aGk=","!"]]}`, "type", "/a/0"},
		{typeOf[map[string][]blob](), `{"a":["aGk=","!"]}`, "pattern", "/a/1"},
		{typeOf[[3]int8](), `[1,2]`, "minItems", ""},
		{typeOf[[3]int8](), `[1,2,3,4]`, "maxItems", ""},
		{typeOf[[]*int8](), `[null,1]`, "", ""},
		{typeOf[[]int8](), `[null]`, "type", "/0"},
		{typeOf[presence](), `{"always":"","pointer":null,"deep":null,"any":null,"Untagged":""}`, "", ""},
		{typeOf[presence](), `{"always":"","pointer":null,"deep":null,"any":null,"Untagged":"","optional":null}`, "type", "/optional"},
		{typeOf[tree](), `{"value":1,"children":[null,{"value":2,"children":[]}]}`, "", ""},
		{typeOf[tree](), `{"value":1,"children":[{"value":200,"children":[]}]}`, "maximum", "/children/0/value"},
	} {
		s, err := schema.ForType(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		issues, err := s.Validate([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.keyword == "" && len(issues) > 0:
			t.Errorf("%v refuses %s: %+v", c.typ, c.text, issues)
		case c.keyword == "":
			if err := schema.Unmarshal([]byte(c.text), reflect.New(c.typ).Interface()); err != nil {
				t.Errorf("%v admits %s, but it is not read: %v", c.typ, c.text, err)
			}
		case len(issues) == 0 || issues[0].Keyword != c.keyword || issues[0].InstancePath != c.path:
			t.Errorf("%v: %s has %+v, want %s at %q", c.typ, c.text, issues, c.keyword, c.path)
		}
	}
}

func TestDefaultsOfTags(t *testing.T) {
	t.Parallel()
	s, err := schema.For[defaults]()
	if err != nil {
		t.Fatal(err)
	}
	filled, err := s.FillDefaults([]byte(`{"name":"Ada"}`))
	if err != nil {
		t.Fatal(err)
	}
	var in defaults
	if err := schema.Unmarshal(filled, &in); err != nil {
		t.Fatal(err)
	}
	if in.Name != "Ada" || in.Greeting != "Hello" || in.Options.Loud {
		t.Errorf("got %+v of %s", in, filled)
	}
	if again, _ := schema.Marshal(in); string(again) != `{"name":"Ada","greeting":"Hello","options":{"loud":false}}` {
		t.Errorf("got %s", again)
	}
}
