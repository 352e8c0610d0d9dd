// Package mcp is the same tool on github.com/modelcontextprotocol/go-sdk, over its streamable HTTP transport:
// stateless, and with JSON answers, the fastest it offers.
package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

// Program is this way to answer the call.
var Program = peer.Program{New: New, MCP: true}

// New makes the handler.
func New(tools int) (http.Handler, error) {
	server := mcp.NewServer(&mcp.Implementation{Name: "acme.orders", Version: "1.2.0"}, nil)
	for i := range tools {
		id := order.ToolID
		if i > 0 {
			id += "-" + strconv.Itoa(i)
		}
		mcp.AddTool(server, &mcp.Tool{
			Name:         id,
			InputSchema:  json.RawMessage(order.Schema),
			OutputSchema: json.RawMessage(order.QuoteSchema),
		}, quote)
	}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:           true,
		JSONResponse:        true,
		MaxRequestBodyBytes: 16 << 20,
	}), nil
}

func quote(ctx context.Context, _ *mcp.CallToolRequest, in order.Order) (*mcp.CallToolResult, order.Quote, error) {
	q, err := order.Price(ctx, in)
	return nil, q, err
}
