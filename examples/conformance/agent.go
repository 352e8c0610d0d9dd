package main

import (
	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

func addAgent(b *pack.Builder) {
	b.AddAgent(protocol.Agent{
		ID:           "conformance.echo-agent",
		Version:      "1.0.0",
		Name:         "Echo agent",
		Instructions: protocol.Instructions{Text: "Repeat what you are told with the echo tool."},
		Tools:        []protocol.ToolRef{{ID: "conformance.echo", Version: "1.0.0"}},
		Guardrails:   []string{"conformance.min-length"},
	})
}
