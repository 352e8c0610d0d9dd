// Hello is the smallest pack: one tool, served by one binary.
//
//	KINDGI_PACK_SERVICE_TOKEN=secret go run ./examples/hello
package main

import (
	"context"

	"github.com/kindgi/kindgi-go/pack"
)

// Person is the tool's input. Its schema, which a model reads and the service enforces,
// is derived from this type.
type Person struct {
	Name string `json:"name" jsonschema:"minLength=1" jsonschema_description:"Whom to greet."`
}

// Greeting is the tool's output.
type Greeting struct {
	Text string `json:"text"`
}

func greet(_ context.Context, p Person) (Greeting, error) {
	return Greeting{Text: "Hello, " + p.Name + "!"}, nil
}

func hello() *pack.Builder {
	b := pack.New("hello", "1.0.0")
	pack.AddTool(b, pack.Tool{
		ID:          "hello.greet",
		Description: "Greets a person by name.",
		ReadOnly:    true,
	}, greet)
	return b
}

func main() { pack.Serve(hello()) }
