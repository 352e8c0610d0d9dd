// Command santhosh serves package santhosh.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/santhosh"
)

func main() { peer.Main(santhosh.New) }
