package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

type sleepInput struct {
	Ms int64 `json:"ms" jsonschema:"minimum=0"`
}

type sleepOutput struct {
	Slept int64 `json:"slept"`
}

type holdInput struct {
	Release string `json:"release" jsonschema:"minLength=1" jsonschema_description:"The path of a file; the call ends when it exists."`
}

type holdOutput struct {
	Released bool `json:"released"`
}

func addWaiting(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.sleep",
		Description: "Waits for a number of milliseconds.",
		ReadOnly:    true,
	}, sleep)
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.hold",
		Description: "Waits until a file exists.",
		ReadOnly:    true,
	}, hold)
}

func sleep(ctx context.Context, in sleepInput) (sleepOutput, error) {
	// Beyond what a Duration holds, 292 years, the call's deadline comes first.
	timer := time.NewTimer(time.Duration(min(in.Ms, int64(1<<63-1)/int64(time.Millisecond))) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return sleepOutput{Slept: in.Ms}, nil
	case <-ctx.Done():
		return sleepOutput{}, context.Cause(ctx)
	}
}

func hold(ctx context.Context, in holdInput) (holdOutput, error) {
	fmt.Println("hold: " + in.Release)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		switch _, err := os.Stat(in.Release); {
		case err == nil:
			return holdOutput{Released: true}, nil
		case !errors.Is(err, fs.ErrNotExist):
			return holdOutput{}, err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return holdOutput{}, context.Cause(ctx)
		}
	}
}
