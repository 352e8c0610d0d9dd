package packtest

import (
	"cmp"
	"context"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// Context gives a context that carries a call, for a test that calls a handler itself. An
// empty TenantID or RunID becomes "test". The call's records are discarded. It has no input, so
// that [pack.Once] cannot see a key that comes again with another one: [Call] shows that.
func Context(c protocol.CallContext) context.Context {
	return pack.WithCall(context.Background(), pack.NewCall(withIDs(c)))
}

func withIDs(c protocol.CallContext) protocol.CallContext {
	c.TenantID = cmp.Or(c.TenantID, "test")
	c.RunID = cmp.Or(c.RunID, "test")
	return c
}
