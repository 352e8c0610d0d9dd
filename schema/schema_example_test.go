package schema_test

import (
	"errors"
	"fmt"

	"github.com/kindgi/kindgi-go/schema"
)

func ExampleCompile() {
	_, err := schema.Compile([]byte(`{"type":"object","properties":{"size":{"type":"int","minimum":"1"}}}`))
	fmt.Println(err)
	_, err = schema.Compile([]byte(`{"type":"string","pattern":"^(?!x)"}`))
	var problem *schema.DocumentError
	if errors.As(err, &problem) {
		fmt.Println(problem.Path)
	}
	// Output:
	// schema at /properties/size/type: "int" is not one of array, boolean, integer, null, number, object, string, or an array of different ones
	// schema at /properties/size/minimum: "1" is not a number
	// /pattern
}

func ExampleCompiler() {
	c := schema.Compiler{Documents: map[string][]byte{
		"https://example.org/money": []byte(`{"type":"string","pattern":"^[0-9]+\\.[0-9]{2}$"}`),
	}}
	s, err := c.Compile([]byte(`{"type":"array","items":{"$ref":"https://example.org/money"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	issues, err := s.Validate([]byte(`["1.50","2"]`))
	fmt.Println(len(issues), issues[0].InstancePath, err)
	// Output: 1 /1 <nil>
}

func ExampleSchema_FillDefaults() {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{
		"name":{"type":"string"},
		"options":{"type":"object","default":{},"properties":{"loud":{"type":"boolean","default":false}}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	filled, err := s.FillDefaults([]byte(`{"name":"x"}`))
	fmt.Printf("%s %v\n", filled, err)
	// Output: {"name":"x","options":{"loud":false}} <nil>
}

func ExampleSchema_Strict() {
	s, err := schema.Compile([]byte(`{"properties":{"id":{"type":["string","integer"]}},"required":["id","key"],"colour":"red"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Strict())
	// Output:
	// schema at /colour: unknown keyword "colour"; remove it, or say it in $comment
	// schema at /properties: properties needs the type object in the same schema
	// schema at /required: required needs the type object in the same schema
	// schema at /required: required names "key", which properties of the same schema lacks; add it there
	// schema at /properties/id/type: a union of types, string, integer, is not allowed except [T, "null"]; use anyOf with one type each
}

func ExampleSchema_Validate() {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	issues, err := s.Validate([]byte(`{"name":""}`))
	for _, i := range issues {
		fmt.Println(i.InstancePath, i.SchemaPath, i.Message)
	}
	fmt.Println(err)

	_, err = s.Validate([]byte(`{"name":"x","name":"y"}`))
	fmt.Println(err)
	// Output:
	// /name #/properties/name/minLength must NOT have fewer than 1 characters
	// <nil>
	// duplicate member name "name" at byte 12
}
