package main

import (
	"bytes"
	"fmt"

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

// A program is one way to answer the call. Its package is peer/NAME, its command cmd/NAME.
type program struct {
	name string
	what string // for a reader who does not know it
	peer.Program
}

// baseline is the program that all others are measured against.
const baseline = "bare"

// ours is the program this module is for.
const ours = "kindgi"

// programs in the order of the table. The second bare is the first once more: by how much the two differ is
// what the numbers of this run are worth.
var programs = []program{
	{name: baseline, what: "net/http and encoding/json by hand, checks nothing", Program: bare.Program},
	{name: "bare again", what: "the same program once more: the noise", Program: bare.Program},
	{name: "barev2", what: "the same on go-json-experiment/json", Program: barev2.Program},
	{name: "constant", what: "reads the body, answers a constant: the limit", Program: constant.Program},
	{name: ours, what: "this SDK: every check of the contract, a record of each call", Program: kindgi.Program},
	{name: "huma", what: "danielgtaylor/huma v2", Program: huma.Program},
	{name: "gojsonschema", what: "a service on xeipuuv/gojsonschema", Program: gojsonschema.Program},
	{name: "santhosh", what: "a service on santhosh-tekuri/jsonschema v6", Program: santhosh.Program},
	{name: "mcp", what: "modelcontextprotocol/go-sdk, stateless, JSON", Program: mcp.Program},
}

// command is the folder under cmd.
func (p program) command() string {
	if p.name == "bare again" {
		return baseline
	}
	return p.name
}

// message is a whole HTTP request, as it goes over the wire.
func message(p program, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString("POST /v1/invoke HTTP/1.1\r\nHost: localhost\r\n")
	_ = p.Header().Write(&b) // a buffer takes all
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	b.Write(body)
	return b.Bytes()
}
