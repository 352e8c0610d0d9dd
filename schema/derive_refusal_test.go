package schema_test

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/invopop/jsonschema"
)

type (
	jsonOnly      struct{}
	jsonWriteOnly struct{ V int }
	textOnly      struct{}
	someText      struct{ s string }
	panicsText    struct{}
	nilHook       struct{}
	panicsHook    struct{}
	refHook       struct{}
	falseHook     struct{}
	plainHook     struct{ A int8 }
	ownJSON       struct {
		plainHook
		B int8
	}
	missingMember struct {
		A int8
		B int8
	}
	extraMember  struct{ A int8 }
	noObjectHook struct{ A int8 }
	// wrongHook is written as a number, whatever its hook says.
	wrongHook int8
	// wrongTextHook is written as text.
	wrongTextHook struct{ anyText }
	endless       *endless
	moreHook      struct{ A int8 }
	badExtend     struct{ A int8 }
	hookedInt     int8
	listsTwo      struct{ someText }
	small         struct{ A int8 }
	unexported    int8
	Embedded      struct{ A int8 }
	methods       interface{ Method() }
	named         interface{}
	wide          struct {
		A, B, C, D, E, F, G, H, I, J struct {
			A, B, C, D, E, F, G, H, I, J struct {
				A, B, C, D, E, F, G, H, I, J struct{ A, B, C, D, E, F, G, H, I, J struct{ A, B, C int } }
			}
		}
	}
)

func (jsonOnly) MarshalJSON() ([]byte, error)      { return nil, nil }
func (*jsonOnly) UnmarshalJSON([]byte) error       { return nil }
func (jsonWriteOnly) MarshalJSON() ([]byte, error) { return nil, nil }
func (textOnly) MarshalText() ([]byte, error)      { return nil, nil }
func (s someText) MarshalText() ([]byte, error)    { return []byte(s.s), nil }
func (s *someText) UnmarshalText(b []byte) error {
	if len(b) != 1 {
		return errors.New("one letter")
	}
	s.s = string(b)
	return nil
}
func (s panicsText) MarshalText() ([]byte, error)  { panic("no") }
func (s *panicsText) UnmarshalText(b []byte) error { return nil }
func (nilHook) JSONSchema() *jsonschema.Schema     { return nil }
func (panicsHook) JSONSchema() *jsonschema.Schema  { panic("no") }
func (refHook) JSONSchema() *jsonschema.Schema     { return &jsonschema.Schema{Ref: "#/$defs/other"} }
func (falseHook) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "strnig"}
}
func (plainHook) JSONSchema() *jsonschema.Schema { return objectOf("A") }
func (ownJSON) MarshalJSON() ([]byte, error)     { return nil, nil }
func (missingMember) JSONSchema() *jsonschema.Schema {
	return objectOf("A")
}
func (extraMember) JSONSchema() *jsonschema.Schema   { return objectOf("A", "B") }
func (wrongHook) JSONSchema() *jsonschema.Schema     { return &jsonschema.Schema{Type: "string"} }
func (wrongTextHook) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "integer"} }

func (noObjectHook) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string"}
}
func (moreHook) JSONSchema() *jsonschema.Schema {
	s := objectOf("A")
	s.AnyOf = []*jsonschema.Schema{{}}
	return s
}
func (listsTwo) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: []any{"a", "bc"}}
}
func (hookedInt) JSONSchema() *jsonschema.Schema        { return &jsonschema.Schema{Type: "integer"} }
func (badExtend) JSONSchemaExtend(s *jsonschema.Schema) { s.Ref = "#/nowhere" }

func objectOf(names ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for _, name := range names {
		s.Properties.Set(name, &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "9"})
	}
	return s
}

// tagged gives a struct with one field of type T and the tag.
func taggedAs[T any](tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeFor[T](), Tag: reflect.StructTag(tag)}})
}

