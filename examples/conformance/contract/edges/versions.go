package main

import (
	"context"

	"github.com/kindgi/kindgi-go/pack"
)

// addVersions registers one tool three times, not in order.
func addVersions(b *pack.Builder) {
	for _, version := range []string{"2.0.0", "10.0.0", "1.0.0"} {
		pack.AddTool(b, pack.Tool{ID: "edges.versioned", Version: version},
			func(context.Context, anything) (text, error) { return text{version}, nil })
	}
}
