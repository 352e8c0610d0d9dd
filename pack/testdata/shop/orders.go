package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// Query is the input of a lookup.
type Query struct {
	Number string `json:"number" jsonschema:"minLength=1,maxLength=20" jsonschema_description:"The order's number, as on the <receipt> & the parcel."`
	Depth  int    `json:"depth" jsonschema:"minimum=0,maximum=3,default=1"`
}

// Order is an order with its lines.
type Order struct {
	Number string    `json:"number"`
	Placed time.Time `json:"placed"`
	Lines  []Line    `json:"lines"`
	State  string    `json:"state" jsonschema:"enum=open,enum=paid,enum=sent"`
	Parent *Order    `json:"parent,omitempty"`
}

// Line is one article of an order.
type Line struct {
	Article  string  `json:"article"`
	Quantity uint32  `json:"quantity" jsonschema:"minimum=1"`
	Price    float64 `json:"price"`
}

func lookup(_ context.Context, in Query) (Order, error) {
	if in.Number == "0" {
		return Order{}, errors.New("there is no order 0")
	}
	return Order{Number: in.Number, Placed: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), State: "open",
		Lines: []Line{{Article: "pen", Quantity: uint32(in.Depth), Price: 1.5}}}, nil
}

// Refund is the input of a refund.
type Refund struct {
	Number string             `json:"number"`
	Cents  int64              `json:"cents" jsonschema:"exclusiveMinimum=0"`
	Tags   map[string]string  `json:"tags,omitempty"`
	Parts  map[string]float32 `json:"parts,omitempty"`
}

// Seen tells what a call carried, without the values of secrets.
type Seen struct {
	Key     string            `json:"key"`
	Tenant  string            `json:"tenant"`
	Env     map[string]string `json:"env"`
	Secrets map[string]int    `json:"secrets" jsonschema_description:"The length of each secret."`
	Process []string          `json:"process"`
}

func refund(ctx context.Context, _ Refund) (Seen, error) {
	call, _ := pack.CallFromContext(ctx)
	call.Log.Info("refunding", "order", "1")
	seen := Seen{Key: call.IdempotencyKey, Tenant: call.TenantID, Env: call.Context().Env, Secrets: map[string]int{}}
	for _, name := range []string{"pay-key", "other"} {
		if v, ok := call.Secret(name); ok {
			seen.Secrets[name] = len(v)
		}
	}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		seen.Process = append(seen.Process, name)
	}
	slices.Sort(seen.Process)
	return seen, nil
}

// Wait is the input of a tool that is slower than its deadline.
type Wait struct{}

func wait(ctx context.Context, _ Wait) (struct{}, error) {
	<-ctx.Done()
	return struct{}{}, context.Cause(ctx)
}

func addOrders(b *pack.Builder) {
	lookupTool := pack.Tool{
		ID:          "acme.shop.lookup",
		Description: "Looks an order up by its number.\nQuotes \" and back-slashes \\, é, 😀, \u2028 and <tags> are kept as they are.",
		ReadOnly:    true,
		Effects:     []protocol.Effect{{Kind: protocol.EffectReads, Resource: "orders"}},
	}
	for _, version := range []string{"2.1.0", "10.0.0", "2.1.0-rc.1"} {
		lookupTool.Version = version
		pack.AddTool(b, lookupTool, lookup)
	}
	pack.AddTool(b, pack.Tool{
		ID:          "acme.shop.refund",
		Description: "Refunds an order.",
		Effects: []protocol.Effect{
			{Kind: protocol.EffectWrites, Resource: "refunds", Notes: "once per idempotency key"},
			{Kind: protocol.EffectExternalSideEffect},
			{Kind: protocol.EffectNetwork},
		},
		Needs: []protocol.Need{{Name: "payments"}, {Name: "search", Optional: true}},
		NeedsSpec: &protocol.NeedsSpec{
			Env:          map[string]jsontext.Value{"REGION": jsontext.Value(`{"type": "string", "default": "eu", "enum": ["eu", "us"]}`)},
			Secrets:      map[string]jsontext.Value{"pay-key": jsontext.Value(`{"type":"string","minLength":1}`)},
			Config:       map[string]jsontext.Value{"limit": jsontext.Value(`{"type":"number","maximum":1e21}`)},
			Capabilities: []string{"retrieval"},
			Bindings:     []string{"ledger"},
			Connections: map[string]*protocol.Connection{"mail": {As: protocol.ConnectionCompany, Unknown: map[string]jsontext.Value{
				"app": jsontext.Value(`"google"`), "permissions": jsontext.Value(`["gmail.send"]`),
			}}},
		},
		Sandbox: protocol.SandboxContextIsolated,
		Limits:  &protocol.Limits{MemMB: 256, CPUMs: 5000},
		Network: &protocol.Network{Kind: protocol.NetworkAllowlist, Hosts: []string{"pay.example.com"}},
	}, refund)
	pack.AddTool(b, pack.Tool{ID: "acme.shop.wait", Sandbox: protocol.SandboxNone, Network: &protocol.Network{Kind: protocol.NetworkNone}}, wait)
	pack.AddTool(b, pack.Tool{ID: "acme.shop.panic"}, func(context.Context, Wait) (any, error) { panic(fmt.Sprint("no ", "luck")) })
}
