package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// figures are what one benchmark printed, by unit.
type figures map[string]float64

// inProcessRound runs the benchmarks of one program.
func inProcessRound(ctx context.Context, c config, p program, r results) error {
	for _, s := range c.sizes {
		f, err := benchmarkOne(ctx, c, p, "1", "Call", s.Name)
		if err != nil {
			return err
		}
		r.add(inProcess.of(s.Name), p.name, f[0]["ns/op"])
		r.add(allocs.of(s.Name), p.name, f[0]["allocs/op"])
		r.add(allocBytes.of(s.Name), p.name, f[0]["B/op"])
	}
	if p.name != baseline && p.name != ours {
		return nil
	}
	f, err := benchmarkOne(ctx, c, p, "1,2,4", "Cores")
	if err != nil {
		return err
	}
	r.add(growth.of(2), p.name, f[0]["ns/op"]/f[1]["ns/op"])
	r.add(growth.of(4), p.name, f[0]["ns/op"]/f[2]["ns/op"])
	if p.name != ours {
		return nil
	}
	if f, err = benchmarkOne(ctx, c, p, "1", "Invalid"); err != nil {
		return err
	}
	r.add(invalid, p.name, f[0]["ns/op"])
	if f, err = benchmarkOne(ctx, c, p, "1", "Tools", "10"); err != nil {
		return err
	}
	r.add(toolsFew, p.name, f[0]["ns/op"])
	if f, err = benchmarkOne(ctx, c, p, "1", "Tools", "1000"); err != nil {
		return err
	}
	r.add(toolsMany, p.name, f[0]["ns/op"])
	return nil
}

// benchmarkOne runs one benchmark of a program on the server's processor, or with several values of GOMAXPROCS on all.
func benchmarkOne(ctx context.Context, c config, p program, procs string, name ...string) ([]figures, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.dir, p.benchmarks()), "-test.run=^$",
		"-test.bench=^Benchmark$/^"+strings.Join(name, "$/^")+"$", "-test.cpu="+procs, "-test.benchtime="+(c.duration/4).String())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var err error
	if procs == "1" {
		err = c.server.start(cmd)
	} else {
		err = cmd.Start()
	}
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", name, err, out.Bytes())
	}
	all := parseBenchmarks(out.String())
	if want := strings.Count(procs, ",") + 1; len(all) != want {
		return nil, fmt.Errorf("%v: %d results, want %d\n%s", name, len(all), want, out.Bytes())
	}
	return all, nil
}

// parseBenchmarks reads the lines that the testing package prints: a name, how often, and pairs
// of a number and its unit.
func parseBenchmarks(out string) []figures {
	var all []figures
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		f := figures{}
		for i := 2; i+1 < len(words); i += 2 {
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				f[words[i+1]] = v
			}
		}
		all = append(all, f)
	}
	return all
}
