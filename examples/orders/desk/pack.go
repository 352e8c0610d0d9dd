package desk

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// Pack registers everything the desk offers.
func (d *Desk) Pack() *pack.Builder {
	b := pack.New("acme.orders", "1.0.0")
	b.OptionalEnv("DATABASE_URL", "ORDERS_FILE")
	// Opened before the service listens, so that a wrong database shows at once; the commands
	// that make no call do without. The purge ends with the context, before the desk closes.
	b.OnStart(func(ctx context.Context) (pack.StopFunc, error) {
		if err := d.Open(ctx); err != nil {
			return nil, fmt.Errorf("the order desk's database: %w", err)
		}
		go d.Purge(ctx)
		return func(context.Context) error { return d.Close() }, nil
	})

	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.lookup",
		Description: "Looks an order up by its number, such as A-1001.",
		ReadOnly:    true,
		Effects:     []protocol.Effect{{Kind: protocol.EffectReads, Resource: "orders"}},
	}, d.LookUp)
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.search",
		Description: "Finds a customer's orders, newest first, a page at a time. Pass the answer's next to get the page after it.",
		ReadOnly:    true,
		Effects:     []protocol.Effect{{Kind: protocol.EffectReads, Resource: "orders"}},
	}, d.Search)
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.place",
		Description: "Places an order of one or more lines for a customer and gives its number.",
		Effects:     []protocol.Effect{{Kind: protocol.EffectWrites, Resource: "orders"}},
	}, d.Place)
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.cancel",
		Description: "Cancels an order that has not been shipped.",
		Effects:     []protocol.Effect{{Kind: protocol.EffectWrites, Resource: "orders"}},
	}, d.Cancel)
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.ship",
		Description: "Hands an order to the carrier and gives the parcel's tracking code.",
		Effects: []protocol.Effect{
			{Kind: protocol.EffectWrites, Resource: "orders"},
			{Kind: protocol.EffectExternalSideEffect, Notes: "books a parcel with the carrier"},
		},
		NeedsSpec: &protocol.NeedsSpec{
			Env:     map[string]jsontext.Value{"CARRIER_URL": jsontext.Value(`{"type":"string","format":"uri"}`)},
			Secrets: map[string]jsontext.Value{"CARRIER_KEY": jsontext.Value(`{"type":"string","minLength":8}`)},
		},
	}, d.Ship)
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.report",
		Description: "Adds up all orders of the tenant, by customer. It may take long, and stops when it is cancelled.",
		ReadOnly:    true,
		Effects:     []protocol.Effect{{Kind: protocol.EffectReads, Resource: "orders"}},
	}, d.Report)
	pack.AddHTTPTool[Track, Tracking](b, pack.Tool{
		ID:          "acme.orders.track",
		Description: "Says where a parcel is, by its tracking code.",
		ReadOnly:    true,
		Network:     &protocol.Network{Kind: protocol.NetworkAllowlist, Hosts: []string{"carrier.example.com"}},
	}, protocol.HTTPSpec{
		Method:      "GET",
		URLTemplate: "https://carrier.example.com/parcels/{code}",
		Authorization: &protocol.HTTPAuthorization{
			Kind:      protocol.AuthorizationBearer,
			SecretRef: &protocol.SecretRef{EnvName: "production", Name: "CARRIER_KEY"},
		},
	})

	pack.AddCheck(b, pack.Check{
		ID:          "acme.orders.no-promises",
		CheckID:     "acme.orders.checks.no-promises",
		Name:        "No promised dates",
		OnViolation: pack.Retry,
		MaxAttempts: 2,
		Severity:    pack.SeverityError,
		Config:      NoPromises{Words: []string{"guarantee", "promise"}},
	}, CheckNoPromises)

	b.AddAgent(protocol.Agent{
		ID:           "acme.orders.clerk",
		Version:      "1.0.0",
		Name:         "Order clerk",
		Instructions: protocol.Instructions{Text: "Answer questions about orders, and place or cancel them when the customer asks for it."},
		Tools: []protocol.ToolRef{
			{ID: "acme.orders.lookup", Version: "1.0.0"},
			{ID: "acme.orders.search", Version: "1.0.0"},
			{ID: "acme.orders.place", Version: "1.0.0"},
			{ID: "acme.orders.cancel", Version: "1.0.0"},
		},
		Guardrails: []string{"acme.orders.no-promises"},
	})
	b.AddFlow(protocol.Flow{
		ID:      "acme.orders.ship-order",
		Version: "1.0.0",
		Name:    "Ship an order",
		Nodes: []protocol.Node{
			{ID: "lookup", Kind: protocol.NodeTool, Ref: "acme.orders.lookup"},
			{ID: "ship", Kind: protocol.NodeTool, Ref: "acme.orders.ship"},
		},
		Edges: []protocol.Edge{
			{ID: "begin", From: protocol.Start, To: "lookup"},
			{ID: "found", From: "lookup", To: "ship"},
			{ID: "done", From: "ship", To: protocol.End},
		},
	})
	return b
}
