package main

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/kindgi/kindgi-go/pack"
)

type goroutines struct {
	Count int `json:"count"`
}

func addProcess(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "edges.goroutines"}, func(context.Context, anything) (goroutines, error) {
		return goroutines{runtime.NumGoroutine()}, nil
	})
	pack.AddTool(b, pack.Tool{ID: "edges.environ"}, func(context.Context, anything) (anything, error) {
		names := []string{}
		for _, variable := range os.Environ() {
			name, _, _ := strings.Cut(variable, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		return anything{"names": names}, nil
	})
}
