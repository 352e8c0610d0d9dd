// Package soak wears a real pack service down, and looks whether it recovers. It is all
// tests: go test ./internal/soak -soak=10m.
package soak
