package storetest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/storetest"
)

// Outside of a test, Check says with an error which rules a store breaks.
func ExampleCheck() {
	err := storetest.Check(context.Background(), &idempotency.Memory{})
	fmt.Println(err)
	// Output: <nil>
}

// The test of a store of one's own, here of Memory.
func ExampleRun() {
	_ = func(t *testing.T) { // func TestStore
		storetest.Run(t, &idempotency.Memory{})
	}
}
