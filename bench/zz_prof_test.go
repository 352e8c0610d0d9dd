package main

import (
	"fmt"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/bench/order"
)

func TestZZLoad(t *testing.T) {
	addr := os.Getenv("ADDR")
	if addr == "" {
		t.Skip()
	}
	size := order.Sizes[1]
	for _, s := range order.Sizes {
		if s.Name == os.Getenv("SIZE") {
			size = s
		}
	}
	p := programs[0]
	l := load{addr: netip.MustParseAddrPort(addr), message: message(p, p.body(size)), connections: connections(size), warm: 300 * time.Millisecond, duration: 4 * time.Second, limit: time.Minute}
	got, err := l.run(1, func() {}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("LOAD %.0f/s p50 %v p99 %v busy %.2f\n", got.perSecond(), got.percentile(.5), got.percentile(.99), got.clientBusy)
}
