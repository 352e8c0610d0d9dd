package order

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Size names the requests.
type Size struct {
	Name  string
	Bytes int  // of the input, or of the whole body
	Whole bool // Bytes counts the whole body
}

// Sizes are the requests measured. The largest is as large as the protocol lets a body be.
var Sizes = []Size{
	{Name: "100B", Bytes: 100},
	{Name: "1KB", Bytes: 1 << 10},
	{Name: "100KB", Bytes: 100 << 10},
	{Name: "10MiB", Bytes: 10 << 20, Whole: true},
}

// Context of every call.
const callContext = `{"tenantId":"tenant-1","runId":"4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13",` +
	`"projectId":"project-7","requestId":"call_0","idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a"}`

// Body gives the body of a pack call of size s.
func Body(s Size) []byte { return wrap(s, packCall) }

// MCPBody gives the same call as a JSON-RPC request of the Model Context Protocol.
func MCPBody(s Size) []byte { return wrap(s, mcpCall) }

// InvalidBody gives a call like the one of 1 KB with five mistakes.
func InvalidBody() []byte { return packCall(invalid()) }

// InvalidMCPBody is InvalidBody for the Model Context Protocol.
func InvalidMCPBody() []byte { return mcpCall(invalid()) }

func packCall(input []byte) []byte {
	return fmt.Appendf(nil, `{"v":2,"kind":"invoke","tool":{"id":%q,"version":%q},"input":%s,"ctx":%s}`,
		ToolID, ToolVersion, input, callContext)
}

func mcpCall(input []byte) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s}}`,
		ToolID, input, callContext)
}

func wrap(s Size, call func([]byte) []byte) []byte {
	n := s.Bytes
	if s.Whole {
		n -= len(call(nil))
	}
	return call(input(n))
}

// input gives an order of exactly n bytes.
func input(n int) []byte {
	o := Order{
		Number:   "A-1001",
		Customer: Customer{ID: "c1", Name: "Ada"},
		Lines:    []Line{line(0)},
	}
	if n < 500 { // the least that is an order; its number fills the rest
		o.Customer, o.Lines[0] = Customer{ID: "c", Name: "A"}, Line{SKU: "s", Quantity: 1, Cents: 9}
		o.Number = strings.Repeat("7", n-len(marshal(o))+len(o.Number))
		return marshal(o)
	}
	o.Currency = "EUR"
	o.Customer = Customer{ID: "c-7f3a", Name: "Zoë Example", Email: "zoe@example.com", VIP: true}
	o.Tags = []string{"web", "gift", "express"}
	for i := 1; i < 8; i++ {
		o.Lines = append(o.Lines, line(i))
	}
	if n > 2000 {
		per := len(marshal(line(1_000_000))) + 1
		for i := 8; i < (n-500)/per; i++ {
			o.Lines = append(o.Lines, line(i))
		}
	}
	return pad(o, n)
}

func invalid() []byte {
	var o map[string]any
	if err := json.Unmarshal(input(1<<10), &o); err != nil {
		panic(err)
	}
	delete(o, "number")
	o["currency"] = "XXX"
	o["colour"] = "red"
	lines := o["lines"].([]any)
	lines[2].(map[string]any)["quantity"] = 0
	lines[7].(map[string]any)["cents"] = "12"
	return marshal(o)
}

func line(i int) Line {
	names := [...]string{"Kettle, 1.7 l", "Blue mug", "Tea towel \"Linen\"", "Spoon", "Jar", "Tray", "Whisk", "Bowl"}
	return Line{SKU: fmt.Sprintf("SKU-%05d", i), Name: names[i%len(names)], Quantity: i%9 + 1, Cents: int64(199 + i%1000*37)}
}

// pad fills the order's note until its JSON has n bytes.
func pad(o Order, n int) []byte {
	short := n - len(marshal(o)) - len(`,"note":""`)
	const note = "Please ring twice, and leave it with the neighbours when nobody opens. "
	o.Note = strings.Repeat(note, short/len(note)+1)[:short]
	return marshal(o)
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
