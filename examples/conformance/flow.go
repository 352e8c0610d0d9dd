package main

import (
	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

func addFlow(b *pack.Builder) {
	b.AddFlow(protocol.Flow{
		ID:      "conformance.echo-flow",
		Version: "1.0.0",
		Nodes:   []protocol.Node{{ID: "echo", Kind: protocol.NodeTool, Ref: "conformance.echo"}},
		Edges: []protocol.Edge{
			{ID: "start-echo", From: protocol.Start, To: "echo"},
			{ID: "echo-end", From: "echo", To: protocol.End},
		},
	})
}
