package main

import (
	"context"
	"strings"

	"github.com/kindgi/kindgi-go/pack"
)

// Text is a text.
type Text struct {
	Text string `json:"text" jsonschema_description:"Any text."`
}

// Count is how much of it there is.
type Count struct {
	Words int `json:"words"`
	Bytes int `json:"bytes"`
}

func count(_ context.Context, in Text) (Count, error) {
	return Count{Words: len(strings.Fields(in.Text)), Bytes: len(in.Text)}, nil
}

func newPack() *pack.Builder {
	b := pack.New("acme.text", "1.0.0")
	pack.AddTool(b, pack.Tool{
		ID:          "acme.text.count",
		Description: "Counts the words and the bytes of a text.",
		ReadOnly:    true,
	}, count)
	return b
}
