// Package kindgi is the pack as an author writes it: with every check of the contract, and a record of each call.
package kindgi

import (
	"net/http"
	"os"
	"strconv"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/pack"
)

// Pack is the pack with so many tools, acme.orders.quote among them.
func Pack(tools int) *pack.Builder {
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{ID: order.ToolID, Version: order.ToolVersion, ReadOnly: true,
		Description: "Prices an order."}, order.Price)
	for i := 1; i < tools; i++ {
		pack.AddTool(b, pack.Tool{ID: order.ToolID + "-" + strconv.Itoa(i), Version: order.ToolVersion, ReadOnly: true,
			Description: "Prices an order, as another tool."}, order.Price)
	}
	return b
}

// Program is this way to answer the call.
var Program = peer.Program{New: New}

// New makes the handler. Its records go to a file that is gone when the process ends.
func New(tools int) (http.Handler, error) {
	records, err := os.CreateTemp("", "records")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(records.Name()); err != nil {
		return nil, err
	}
	return Pack(tools).Service(pack.Options{Token: peer.Token, Log: &pack.LogOptions{Output: records}})
}
