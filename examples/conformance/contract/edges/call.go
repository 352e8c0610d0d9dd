package main

import (
	"context"
	"errors"

	"github.com/kindgi/kindgi-go/pack"
)

type database struct {
	User string `json:"user"`
	Port int    `json:"port"`
}

type limits struct {
	Max int `json:"max"`
}

func addCall(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "edges.call", ReadOnly: true}, readCall)
}

// readCall reads what a call carries beside its input, by the means an author has.
func readCall(ctx context.Context, _ anything) (anything, error) {
	call, ok := pack.CallFromContext(ctx)
	if !ok {
		return nil, errors.New("the handler's context carries no call")
	}
	out := anything{"tenant": call.TenantID, "run": call.RunID, "tool": call.ToolID, "version": call.Version, "trace": call.Trace.TraceID}
	if value, ok := call.Env("API_URL"); ok {
		out["env"] = value
	}
	if value, ok := call.Secret("key"); ok {
		out["secret"] = value
	}
	var db database
	if err := call.DecodeSecret("db", &db); err == nil {
		out["db"] = db
	} else if !errors.Is(err, pack.ErrNotSent) {
		return nil, err
	}
	var l limits
	if err := call.Settings("limits", &l); err == nil {
		out["limits"] = l
	} else if !errors.Is(err, pack.ErrNotSent) {
		return nil, err
	}
	if value, ok := call.Field("newer"); ok {
		out["newer"] = string(value)
	}
	return out, nil
}
