package protocol_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// A check reads the run it is given and returns its verdict.
func ExampleRunTrace() {
	document := []byte(`{"runId":"r1","tenantId":"t1","output":" ","toolCalls":[{"toolId":"acme.orders.lookup",` +
		`"toolName":"lookup","arguments":{"number":"A-1"},"at":"2026-01-02T03:04:05.678Z"}],"mode":"runtime","region":"eu"}`)
	var trace protocol.RunTrace
	if err := json.Unmarshal(document, &trace); err != nil {
		fmt.Println(err)
		return
	}
	at, _ := trace.ToolCalls[0].At.Time()
	fmt.Println(trace.ToolCalls[0].ToolID, at.Year(), string(trace.Unknown["region"]))

	verdict := protocol.CheckResult{Passed: strings.TrimSpace(trace.Output) != ""}
	if !verdict.Passed {
		verdict.Reason = "the answer is empty"
	}
	b, err := json.Marshal(verdict)
	fmt.Println(string(b), err)
	// Output:
	// acme.orders.lookup 2026 "eu"
	// {"passed":false,"reason":"the answer is empty"} <nil>
}

// A verdict is open: a runtime passes on what the check adds.
func ExampleCheckResult() {
	verdict := protocol.CheckResult{
		Passed:  true,
		Unknown: map[string]jsontext.Value{"score": jsontext.Value("0.93")},
	}
	b, err := json.Marshal(verdict)
	fmt.Println(string(b), err)
	// Output: {"passed":true,"score":0.93} <nil>
}
