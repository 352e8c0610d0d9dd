package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

func addClerk(b *pack.Builder) {
	b.AddAgent(protocol.Agent{
		ID: "acme.shop.clerk", Name: "Clerk", Description: "Answers questions about orders.", Tags: []string{"desk", "é"},
		Instructions:       protocol.Instructions{Text: "Be brief.\n\tUse the tools."},
		Capabilities:       []string{"orders", "refunds"},
		Tools:              []protocol.ToolRef{{ID: "acme.shop.refund", Version: "2.1.0"}, {ID: "acme.shop.lookup", Version: "10.0.0"}, {ID: "other.mail.send", Version: "0.3.0"}},
		Guardrails:         []string{"acme.shop.words", "acme.shop.polite"},
		PreferredProvider:  "anyone",
		PreferredModel:     "large",
		Settings:           jsontext.Value(`["tone"]`),
		ModelSettings:      jsontext.Value(`{"temperature":0.20,"topP":1.0,"tiny":1e-7,"big":1E21,"minus":-0}`),
		Retrieval:          jsontext.Value(`{"topK":5}`),
		Budget:             jsontext.Value(`{"usd":1.50}`),
		Parameters:         jsontext.Value(`{"type":"object","properties":{}}`),
		ConversationPolicy: jsontext.Value(`{"turns":20}`),
		Output:             jsontext.Value(`{"type":"string"}`),
		ToolErrors:         jsontext.Value(`"report"`),
		Unknown:            map[string]jsontext.Value{"😀": jsontext.Value(`1`), "\uffff": jsontext.Value(`2`)},
	})
	b.AddAgent(protocol.Agent{
		ID: "acme.shop.auditor", Version: "0.1.0", Name: "Auditor", ModulePath: "agents/auditor.md",
		Instructions: protocol.Instructions{Prompt: "audit", Version: "3"},
	})
}
