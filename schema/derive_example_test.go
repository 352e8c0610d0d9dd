package schema_test

import (
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"

	"github.com/kindgi/kindgi-go/schema"
)

func ExampleFor() {
	type Search struct {
		Query string     `json:"query" jsonschema:"minLength=1" jsonschema_description:"What to look for."`
		Limit uint8      `json:"limit" jsonschema:"minimum=1,default=10"`
		Since *time.Time `json:"since,omitempty"`
	}
	s, err := schema.For[Search]()
	if err != nil {
		log.Fatal(err)
	}
	document := jsontext.Value(s.JSON())
	if err := document.Indent(jsontext.WithIndent("  ")); err != nil {
		log.Fatal(err)
	}
	fmt.Println(document)
	// Output:
	// {
	//   "additionalProperties": false,
	//   "properties": {
	//     "limit": {
	//       "default": 10,
	//       "maximum": 255,
	//       "minimum": 1,
	//       "type": "integer"
	//     },
	//     "query": {
	//       "description": "What to look for.",
	//       "minLength": 1,
	//       "type": "string"
	//     },
	//     "since": {
	//       "format": "date-time",
	//       "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$",
	//       "type": "string"
	//     }
	//   },
	//   "required": [
	//     "query"
	//   ],
	//   "type": "object"
	// }
}

// Every problem of a type is reported at once, each with what to write instead.
func ExampleFor_refused() {
	type Options struct {
		Name   string    `json:"name" jsonschema:"minLenght=1"`
		Colour string    `json:"colour" jsonschema:"enum=red,green"`
		Notify chan bool `json:"notify"`
	}
	_, err := schema.For[Options]()
	fmt.Println(err)
	refused, _ := errors.AsType[*schema.TypeError](err)
	fmt.Println(refused.Path, "-", refused.Advice)
	// Output:
	// schema_test.Options: field Name: the jsonschema tag has the unknown keyword "minLenght"; write minLength=1
	// schema_test.Options: field Colour: the jsonschema tag gives enum several values at once; write enum=red,enum=green
	// schema_test.Options: field Notify: chan bool has no form in JSON, which has no channels; leave the field out with the tag json:"-", or use a type that JSON has
	// Name - write minLength=1
}

// Percent is written as a number from 0 to 100.
type Percent struct{ fraction float64 }

func (p Percent) MarshalJSON() ([]byte, error) { return schema.Marshal(p.fraction * 100) }

func (p *Percent) UnmarshalJSON(b []byte) error {
	var n float64
	err := schema.Unmarshal(b, &n)
	p.fraction = n / 100
	return err
}

func (Percent) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "number", Minimum: "0", Maximum: "100"}
}

// A type with JSON methods of its own says what they write.
func ExampleFor_hook() {
	type Discount struct {
		Rate Percent `json:"rate" jsonschema_description:"How much less to pay."`
	}
	s, err := schema.For[Discount]()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(s.JSON()))
	// Output: {"additionalProperties":false,"properties":{"rate":{"description":"How much less to pay.","maximum":100,"minimum":0,"type":"number"}},"required":["rate"],"type":"object"}
}

func ExampleMarshal() {
	type Answer struct {
		Lines  []string          `json:"lines"`
		Labels map[string]string `json:"labels"`
		Took   time.Duration     `json:"took"`
		Note   string            `json:"note,omitempty"`
	}
	b, err := schema.Marshal(Answer{Took: time.Millisecond})
	fmt.Println(string(b), err)
	// Output: {"lines":[],"labels":{},"took":1000000} <nil>
}

func ExampleUnmarshal() {
	var in struct {
		Count int `json:"count"`
		Any   any `json:"any"`
	}
	err := schema.Unmarshal([]byte(`{"count": 1e3, "COUNT": 5, "any": 9007199254740993}`), &in)
	fmt.Printf("%d %v %T %v\n", in.Count, in.Any, in.Any, err)
	err = schema.Unmarshal([]byte(`{"count": "many"}`), &in)
	fmt.Println(err)
	// Output:
	// 1000 9007199254740993 json.Number <nil>
	// /count: must be integer
}

// Booking is the input of a tool. It checks what its schema cannot say.
type Booking struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	Room string    `json:"room"`
}

// Validate reports every problem, each at its place.
func (b Booking) Validate() error {
	var problems []error
	if !b.To.After(b.From) {
		problems = append(problems, &schema.FieldError{Path: "/to", Message: "must be after from"})
	}
	if b.Room == "attic" {
		problems = append(problems, &schema.FieldError{Path: "/room", Message: "must not be the attic"})
	}
	return errors.Join(problems...)
}

func ExampleIssues() {
	err := Booking{Room: "attic"}.Validate()
	for _, issue := range schema.Issues(err) {
		fmt.Printf("%s %s\n", issue.InstancePath, issue.Message)
	}
	// Output:
	// /to must be after from
	// /room must not be the attic
}
