// Conformance is the pack that every implementation of the pack protocol ships, so that
// one suite can test them all from outside: each tool shows one property of a pack
// service. The tests in the contract folder drive its binary.
package main

import "github.com/kindgi/kindgi-go/pack"

// conformance is the whole pack. Each file registers the concept it is named after, which
// gives each its own module in the pack's index.
func conformance() *pack.Builder {
	b := pack.New("conformance", "1.0.0")
	addEcho(b)
	addBroken(b)
	addWaiting(b)
	addContext(b)
	addDefaults(b)
	addProcess(b)
	addChecks(b)
	addAgent(b)
	addFlow(b)
	return b
}

func main() { pack.Serve(conformance()) }
