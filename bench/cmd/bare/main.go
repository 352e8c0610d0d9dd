// Command bare serves package bare.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/bare"
)

func main() { peer.Main(bare.New) }
