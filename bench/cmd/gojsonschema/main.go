// Command gojsonschema serves package gojsonschema.
package main

import (
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/gojsonschema"
)

func main() { peer.Main(gojsonschema.New) }
