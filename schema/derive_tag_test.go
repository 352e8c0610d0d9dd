package schema_test

import (
	"time"
)

type (
	stringTags struct {
		Length  string   `json:"length" jsonschema:"minLength=1,maxLength=100"`
		Pattern string   `json:"pattern" jsonschema:"pattern=^[a-z]+$"`
		Format  string   `json:"format" jsonschema:"format=email"`
		Enum    string   `json:"enum" jsonschema:"enum=red,enum=green,enum=blue"`
		EnumNil *string  `json:"enumNil" jsonschema:"enum=red,enum=green"`
		Const   string   `json:"const" jsonschema:"const=fixed"`
		Texts   string   `json:"texts" jsonschema:"title=A title,description=A text.,example=one,example=two,$comment=why"`
		Long    string   `json:"long" jsonschema_description:"Commas, as many, as you like."`
		Default string   `json:"default" jsonschema:"default=true"`
		Empty   string   `json:"empty" jsonschema:"default="`
		Marks   string   `json:"marks" jsonschema:"readOnly=true,writeOnly=false,deprecated=true"`
		Extras  string   `json:"extras" jsonschema_extras:"deprecated=true,contentMediaType=text/html"`
		Named   lowTexts `json:"named" jsonschema:"minLength=2"`
		Type    string   `json:"type" jsonschema:"type=string"`
	}
	lowTexts string

	numberTags struct {
		Zero      int           `json:"zero" jsonschema:"minimum=0"`
		Range     int           `json:"range" jsonschema:"minimum=-5,maximum=5"`
		Exclusive float64       `json:"exclusive" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
		Multiple  float64       `json:"multiple" jsonschema:"multipleOf=0.01"`
		Enum      int8          `json:"enum" jsonschema:"enum=1,enum=2"`
		Default   int           `json:"default" jsonschema:"default=0"`
		Float     float64       `json:"float" jsonschema:"default=0.5"`
		False     bool          `json:"false" jsonschema:"default=false"`
		True      bool          `json:"true" jsonschema:"default=true"`
		Pointer   *int8         `json:"pointer" jsonschema:"minimum=0,default=3"`
		Big       int64         `json:"big" jsonschema:"maximum=9007199254740993"`
		Quoted    int64         `json:"quoted,string" jsonschema:"default=3"`
		Wait      time.Duration `json:"wait" jsonschema:"minimum=0,description=How long."`
		Examples  int           `json:"examples" jsonschema:"example=1,example=2"`
	}

	listTags struct {
		Items    []string   `json:"items" jsonschema:"minItems=1,maxItems=3,uniqueItems=true,minLength=1,pattern=^a"`
		Numbers  []int8     `json:"numbers" jsonschema:"minimum=0,maximum=9"`
		Enum     []string   `json:"enum" jsonschema:"enum=a,enum=b"`
		Default  []string   `json:"default" jsonschema:"default=a,default=b"`
		Whole    []string   `json:"whole" jsonschema:"default=[\"a\",\"b\"]"`
		Empty    []int8     `json:"empty" jsonschema:"default=[]"`
		Format   []string   `json:"format" jsonschema:"format=uuid"`
		Example  [][]string `json:"example" jsonschema:"example=[[\"a\",\"b\"],[]]"`
		Pointers []*int8    `json:"pointers" jsonschema:"minimum=1"`
	}

	objectTags struct {
		Map    map[string]int8 `json:"map" jsonschema:"minProperties=1,maxProperties=3,default={\"a\":1,\"b\":2}"`
		Struct point           `json:"struct" jsonschema:"description=Where.,example={\"X\":1,\"Y\":2}"`
	}

	anyTags struct {
		OneOf any      `json:"oneOf" jsonschema:"oneof_type=string;integer"`
		AnyOf any      `json:"anyOf" jsonschema:"anyof_type=array;null,description=A list or nothing."`
		JSON  any      `json:"json" jsonschema:"default={\"a\":[1,2]}"`
		Enum  any      `json:"enum" jsonschema:"enum=1,enum=\"a\",enum=null"`
		Raw   rawValue `json:"raw" jsonschema:"example=[1]"`
		Text  any      `json:"text" jsonschema:"type=string,minLength=1"`
		List  rawValue `json:"list" jsonschema:"type=array,minItems=1"`
	}

	// defaults is the input of a tool that every implementation of the protocol has.
	defaults struct {
		Name     string `json:"name"`
		Greeting string `json:"greeting" jsonschema:"default=Hello"`
		Options  struct {
			Loud bool `json:"loud" jsonschema:"default=false"`
		} `json:"options" jsonschema:"default={}"`
	}

	groups struct {
		Email string `json:"email,omitempty" jsonschema:"oneof_required=by email"`
		Phone string `json:"phone,omitempty" jsonschema:"oneof_required=by phone"`
		Line  string `json:"line,omitempty" jsonschema:"oneof_required=by phone"`
		A     string `json:"a,omitempty" jsonschema:"anyof_required=a"`
		B     string `json:"b,omitempty" jsonschema:"anyof_required=b"`
	}

	commas struct {
		Description string `json:"description" jsonschema:"description=Hello\\, world,minLength=1"`
		Pattern     string `json:"pattern" jsonschema:"pattern=^[a-z]{1\\,3}$"`
	}
)
