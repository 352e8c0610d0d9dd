package main

import (
	"context"

	"github.com/kindgi/kindgi-go/pack"
)

type defaultsInput struct {
	Name     string         `json:"name"`
	Greeting string         `json:"greeting" jsonschema:"default=Hello"`
	Options  defaultOptions `json:"options" jsonschema:"default={}"`
}

type defaultOptions struct {
	Loud bool `json:"loud" jsonschema:"default=false"`
}

func addDefaults(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.defaults",
		Description: "Returns its input with every default filled in.",
		ReadOnly:    true,
	}, defaults)
}

func defaults(_ context.Context, in defaultsInput) (anything, error) {
	return anything{
		"name":     in.Name,
		"greeting": in.Greeting,
		"options":  in.Options,
	}, nil
}
