package protocol_test

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

func ExampleParseRequest() {
	body := []byte(`{"v":2,"kind":"invoke","tool":{"id":"acme.orders.lookup"},` +
		`"input":{"number":"A-1"},"ctx":{"tenantId":"t1","runId":"r1","region":"eu"}}`)
	request, err := protocol.ParseRequest(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch m := request.(type) {
	case *protocol.ToolInvoke:
		region, _ := m.Context.Field("region") // a member this version has no field for
		fmt.Println(m.ToolID, string(m.Input), m.Context.TenantID, string(region))
	case *protocol.CheckInvoke:
		fmt.Println(m.CheckID, string(m.Config))
	}
	// Output: acme.orders.lookup {"number":"A-1"} t1 "eu"
}

// What a request lacks is itself the message that answers it.
func ExampleParseRequest_refused() {
	_, err := protocol.ParseRequest([]byte(`{"v":1}`))
	if refusal, ok := errors.AsType[*protocol.Error](err); ok {
		fmt.Printf("%s\n", refusal.AppendTo(nil))
	}
	// Output: {"v":2,"kind":"error","code":"unknown-protocol-version","message":"Expected protocol v2, got 1"}
}

// A runtime's double, in a test of a pack service, writes requests and reads answers.
func ExampleParseResponse() {
	request := protocol.ToolInvoke{
		ToolID:  "acme.orders.lookup",
		Input:   jsontext.Value(`{"number":"A-1"}`),
		Context: protocol.CallContext{TenantID: "t1", RunID: "r1"},
	}
	fmt.Printf("%s\n", request.AppendTo(nil))

	answer := protocol.AppendToolResult(nil, jsontext.Value(`{"total":12}`))
	response, err := protocol.ParseResponse(answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch m := response.(type) {
	case *protocol.ToolResult:
		fmt.Println("output", string(m.Output))
	case *protocol.CheckResult:
		fmt.Println("passed", m.Passed)
	case *protocol.Error:
		fmt.Println("failed", m.Code)
	}
	// Output:
	// {"v":2,"kind":"invoke","tool":{"id":"acme.orders.lookup"},"input":{"number":"A-1"},"ctx":{"tenantId":"t1","runId":"r1"}}
	// output {"total":12}
}
