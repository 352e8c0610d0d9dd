package inprocess

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"testing"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

// few is how many tools a program has, where nothing else is said.
const few = 10

func handler(tb testing.TB, p peer.Program, tools int) http.Handler {
	tb.Helper()
	h, err := p.New(tools)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// Answers tests that a program answers the call, of every size, and refuses the invalid one unless it is
// blind.
func Answers(t *testing.T, p peer.Program) {
	h := handler(t, p, few)
	for _, s := range order.Sizes {
		c := newCaller(t.Context(), h, p, p.Body(s))
		c.call()
		if c.writer.status > http.StatusOK {
			t.Fatalf("%s: status %d: %.300s", s.Name, c.writer.status, c.writer.answer)
		}
		if err := peer.Right(c.writer.answer, s); err != nil {
			t.Error(err)
		}
	}
	if p.Blind {
		return
	}
	c := newCaller(t.Context(), h, p, p.InvalidBody())
	c.call()
	if bytes.Contains(c.writer.answer, []byte(`"pieces":`)) {
		t.Errorf("an invalid call is answered: %s", c.writer.answer)
	}
	t.Logf("%d %s", c.writer.status, c.writer.answer)
}

// Benchmark measures a program: Call/SIZE, Cores, and unless it is blind Invalid and Tools/COUNT.
func Benchmark(b *testing.B, p peer.Program) {
	b.Run("Call", func(b *testing.B) { call(b, p) })
	b.Run("Cores", func(b *testing.B) { cores(b, p) })
	if !p.Blind {
		b.Run("Invalid", func(b *testing.B) { invalid(b, p) })
		b.Run("Tools", func(b *testing.B) { tools(b, p) })
	}
}

// call is the usual call, of every size.
func call(b *testing.B, p peer.Program) {
	for _, s := range order.Sizes {
		b.Run(s.Name, func(b *testing.B) {
			c := newCaller(b.Context(), handler(b, p, few), p, p.Body(s))
			b.SetBytes(int64(len(c.bytes)))
			benchmark(b, c)
		})
	}
}

// benchmark reports processor time too, which other programs on the machine disturb less.
func benchmark(b *testing.B, c *caller) {
	c.call()
	b.ReportAllocs()
	from := processTime()
	for b.Loop() {
		c.call()
	}
	b.ReportMetric(float64(processTime()-from)/float64(b.N), "cpu-ns/op")
}

// invalid is a call of 1 KB with five mistakes; the answer lists them.
func invalid(b *testing.B, p peer.Program) {
	benchmark(b, newCaller(b.Context(), handler(b, p, few), p, p.InvalidBody()))
}

// tools is the usual call to a program with few tools and with many.
func tools(b *testing.B, p peer.Program) {
	for _, n := range []int{few, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			benchmark(b, newCaller(b.Context(), handler(b, p, n), p, p.Body(order.Sizes[1])))
		})
	}
}

// cores calls from as many goroutines as GOMAXPROCS says; run it with -cpu 1,2,4.
func cores(b *testing.B, p peer.Program) {
	h := handler(b, p, few)
	b.RunParallel(func(pb *testing.PB) {
		c := newCaller(context.Background(), h, p, p.Body(order.Sizes[1]))
		for pb.Next() {
			c.call()
		}
	})
}
