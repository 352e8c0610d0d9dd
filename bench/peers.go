package main

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/bare"
	"github.com/kindgi/kindgi-go/bench/peer/barev2"
	"github.com/kindgi/kindgi-go/bench/peer/constant"
	"github.com/kindgi/kindgi-go/bench/peer/gojsonschema"
	"github.com/kindgi/kindgi-go/bench/peer/huma"
	"github.com/kindgi/kindgi-go/bench/peer/kindgi"
	"github.com/kindgi/kindgi-go/bench/peer/mcp"
	"github.com/kindgi/kindgi-go/bench/peer/santhosh"
)

// A program is one way to answer the call. Its command is cmd/NAME.
type program struct {
	name  string
	what  string // for a reader who does not know it
	new   peer.New
	mcp   bool // it speaks JSON-RPC
	blind bool // it checks nothing
}

// baseline is the program that all others are measured against.
const baseline = "bare"

// ours is the program this module is for.
const ours = "kindgi"

// programs in the order of the table. The second bare is the first once more: by how much the two differ is
// what the numbers of this run are worth.
var programs = []program{
	{name: baseline, what: "net/http and encoding/json by hand, checks nothing", new: bare.New, blind: true},
	{name: "bare again", what: "the same program once more: the noise", new: bare.New, blind: true},
	{name: "barev2", what: "the same on go-json-experiment/json", new: barev2.New, blind: true},
	{name: "constant", what: "reads the body, answers a constant: the limit", new: constant.New, blind: true},
	{name: ours, what: "this SDK: every check of the contract, a record of each call", new: kindgi.New},
	{name: "huma", what: "danielgtaylor/huma v2", new: huma.New},
	{name: "gojsonschema", what: "a service on xeipuuv/gojsonschema", new: gojsonschema.New},
	{name: "santhosh", what: "a service on santhosh-tekuri/jsonschema v6", new: santhosh.New},
	{name: "mcp", what: "modelcontextprotocol/go-sdk, stateless, JSON", new: mcp.New, mcp: true},
}

// command is the folder under cmd.
func (p program) command() string {
	if p.name == "bare again" {
		return baseline
	}
	return p.name
}

func (p program) body(s order.Size) []byte {
	if p.mcp {
		return order.MCPBody(s)
	}
	return order.Body(s)
}

func (p program) invalidBody() []byte {
	if p.mcp {
		return order.InvalidMCPBody()
	}
	return order.InvalidBody()
}

// header is what a runtime sends with a call. Every program gets the same.
func header(p program) http.Header {
	h := http.Header{
		"Content-Type":      {"application/json"},
		"Accept":            {"application/json"},
		"User-Agent":        {"kindgi-runtime/1.0"},
		"Kindgi-Pack-Token": {kindgi.Token},
		"Kindgi-Protocol":   {"2"},
		"Kindgi-Timeout-Ms": {"30000"},
		"Kindgi-Run-Id":     {"4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13"},
		"Kindgi-Request-Id": {"call_0"},
		"Kindgi-Tenant-Id":  {"tenant-1"},
		"Traceparent":       {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},
	}
	if p.mcp {
		h.Set("Accept", "application/json, text/event-stream")
		h.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	return h
}

// message is a whole HTTP request, as it goes over the wire.
func message(p program, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString("POST /v1/invoke HTTP/1.1\r\nHost: localhost\r\n")
	_ = header(p).Write(&b) // a buffer takes all
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	b.Write(body)
	return b.Bytes()
}

// right says whether answer is the quote for an order of size s.
func right(answer []byte, s order.Size) error {
	if !bytes.Contains(answer, []byte(`"cents":`)) || bytes.Contains(answer, []byte(`"isError":true`)) {
		return fmt.Errorf("%s: not a quote: %.300s", s.Name, answer)
	}
	return nil
}
