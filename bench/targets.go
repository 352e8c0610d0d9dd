//go:build linux

package main

import (
	"fmt"
)

// A target is what we promise of a measure.
type target struct {
	what    string
	value   func(r results) estimate
	atLeast bool // else at most
	limit   float64
}

func ratio(m measure, base string) func(results) estimate {
	return func(r results) estimate { return r.ratio(m, ours, base) }
}

func value(m measure) func(results) estimate {
	return func(r results) estimate { return r.value(m, ours) }
}

var targets = []target{
	{"calls/s at 1 KB, × bare", ratio(throughput.of(usual), baseline), true, 1.15},
	{"p99 at 1 KB, × bare", ratio(p99.of(usual), baseline), false, 1.0},
	{"in-process time at 1 KB, × bare", ratio(inProcess.of(usual), baseline), false, 0.6},
	{"in-process allocations at 1 KB", value(allocs.of(usual)), false, 30},
	{"calls/s at 100 KB, × bare", ratio(throughput.of("100KB"), baseline), true, 1.3},
	{"calls/s at 1 KB, × huma", ratio(throughput.of(usual), "huma"), true, 1.5},
	{"calls/s at 1 KB, × mcp", ratio(throughput.of(usual), "mcp"), true, 8},
	{"peak memory, sixteen bodies of 10 MiB, × bare", ratio(memoryMany, baseline), false, 1.1},
	{"start to first answer, 10 tools, × bare", ratio(startFew, baseline), false, 1.15},
	{"start to first answer, 1,000 tools, seconds", value(startMany), false, 0.5},
	{"an invalid call with five issues, × a valid one", func(r results) estimate {
		return r.quotient(invalid, ours, inProcess.of(usual), ours)
	}, false, 2},
	{"growth from 1 to 2 cores, × bare's growth", ratio(growth.of(2), baseline), true, 0.95},
	{"growth from 1 to 4 cores, × bare's growth", ratio(growth.of(4), baseline), true, 0.95},
	{"a call with 1,000 tools, × with 10", func(r results) estimate {
		return r.quotient(toolsMany, ours, toolsFew, ours)
	}, false, 1.02},
}

// targets compares what was measured of ours with what is promised.
func (r report) targets() table {
	t := table{title: "What we promise:", head: []string{"of " + ours, "at", "measured", "verdict"}}
	for _, want := range targets {
		e := want.value(r.results)
		if e.n == 0 {
			continue
		}
		word := "most"
		if want.atLeast {
			word = "least"
		}
		t.rows = append(t.rows, []string{want.what, fmt.Sprintf("%s %.4g", word, want.limit),
			fmt.Sprintf("%.3g ±%.2g", e.median, e.spread()), want.verdict(e)})
	}
	return t
}

func (t target) verdict(e estimate) string {
	switch met := e.median <= t.limit; {
	case e.spread() > 0 && !e.decides(t.limit):
		return "too close to call"
	case met != t.atLeast || e.median == t.limit:
		return "met"
	default:
		return "missed"
	}
}
