// Pack is what the soak wears down: its handlers panic, sleep past their deadlines, print
// and allocate, and note in a file which calls ran.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

type call struct {
	ID  string `json:"id" jsonschema:"minLength=1"`
	Pad string `json:"pad,omitempty"`
	N   int    `json:"n,omitempty" jsonschema:"minimum=0,maximum=10000000"`
}

type answer struct {
	ID  string `json:"id"`
	Pad string `json:"pad,omitempty"`
}

type stats struct {
	Goroutines int    `json:"goroutines"`
	Files      int    `json:"files"`
	Heap       uint64 `json:"heap"`
	MostAtOnce int64  `json:"mostAtOnce"`
}

// desk counts handlers that run.
type desk struct {
	ran        *os.File
	running    atomic.Int64
	mostAtOnce atomic.Int64
}

// counted makes a handler that is counted, and noted, while it runs.
func (d *desk) counted(f func(context.Context, call)) func(context.Context, call) (answer, error) {
	return func(ctx context.Context, in call) (answer, error) {
		n := d.running.Add(1)
		defer d.running.Add(-1)
		for most := d.mostAtOnce.Load(); n > most && !d.mostAtOnce.CompareAndSwap(most, n); most = d.mostAtOnce.Load() {
		}
		if _, err := fmt.Fprintln(d.ran, in.ID); err != nil {
			return answer{}, err
		}
		f(ctx, in)
		return answer{in.ID, in.Pad}, nil
	}
}

func (d *desk) stats(context.Context, struct{}) (stats, error) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := os.ReadDir("/proc/self/fd")
	return stats{runtime.NumGoroutine(), len(files), m.HeapAlloc, d.mostAtOnce.Load()}, err
}

func main() {
	ran, err := os.OpenFile(os.Getenv("SOAK_RAN"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	d := &desk{ran: ran}
	b := pack.New("soak", "1.0.0")
	b.RequireEnv("SOAK_RAN")
	pack.AddTool(b, pack.Tool{ID: "soak.echo"}, d.counted(func(context.Context, call) {}))
	pack.AddTool(b, pack.Tool{ID: "soak.panic"}, d.counted(func(_ context.Context, in call) { panic(in.ID) }))
	pack.AddTool(b, pack.Tool{ID: "soak.exit"}, d.counted(func(context.Context, call) { runtime.Goexit() }))
	pack.AddTool(b, pack.Tool{ID: "soak.late"}, d.counted(func(_ context.Context, in call) { time.Sleep(time.Duration(in.N) * time.Millisecond) }))
	pack.AddTool(b, pack.Tool{ID: "soak.wait"}, d.counted(func(ctx context.Context, _ call) { <-ctx.Done() }))
	pack.AddTool(b, pack.Tool{ID: "soak.print"}, d.counted(func(_ context.Context, in call) {
		fmt.Println(strings.Repeat("out ", 100), in.ID)
		fmt.Fprintln(os.Stderr, strings.Repeat("err ", 100), in.ID)
	}))
	pack.AddTool(b, pack.Tool{ID: "soak.allocate"}, d.counted(func(_ context.Context, in call) {
		for waste := make([]byte, in.N); len(waste) > 0; waste = waste[len(waste)/2+1:] {
			waste[0] = 1
		}
	}))
	pack.AddTool(b, pack.Tool{ID: "soak.stats"}, d.stats)
	pack.Serve(b)
}
