// Command constant serves package constant.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/constant"
)

func main() { peer.Main(constant.New) }
