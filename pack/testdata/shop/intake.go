package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

func addIntake(b *pack.Builder) {
	b.AddFlow(protocol.Flow{
		ID: "acme.shop.intake", Name: "Intake", Description: "Looks an order up and has the clerk answer.", MaxParallelism: 2,
		Nodes: []protocol.Node{
			{ID: "find", Kind: protocol.NodeTool, Ref: "acme.shop.lookup", Unknown: map[string]jsontext.Value{"input": jsontext.Value(`{"number":"{{ order }}"}`)}},
			{ID: "answer", Kind: protocol.NodeAgent, Ref: "acme.shop.clerk"},
			{ID: "mail", Kind: protocol.NodeTool, Ref: "other.mail.send"},
			{ID: "which", Kind: "branch"},
		},
		Edges: []protocol.Edge{
			{ID: "start", From: protocol.Start, To: "find"},
			{ID: "found", From: "find", To: "which"},
			{ID: "by-clerk", From: "which", To: "answer", Unknown: map[string]jsontext.Value{"when": jsontext.Value(`"open"`)}},
			{ID: "by-mail", From: "which", To: "mail"},
			{ID: "answered", From: "answer", To: protocol.End},
			{ID: "mailed", From: "mail", To: protocol.End},
		},
		Metadata: jsontext.Value(`{"owner":"shop","since":20260131}`),
		Output:   jsontext.Value(`{"from":"answer"}`),
	})
}
