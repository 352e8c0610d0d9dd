// Command bench measures a pack service beside other ways to answer the same call. It builds each program, runs
// them side by side (a server on one processor, its client on another; round after round, all programs in every
// round) and prints medians, their spread and their ratios to the plainest program:
//
//	go -C bench run .
//
// With -svg it draws a chart too. The flags shorten it: -rounds, -duration, -only.
//
// The in-process benchmarks, for benchstat:
//
//	go -C bench test -run '^$' -bench . -count 10 ./peer/...
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/bench/order"
)

// config is how a run goes.
type config struct {
	dir                  string // of the binaries
	programs             []program
	sizes                []order.Size
	rounds, resourceRuns int
	duration             time.Duration // of one load; a benchmark takes a quarter of it
	limit                time.Duration // of one load, when it does not end
	inProcess            bool          // measure in one process, too
	server, client       seat
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	rounds := flags.Int("rounds", 9, "how often everything is measured; fewer than 6 give no sound spread")
	duration := flags.Duration("duration", time.Second, "of one load on one program")
	only := flags.String("only", "", "names of programs, by comma; bare is always one of them")
	sizes := flags.String("sizes", "", "sizes of requests, by comma: "+sizeNames())
	serving := flags.Bool("serving", true, "measure over HTTP")
	inProcess := flags.Bool("inprocess", true, "measure in one process")
	resources := flags.Bool("resources", true, "measure memory and starting with 1,000 tools")
	svg := flags.String("svg", "", "write a chart to this file")
	urgent := flags.Bool("urgent", false, "take the processors from all other programs while measuring; needs root")
	limit := flags.Duration("timeout", time.Hour, "give up after this time")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()

	c := config{rounds: *rounds, resourceRuns: min(*rounds, 3), duration: *duration, limit: *duration + 2*time.Minute, inProcess: *inProcess}
	var err error
	if c.programs, err = choosePrograms(*only); err != nil {
		return err
	}
	if c.sizes, err = chooseSizes(*sizes); err != nil {
		return err
	}
	if c.server.cpu, c.client.cpu, err = processors(); err != nil {
		return err
	}
	c.server.urgent, c.client.urgent = *urgent, *urgent
	if c.dir, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(c.dir)

	r := results{}
	fmt.Fprintln(os.Stderr, "building")
	if err := build(ctx, c, r); err != nil {
		return err
	}
	begin, before := time.Now(), worked()
	for i := range c.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d, %v\n", i+1, c.rounds, time.Since(begin).Round(time.Second))
		// In another order each time: no program always follows the same other.
		shuffled := slices.Clone(c.programs)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for _, p := range shuffled {
			if err := round(ctx, c, p, r, *serving, *resources && i < c.resourceRuns); err != nil {
				return err
			}
		}
	}
	others, steal := disturbance(before, worked(), time.Since(begin))
	rep := report{config: c, results: r, others: others, steal: steal}
	if _, err := os.Stdout.WriteString(rep.text()); err != nil {
		return err
	}
	if *svg != "" {
		return os.WriteFile(*svg, []byte(rep.chart()), 0o644)
	}
	return nil
}

func round(ctx context.Context, c config, p program, r results, serving, resources bool) error {
	if serving {
		if err := serverRound(ctx, c, p, r); err != nil {
			return err
		}
	}
	if c.inProcess {
		if err := inProcessRound(ctx, c, p, r); err != nil {
			return err
		}
	}
	if resources {
		return resourceRound(ctx, c, p, r)
	}
	return nil
}

func choosePrograms(names string) ([]program, error) {
	if names == "" {
		return programs, nil
	}
	wanted := strings.Split(names, ",")
	for _, name := range wanted {
		if !slices.ContainsFunc(programs, func(p program) bool { return p.name == name }) {
			return nil, fmt.Errorf("-only: there is no program %q", name)
		}
	}
	var chosen []program
	for _, p := range programs {
		if p.name == baseline || slices.Contains(wanted, p.name) {
			chosen = append(chosen, p)
		}
	}
	return chosen, nil
}

func chooseSizes(names string) ([]order.Size, error) {
	if names == "" {
		return order.Sizes, nil
	}
	var chosen []order.Size
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(order.Sizes, func(s order.Size) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-sizes: %q is none of %s", name, sizeNames())
		}
		chosen = append(chosen, order.Sizes[i])
	}
	return chosen, nil
}

func sizeNames() string {
	var names []string
	for _, s := range order.Sizes {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
