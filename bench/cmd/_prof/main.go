package main

import (
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"

	"github.com/kindgi/kindgi-go/bench/peer/kindgi"
	"github.com/kindgi/kindgi-go/pack"
)

func main() {
	f, _ := os.Create(os.Getenv("PROF"))
	pprof.StartCPUProfile(f)
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	go func() { <-c; pprof.StopCPUProfile(); f.Close(); os.Exit(0) }()
	pack.Serve(kindgi.Pack(10))
}
