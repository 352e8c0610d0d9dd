// Command barev2 serves package barev2.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/barev2"
)

func main() { peer.Main(barev2.New) }
