package main

import (
	"context"
	"fmt"
	"time"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

// serverRound starts one program and calls it over the network.
func serverRound(ctx context.Context, c config, p program, r results) error {
	s, err := startServer(ctx, c, p, 10)
	if err != nil {
		return err
	}
	defer s.stop()
	r.add(startFew, p.name, s.started.Seconds())
	for _, size := range c.sizes {
		if err := loadOne(c, p, s, size, r); err != nil {
			return fmt.Errorf("%s, %s: %w", p.name, size.Name, err)
		}
	}
	return nil
}

func loadOne(c config, p program, s *server, size order.Size, r results) error {
	l := load{
		addr:        s.addr,
		message:     message(p, p.Body(size)),
		connections: connections(size),
		warm:        c.duration / 4,
		duration:    c.duration,
		limit:       c.limit,
	}
	var before, after time.Duration
	got, err := l.run(c.client, func() { before = s.cpuTime() }, func() { after = s.cpuTime() })
	if err != nil {
		return err
	}
	if err := peer.Right(got.answer, size); err != nil {
		return err
	}
	r.add(throughput.of(size.Name), p.name, got.perSecond())
	r.add(p50.of(size.Name), p.name, got.percentile(0.50).Seconds())
	r.add(p99.of(size.Name), p.name, got.percentile(0.99).Seconds())
	r.add(cpu.of(size.Name), p.name, (after-before).Seconds()/float64(got.calls))
	r.add(clientBusy.of(size.Name), p.name, got.clientBusy)
	return nil
}

// connections is how many calls are under way at once.
func connections(s order.Size) int {
	switch {
	case s.Bytes < 10<<10:
		return 16
	case s.Bytes < 1<<20:
		return 4
	default:
		return 1
	}
}

// resourceRound looks at what a program needs to start with many tools and for the largest bodies, each in
// a process of its own.
func resourceRound(ctx context.Context, c config, p program, r results) error {
	many, err := startServer(ctx, c, p, 1000)
	if err != nil {
		return err
	}
	many.stop()
	r.add(startMany, p.name, many.started.Seconds())
	for _, m := range []struct {
		measure measure
		bodies  int
	}{{memoryOne, 1}, {memoryMany, 16}} {
		peak, err := peakMemory(ctx, c, p, m.bodies)
		if err != nil {
			return fmt.Errorf("%s, %d bodies: %w", p.name, m.bodies, err)
		}
		r.add(m.measure, p.name, peak)
	}
	return nil
}

// peakMemory is the most memory a program has needed when it answered a call with the largest body on
// each of so many connections at once.
func peakMemory(ctx context.Context, c config, p program, bodies int) (float64, error) {
	s, err := startServer(ctx, c, p, 10)
	if err != nil {
		return 0, err
	}
	defer s.stop()
	l := load{
		addr:        s.addr,
		message:     message(p, p.Body(order.Sizes[len(order.Sizes)-1])),
		connections: bodies,
		calls:       bodies,
		limit:       c.limit,
	}
	if _, err := l.run(c.client, func() {}, func() {}); err != nil {
		return 0, err
	}
	return s.peak()
}
