package main

import (
	"context"

	"github.com/kindgi/kindgi-go/pack"
)

type echoInput struct {
	Message string `json:"message" jsonschema:"minLength=1"`
}

type echoOutput struct {
	Message string `json:"message"`
}

func addEcho(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.echo",
		Description: "Returns the message it was given.",
		ReadOnly:    true,
	}, echo)
}

func echo(_ context.Context, in echoInput) (echoOutput, error) {
	return echoOutput(in), nil
}
