//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "bench: measuring side by side needs Linux, which lets a process stay on one processor;",
		"the benchmarks run everywhere: go test -bench . ./peer/...")
	os.Exit(1)
}
