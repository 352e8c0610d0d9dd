// Edges is a pack for the contract tests: its handlers do what the conformance pack's do
// not. They return values that JSON cannot hold, panic, and outlive their deadlines.
package main

import "github.com/kindgi/kindgi-go/pack"

func edges() *pack.Builder {
	b := pack.New("edges", "1.0.0")
	b.RequireEnv("EDGES_REQUIRED")
	b.OptionalEnv("EDGES_OPTIONAL")
	addValues(b)
	addFailures(b)
	addVersions(b)
	addWaiting(b)
	addCall(b)
	addTrack(b)
	addRecords(b)
	addProcess(b)
	return b
}

func main() { pack.Serve(edges()) }

// anything is any JSON object.
type anything = map[string]any
