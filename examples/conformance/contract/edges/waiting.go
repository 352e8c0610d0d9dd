package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

type release struct {
	Release string `json:"release" jsonschema:"minLength=1"`
}

func addWaiting(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "edges.stubborn"}, stubborn)
	pack.AddTool(b, pack.Tool{ID: "edges.obedient"}, obedient)
	pack.AddTool(b, pack.Tool{ID: "edges.spin"}, spin)
}

type spinInput struct {
	Ms int `json:"ms" jsonschema:"minimum=0,maximum=60000"`
}

// spin keeps a processor busy and does not care about its context.
func spin(_ context.Context, in spinInput) (text, error) {
	for end := time.Now().Add(time.Duration(in.Ms) * time.Millisecond); time.Now().Before(end); {
	}
	return text{"done"}, nil
}

// stubborn waits for a file and does not care about its context.
func stubborn(_ context.Context, in release) (text, error) {
	fmt.Println("stubborn: " + in.Release)
	for {
		if _, err := os.Stat(in.Release); err == nil {
			return text{"released"}, nil
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// obedient waits for the end of its context and records why it ended.
func obedient(ctx context.Context, in release) (text, error) {
	fmt.Println("obedient: " + in.Release)
	<-ctx.Done()
	if call, ok := pack.CallFromContext(ctx); ok {
		call.Log.Info("context ended", "why", ctx.Err().Error(), "reason", context.Cause(ctx).Error())
	}
	return text{}, context.Cause(ctx)
}
