package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/kindgi/kindgi-go/pack"
)

func addContext(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.context",
		Description: "Returns the call context as it came.",
		ReadOnly:    true,
	}, callContext)
}

func callContext(ctx context.Context, _ anything) (map[string]json.RawMessage, error) {
	call, ok := pack.CallFromContext(ctx)
	if !ok {
		return nil, errors.New("the handler's context carries no call")
	}
	fields := map[string]json.RawMessage{}
	for _, name := range []string{
		"tenantId", "runId", "requestId", "idempotencyKey", "projectId", "orgId",
		"settings", "env", "secrets", "config",
	} {
		if value, sent := call.Field(name); sent {
			fields[name] = json.RawMessage(value)
		}
	}
	return fields, nil
}
