package pack_test

import (
	"context"
	"fmt"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// A warning does not keep a pack from serving. A test that wants none looks for them.
func ExampleBuilder_Warnings() {
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{
		ID:      "acme.orders.lookup",
		Effects: []protocol.Effect{{Kind: protocol.EffectReads}},
	}, func(context.Context, struct{}) (string, error) { return "", nil })
	for _, w := range b.Warnings() {
		fmt.Println(w.Err)
	}
	// Output:
	// tool acme.orders.lookup: its effects only read, but it is not ReadOnly, so a runtime may ask a person before its first use; set ReadOnly: true
}
