package storetest_test

import (
	"context"
	"fmt"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/storetest"
)

// Outside of a test, Check says with an error which rules a store breaks.
func ExampleCheck() {
	err := storetest.Check(context.Background(), &idempotency.Memory{})
	fmt.Println(err)
	// Output: <nil>
}
