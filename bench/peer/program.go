package peer

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/kindgi/kindgi-go/bench/order"
)

// Token is what callers send. Only ours looks at it.
const Token = "bench-token-0123456789abcdef"

// New makes the handler of a program with so many tools, acme.orders.quote among them.
type New func(tools int) (http.Handler, error)

// Program is one way to answer the call.
type Program struct {
	New   New
	MCP   bool // it speaks JSON-RPC
	Blind bool // it checks nothing
}

// Body is the call of size s.
func (p Program) Body(s order.Size) []byte {
	if p.MCP {
		return order.MCPBody(s)
	}
	return order.Body(s)
}

// InvalidBody is a call of 1 KB with five mistakes.
func (p Program) InvalidBody() []byte {
	if p.MCP {
		return order.InvalidMCPBody()
	}
	return order.InvalidBody()
}

// Header is what a runtime sends with a call. Every program gets the same.
func (p Program) Header() http.Header {
	h := http.Header{
		"Content-Type":      {"application/json"},
		"Accept":            {"application/json"},
		"User-Agent":        {"kindgi-runtime/1.0"},
		"Kindgi-Pack-Token": {Token},
		"Kindgi-Protocol":   {"2"},
		"Kindgi-Timeout-Ms": {"30000"},
		"Kindgi-Run-Id":     {"4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13"},
		"Kindgi-Request-Id": {"call_0"},
		"Kindgi-Tenant-Id":  {"tenant-1"},
		"Traceparent":       {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},
	}
	if p.MCP {
		h.Set("Accept", "application/json, text/event-stream")
		h.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	return h
}

// Right says whether answer is the quote for an order of size s.
func Right(answer []byte, s order.Size) error {
	if !bytes.Contains(answer, []byte(`"cents":`)) || bytes.Contains(answer, []byte(`"isError":true`)) {
		return fmt.Errorf("%s: not a quote: %.300s", s.Name, answer)
	}
	return nil
}
