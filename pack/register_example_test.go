package pack_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// A pack's main function. Serve does not return.
func ExampleServe() {
	b := pack.New("acme.orders", "1.2.0")
	b.RequireEnv("ORDERS_DATABASE")
	pack.AddTool(b, pack.Tool{ID: "acme.orders.lookup", ReadOnly: true}, lookUpOrder)
	pack.Serve(b)
}

// Two versions of a tool side by side: a call names the one it wants.
func ExampleAddTool() {
	type search struct {
		Text  string `json:"text" jsonschema:"minLength=3"`
		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=20"`
	}
	find := func(_ context.Context, in search) ([]Order, error) {
		return make([]Order, 0, in.Limit), nil // the default is filled in already
	}
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.search",
		Description: "Finds orders by a text in them.",
		ReadOnly:    true,
	}, find)
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.search",
		Version:     "2.0.0-rc.1",
		Description: "Finds orders by a text in them, in any language.",
		ReadOnly:    true,
	}, find)
	tools, err := b.Tools()
	if err != nil {
		fmt.Println(err)
		return
	}
	for t := range tools {
		fmt.Println(t.ID, t.Version, t.In)
	}
	// Output:
	// acme.orders.search 1.2.0 pack_test.search
	// acme.orders.search 2.0.0-rc.1 pack_test.search
}

// The runtime makes the request; the pack brings the schemas and the manifest.
func ExampleAddHTTPTool() {
	type parcel struct {
		Place string `json:"place"`
	}
	b := pack.New("acme.orders", "1.2.0")
	pack.AddHTTPTool[Lookup, parcel](b, pack.Tool{
		ID:          "acme.orders.track",
		Description: "Tells where an order's parcel is.",
		ReadOnly:    true,
	}, protocol.HTTPSpec{Method: "GET", URLTemplate: "https://parcels.example.com/{nmuber}"})
	_, err := b.Index(pack.Pins{})
	_, problem, _ := strings.Cut(err.Error(), ": ") // without its file and line
	fmt.Println(problem)
	// Output: tool acme.orders.track: URLTemplate has {nmuber}, which is no field of the input (did you mean "number"?); its fields are number
}

// A test that makes a call by hand. Context of package packtest does it in one step.
func ExampleWithCall() {
	call := pack.NewCall(protocol.CallContext{TenantID: "acme", RunID: "r1", IdempotencyKey: onceKey})
	ctx, cancel := context.WithTimeout(pack.WithCall(context.Background(), call), time.Minute)
	defer cancel()
	got, ok := pack.CallFromContext(ctx)
	fmt.Println(got.TenantID, got.RunID, ok)
	// Output: acme r1 true
}
