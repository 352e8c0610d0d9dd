package main

import (
	"context"
	"errors"

	"github.com/invopop/jsonschema"

	"github.com/kindgi/kindgi-go/pack"
)

// brokenOutput promises a text in its schema and holds a number: the kind of lie that a
// service must catch before it answers.
type brokenOutput struct {
	Message int `json:"message"`
}

// JSONSchema replaces the schema that would be derived from the type.
func (brokenOutput) JSONSchema() *jsonschema.Schema {
	properties := jsonschema.NewProperties()
	properties.Set("message", &jsonschema.Schema{Type: "string"})
	return &jsonschema.Schema{
		Type:                 "object",
		Properties:           properties,
		Required:             []string{"message"},
		AdditionalProperties: jsonschema.FalseSchema,
	}
}

func addBroken(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.bad-output",
		Description: "Returns what its output schema refuses.",
		ReadOnly:    true,
	}, badOutput)
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.throws",
		Description: "Always fails.",
		ReadOnly:    true,
	}, throws)
}

func badOutput(context.Context, anything) (brokenOutput, error) {
	return brokenOutput{Message: 42}, nil
}

func throws(context.Context, anything) (anything, error) {
	return nil, errors.New("boom")
}
