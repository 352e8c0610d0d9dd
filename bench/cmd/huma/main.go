// Command huma serves package huma.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/huma"
)

func main() { peer.Main(huma.New) }
