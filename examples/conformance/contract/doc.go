// Package contract holds the black-box tests of the pack contract: they build the
// conformance pack's binary, start it as a runtime's supervisor would, and drive it
// through every rule with real arguments, environments, sockets and signals. Nothing in
// them reaches into the SDK, so they would test any other implementation as well.
//
// One of them is a soak: go test -run Soak -soak=10m loads a service for ten minutes.
//
// The pack in the edges folder does what the conformance pack's handlers do not: it
// returns what JSON cannot hold, panics, and outlives its deadlines.
package contract
