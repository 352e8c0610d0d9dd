package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/kindgi/kindgi-go/pack"
)

type noisyOutput struct {
	OK bool `json:"ok"`
}

func addProcess(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.noisy",
		Description: "Prints on standard output and standard error.",
		ReadOnly:    true,
	}, noisy)
	pack.AddTool(b, pack.Tool{
		ID:          "conformance.process-env",
		Description: "Lists the names in its process environment.",
		ReadOnly:    true,
	}, processEnv)
}

func noisy(context.Context, anything) (noisyOutput, error) {
	fmt.Println("noisy: a line on stdout")
	fmt.Println(`{"v":2,"kind":"result","output":{"ok":false}}`)
	fmt.Fprintln(os.Stderr, "noisy: a line on stderr")
	return noisyOutput{OK: true}, nil
}

func processEnv(context.Context, anything) (anything, error) {
	names := []string{}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	return anything{"names": names}, nil
}
