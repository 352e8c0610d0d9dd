package suite

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kindgi/kindgi-go/schema"
)

// FuzzReferee holds verdicts against those of another validator, on any schema that both compile.
func FuzzReferee(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"],"additionalProperties":false}`, `{"a":1.0}`},
		{`{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}}]}`, `[["a"],[]]`},
		{`{"properties":{"a":true},"allOf":[{"if":{"required":["b"]},"then":{"properties":{"b":{}}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`},
		{`{"prefixItems":[{"const":1}],"contains":{"type":"string"},"minContains":2,"unevaluatedItems":false}`, `[1,"a","b"]`},
		{`{"oneOf":[{"multipleOf":3},{"multipleOf":2.5},{"enum":[1,{"a":[1,2]}]}],"not":{"const":30}}`, `15`},
		{`{"uniqueItems":true,"maxItems":20}`, `[1,2,3,4,5,6,7,8,9,1.0]`},
		{`{"$dynamicRef":"#x","$defs":{"a":{"$dynamicAnchor":"x","maxLength":3}},"propertyNames":{"$ref":"#/$defs/a"}}`, `{"abcd":1}`},
		{`{"dependentSchemas":{"a":{"minProperties":2}},"dependentRequired":{"b":["c"]},"patternProperties":{"^x":{"type":"null"}}}`, `{"a":1,"b":2,"xy":null}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, document, value []byte) {
		if understoodDifferently(document) || bytes.Contains(document, []byte("attern")) || bytes.Contains(document, []byte("$id")) {
			t.Skip()
		}
		s, err := schema.Compile(document)
		if err != nil {
			t.Skip()
		}
		issues, err := s.Validate(value)
		if err != nil {
			t.Skip()
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
		if err != nil {
			t.Skip()
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		if err := c.AddResource("schema.json", parsed); err != nil {
			t.Skip()
		}
		other, err := c.Compile("schema.json")
		if err != nil {
			t.Skip()
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
		if err != nil {
			t.Fatalf("%q is JSON here", value)
		}
		if refused := other.Validate(instance); (refused == nil) != (len(issues) == 0) {
			t.Fatalf("%s\n%s\nhere: %v\nthere: %v", document, value, issues, refused)
		}
	})
}
