// Command mcp serves package mcp.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/mcp"
)

func main() { peer.Main(mcp.New) }
