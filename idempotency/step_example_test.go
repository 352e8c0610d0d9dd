package idempotency_test

import (
	"fmt"

	"github.com/kindgi/kindgi-go/idempotency"
)

func ExampleStep_Key() {
	step := idempotency.Step{
		RunID:  "4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13",
		Scope:  "agent-loop#2/dispatch-tools",
		ToolID: "acme.refunds.issue",
		CallID: "call_0",
	}
	key, err := step.Key()
	fmt.Println(key, err)
	// Output: bf055463-2cce-5e82-b31a-43d7698db52e <nil>
}

func ExampleParseKey() {
	key, err := idempotency.ParseKey("F6C8A374-B63C-5453-8320-1CA9C067447A")
	fmt.Println(key, err)

	_, err = idempotency.ParseKey("f6c8a374-b63c-4453-8320-1ca9c067447a")
	fmt.Println(err)
	// Output:
	// f6c8a374-b63c-5453-8320-1ca9c067447a <nil>
	// idempotency: not an idempotency key: it is a UUID of version 4, not 5
}
