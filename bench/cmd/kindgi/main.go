// Command kindgi serves the pack of package kindgi, as any pack does.
package main

import (
	"fmt"
	"os"

	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/kindgi"
	"github.com/kindgi/kindgi-go/pack"
)

func main() {
	tools, err := peer.Tools()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	pack.Serve(kindgi.Pack(tools))
}