var refusals = []derivation{
	{"a channel", typeOf[struct{ C chan int }]()},
	{"a function", typeOf[func()]()},
	{"a complex number, deep in a list", typeOf[struct {
		L []map[string]struct{ C complex128 }
	}]()},
	{"an interface with methods", typeOf[struct{ I methods }]()},
	{"an error", typeOf[struct{ Err error }]()},
	{"a named empty interface", typeOf[struct{ I named }]()},
	{"an unsafe pointer", typeOf[struct{ P unsafe.Pointer }]()},
	{"a url.URL", typeOf[struct{ U *url.URL }]()},
	{"a big.Float", typeOf[struct{ F *big.Float }]()},
	{"JSON methods without a hook", typeOf[struct{ J jsonOnly }]()},
	{"a MarshalJSON method alone", typeOf[struct{ J jsonWriteOnly }]()},
	{"a time.Time inside a struct that embeds it", typeOf[struct {
		time.Time
		Zone string
	}]()},
	{"a MarshalText method alone", typeOf[struct{ T textOnly }]()},
	{"text methods that do not take any text", typeOf[struct{ T someText }]()},
	{"text methods that panic", typeOf[struct{ T panicsText }]()},
	{"a struct without exported fields", typeOf[struct{ M sync.Mutex }]()},
	{"several problems at once", typeOf[struct {
		A chan int
		B []struct{ C func() }
		D string `jsonschema:"minlength=1"`
	}]()},

	{"keys that are structs", typeOf[map[point]int]()},
	{"keys that are floats", typeOf[map[float64]int]()},
	{"keys that are booleans", typeOf[map[bool]int]()},
	{"keys that are any", typeOf[map[any]int]()},
	{"keys with text methods", typeOf[struct{ M map[netip.Addr]int }]()},
	{"keys that are times", typeOf[struct{ M map[time.Time]int }]()},

	{"an embedded pointer to an unexported struct", typeOf[struct{ *small }]()},
	{"an embedded type that is no struct", typeOf[struct{ Level }]()},
	{"an embedded interface", typeOf[struct{ fmt.Stringer }]()},
	{"an unexported type with a name", typeOf[struct {
		unexported `json:"x"`
	}]()},
	{"two fields of one name", reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: typeOf[string](), Tag: `json:"x"`},
		{Name: "B", Type: typeOf[string](), Tag: `json:"x"`},
	})},
	{"a json tag on an unexported field", reflect.StructOf([]reflect.StructField{
		{Name: "a", PkgPath: "example.com/a", Type: typeOf[string](), Tag: `json:"a"`},
	})},
	{"a jsonschema tag on an unexported field", reflect.StructOf([]reflect.StructField{
		{Name: "a", PkgPath: "example.com/a", Type: typeOf[string](), Tag: `jsonschema:"minLength=1"`},
	})},
	{"a jsonschema tag on an embedded struct", typeOf[struct {
		Embedded `jsonschema:"description=Where."`
	}]()},
	{"a misspelt json option", taggedAs[string](`json:"a,omitemty"`)},
	{"an empty json option", taggedAs[string](`json:"a,"`)},
	{"a quoted json name", typeOf[struct {
		A string `json:"'a'"`
	}]()},
	{"the json option format", typeOf[struct {
		A time.Time `json:"a,format:RFC1123"`
	}]()},
	{"the json option case", typeOf[struct {
		A string `json:"a,case:ignore"`
	}]()},
	{"the json option string for a float", typeOf[struct {
		A float64 `json:"a,string"`
	}]()},
	{"the json option string for a bool", taggedAs[bool](`json:"a,string"`)},
	{"the json option string for a list", taggedAs[[]int8](`json:"a,string"`)},
	{"the json option string for a type with a hook", typeOf[struct {
		A hookedInt `json:"a,string"`
	}]()},
	{"options beside an embedded struct", typeOf[struct {
		Embedded `json:",omitempty"`
	}]()},

	{"a hook that gives another type than the values have", typeOf[struct {
		A int8
		H wrongHook
	}]()},
	{"a hook that gives another type than text", typeOf[wrongTextHook]()},
	{"a hook that returns nil", typeOf[struct{ H nilHook }]()},
	{"a hook that panics", typeOf[struct{ H panicsHook }]()},
	{"a hook that refers outside", typeOf[struct{ H refHook }]()},
	{"a hook with a schema that is none", typeOf[struct{ H falseHook }]()},
	{"a hook that lists what the type does not read", typeOf[struct{ H listsTwo }]()},
	{"a promoted hook beside JSON methods of the type's own", typeOf[ownJSON]()},
	{"an embedded hook that leaves a field out", typeOf[struct{ missingMember }]()},
	{"an embedded hook with a member that is no field", typeOf[struct{ extraMember }]()},
	{"an embedded hook that is no object", typeOf[struct{ noObjectHook }]()},
	{"an embedded hook that says more than members", typeOf[struct{ moreHook }]()},
	{"an extension that refers outside", typeOf[badExtend]()},
	{"a type that is too large written out", typeOf[wide]()},
	{"a pointer to itself", typeOf[endless]()},
	{"a field that is a pointer to itself", typeOf[struct{ P *endless }]()},
	{"a list of pointers to themselves", typeOf[[]endless]()},
	{"a name that says to leave the field out", taggedAs[string](`json:"-,"`)},

	{"a misspelt keyword", taggedAs[string](`jsonschema:"minLenght=1"`)},
	{"a keyword in another case", taggedAs[string](`jsonschema:"minlength=1"`)},
	{"an unknown keyword", taggedAs[string](`jsonschema:"colour=red"`)},
	{"an unknown word", taggedAs[string](`jsonschema:"colour"`)},
	{"a misspelt word", taggedAs[*string](`jsonschema:"nulable"`)},
	{"a keyword without a value", taggedAs[[]string](`jsonschema:"uniqueItems"`)},
	{"a space after a comma", taggedAs[string](`jsonschema:"minLength=1, maxLength=2"`)},
	{"an empty word", taggedAs[string](`jsonschema:"minLength=1,"`)},
	{"a keyword given twice", taggedAs[string](`jsonschema:"minLength=1,minLength=2"`)},
	{"a description given twice", taggedAs[string](`jsonschema:"description=a" jsonschema_description:"b"`)},
	{"an empty description", taggedAs[string](`jsonschema_description:""`)},
	{"a hidden field", taggedAs[string](`jsonschema:"-"`)},
	{"a description cut by a comma", taggedAs[string](`jsonschema:"description=Hello, world,minLength=1"`)},
	{"a pattern cut by a comma", taggedAs[string](`jsonschema:"pattern=^[a-z]{1,3}$"`)},
	{"an enum with commas", taggedAs[string](`jsonschema:"enum=a,b,c"`)},
	{"an unknown extra", taggedAs[string](`jsonschema_extras:"x-order=1"`)},

	{"a tag with one backslash", taggedAs[string]("json:\"f\" jsonschema:\"pattern=^\\d$\"")},
	{"a tag with a space after the colon", taggedAs[string](`json:"f" jsonschema: "minLength=1"`)},
	{"a tag without quotes", taggedAs[string](`jsonschema:minLength=1`)},
	{"a misspelt tag", taggedAs[string](`jsonSchema:"minLength=1" jsonschema_desc:"A text."`)},

	{"a length that is no number", taggedAs[string](`jsonschema:"minLength=one"`)},
	{"a negative length", taggedAs[string](`jsonschema:"minLength=-1"`)},
	{"a minimum that is no number", taggedAs[int](`jsonschema:"minimum=low"`)},
	{"a fraction as the minimum of integers", taggedAs[int](`jsonschema:"minimum=0.5"`)},
	{"a minimum beyond the type", taggedAs[uint8](`jsonschema:"minimum=-1"`)},
	{"a maximum beyond the type", taggedAs[uint8](`jsonschema:"maximum=256"`)},
	{"a huge exponent", taggedAs[float64](`jsonschema:"minimum=1e999999999"`)},
	{"a multiple of zero", taggedAs[int](`jsonschema:"multipleOf=0"`)},
	{"a bool that is none", taggedAs[[]string](`jsonschema:"uniqueItems=yes"`)},
	{"an unknown format", taggedAs[string](`jsonschema:"format=emial"`)},
	{"a format of numbers on a string", taggedAs[string](`jsonschema:"format=int32"`)},
	{"a pattern that is none", taggedAs[string](`jsonschema:"pattern=("`)},
	{"a pattern with lookahead", taggedAs[string](`jsonschema:"pattern=^(?=a)"`)},
	{"a pattern for a type that has one", taggedAs[time.Time](`jsonschema:"pattern=^2"`)},
	{"minLength of a number", taggedAs[int](`jsonschema:"minLength=1"`)},
	{"minimum of a string", taggedAs[string](`jsonschema:"minimum=1"`)},
	{"minItems of a map", taggedAs[map[string]int8](`jsonschema:"minItems=1"`)},
	{"minLength of a list of lists", taggedAs[[][]string](`jsonschema:"minLength=1"`)},
	{"minimum of any", taggedAs[any](`jsonschema:"minimum=1"`)},
	{"minProperties of a type that contains itself", typeOf[struct {
		T tree `jsonschema:"minProperties=1"`
	}]()},
	{"another type", taggedAs[int](`jsonschema:"type=string"`)},
	{"types of a string", taggedAs[string](`jsonschema:"oneof_type=string;integer"`)},
	{"types that are none", taggedAs[any](`jsonschema:"oneof_type=string;int"`)},
	{"a reference", taggedAs[any](`jsonschema:"oneof_ref=#/$defs/a;#/$defs/b"`)},
	{"a default of null", taggedAs[*int](`jsonschema:"nullable,default=null"`)},
	{"a default of null for a text", taggedAs[*string](`jsonschema:"default=null,nullable"`)},
	{"a default of null for an enum", taggedAs[*string](`jsonschema:"nullable,enum=a,enum=b,default=null"`)},
	{"nullable without a pointer", taggedAs[string](`jsonschema:"nullable"`)},
	{"required and omitempty", taggedAs[string](`json:"f,omitempty" jsonschema:"required"`)},
	{"required and a default", taggedAs[string](`jsonschema:"required,default=a"`)},
	{"a group that is always there", taggedAs[string](`jsonschema:"oneof_required=a"`)},
	{"additionalProperties on a field", taggedAs[point](`jsonschema:"additionalProperties=true"`)},
	{"additionalProperties=false", typeOf[struct {
		_ struct{} `jsonschema:"additionalProperties=false"`
		A string
	}]()},
	{"required on a struct", typeOf[struct {
		_ struct{} `jsonschema:"required"`
		A string
	}]()},
	{"limits that leave nothing", taggedAs[string](`jsonschema:"minLength=3,maxLength=2"`)},
	{"limits that leave no number", taggedAs[float64](`jsonschema:"minimum=3,exclusiveMaximum=3"`)},
	{"a default of the wrong kind", taggedAs[int](`jsonschema:"default=many"`)},
	{"a default that is no boolean", taggedAs[bool](`jsonschema:"default=yes"`)},
	{"a default of any that is no JSON", taggedAs[any](`jsonschema:"default=text"`)},
	{"a default that the schema refuses", taggedAs[int](`jsonschema:"minimum=5,default=3"`)},
	{"a default beyond the type", taggedAs[uint8](`jsonschema:"default=256"`)},
	{"a default that misses a member", taggedAs[point](`jsonschema:"default={\"X\":1}"`)},
	{"a default given twice", taggedAs[string](`jsonschema:"default=a,default=b"`)},
	{"an example that the schema refuses", taggedAs[string](`jsonschema:"maxLength=2,example=long"`)},
	{"an enum value beyond the type", taggedAs[uint8](`jsonschema:"enum=1,enum=256"`)},
	{"an enum value given twice", taggedAs[string](`jsonschema:"enum=a,enum=a"`)},
	{"a default that is not listed", taggedAs[string](`jsonschema:"enum=a,enum=b,default=c"`)},
}

// Level is an exported type that is no struct.
type Level int8
