package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

type trackInput struct {
	ID      string `json:"id"`
	Ms      int    `json:"ms" jsonschema:"minimum=0,maximum=10000,default=0"`
	Payload string `json:"payload" jsonschema:"default="`
	Late    bool   `json:"late" jsonschema:"default=false" jsonschema_description:"Whether it goes on when its context has ended."`
	Panic   bool   `json:"panic" jsonschema:"default=false"`
	MiB     int    `json:"mib" jsonschema:"minimum=0,maximum=64,default=0" jsonschema_description:"How much memory it takes meanwhile."`
}

type trackOutput struct {
	ID      string `json:"id"`
	Payload string `json:"payload"`
}

// vitals is what a process that has recovered is told by.
type vitals struct {
	Running    int64  `json:"running"`
	MaxRunning int64  `json:"maxRunning"`
	Goroutines int    `json:"goroutines"`
	HeapBytes  uint64 `json:"heapBytes"`
	Files      int    `json:"files"`
}

// tracker counts the handlers of edges.track that run.
type tracker struct{ running, most atomic.Int64 }

func addTrack(b *pack.Builder) {
	t := new(tracker)
	pack.AddTool(b, pack.Tool{ID: "edges.track"}, t.track)
	pack.AddTool(b, pack.Tool{ID: "edges.vitals"}, t.vitals)
}

// track says on standard output that it ran, waits, and gives back what it was given.
func (t *tracker) track(ctx context.Context, in trackInput) (trackOutput, error) {
	now := t.running.Add(1)
	defer t.running.Add(-1)
	for most := t.most.Load(); now > most && !t.most.CompareAndSwap(most, now); most = t.most.Load() {
	}
	fmt.Println("track: " + in.ID)
	memory := make([]byte, in.MiB<<20)
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i] = 1 // or the system would not give it
	}
	defer runtime.KeepAlive(memory)
	wait := time.After(time.Duration(in.Ms) * time.Millisecond)
	if in.Late {
		<-wait
	} else {
		select {
		case <-wait:
		case <-ctx.Done():
			return trackOutput{}, context.Cause(ctx)
		}
	}
	if in.Panic {
		panic("asked to panic")
	}
	return trackOutput{in.ID, in.Payload}, nil
}

func (t *tracker) vitals(context.Context, anything) (vitals, error) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		files = nil // where there is no /proc, they are not counted
	}
	return vitals{t.running.Load(), t.most.Load(), runtime.NumGoroutine(), m.HeapAlloc, len(files)}, nil
}
