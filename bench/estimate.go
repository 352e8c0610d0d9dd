package main

import (
	"fmt"
	"math"
	"slices"
)

// An estimate is a median and how far it may be off.
type estimate struct {
	median, low, high float64
	n                 int
}

// estimateOf takes the median of samples, and as its spread the interval between two of the sorted samples
// that holds the true median in 95 % of runs (the sign test). With fewer than six samples no interval does:
// then it is all of them.
func estimateOf(samples []float64) estimate {
	n := len(samples)
	if n == 0 {
		return estimate{median: math.NaN(), low: math.NaN(), high: math.NaN()}
	}
	s := slices.Sorted(slices.Values(samples))
	skip := 0                            // of the sorted samples, at either end
	outside := math.Pow(0.5, float64(n)) // the chance that the median lies below the interval
	next := outside                      // what one sample less adds to that
	for ; skip < (n-1)/2; skip++ {
		next *= float64(n-skip) / float64(skip+1)
		if outside += next; outside > 0.025 {
			break
		}
	}
	return estimate{(s[(n-1)/2] + s[n/2]) / 2, s[skip], s[n-1-skip], n}
}

// spread is the larger of the distances from the median to the ends of the interval.
func (e estimate) spread() float64 { return max(e.high-e.median, e.median-e.low) }

// decides says whether the spread is narrower than the difference between the median and limit, so that
// which of the two is larger can be told. Two rounds are too few to know the spread.
func (e estimate) decides(limit float64) bool {
	return e.n > 2 && e.spread() < math.Abs(e.median-limit)
}

// A measure is a thing measured of every program.
type measure string

// The measures. Those that end in a space are of something: of a size, say.
const (
	throughput measure = "calls/s "
	p50        measure = "p50 "
	p99        measure = "p99 "
	cpu        measure = "cpu "
	clientBusy measure = "client "
	inProcess  measure = "ns/op "
	allocs     measure = "allocs/op "
	allocBytes measure = "B/op "
	invalid    measure = "invalid, ns/op"
	toolsFew   measure = "10 tools, ns/op"
	toolsMany  measure = "1000 tools, ns/op"
	growth     measure = "growth with cores "
	memoryOne  measure = "peak, 1 body"
	memoryMany measure = "peak, 16 bodies"
	startFew   measure = "start, 10 tools"
	startMany  measure = "start, 1000 tools"
	binarySize measure = "binary"
)

func (m measure) of(what any) measure { return m + measure(fmt.Sprint(what)) }

// results holds what was measured: of each measure and program, one value a round.
type results map[measure]map[string][]float64

func (r results) add(m measure, program string, v float64) {
	if r[m] == nil {
		r[m] = map[string][]float64{}
	}
	r[m][program] = append(r[m][program], v)
}

func (r results) value(m measure, program string) estimate { return estimateOf(r[m][program]) }

// ratio compares two programs round by round, so that what slows down a whole round slows down both.
func (r results) ratio(m measure, program, base string) estimate {
	return r.quotient(m, program, m, base)
}

func (r results) quotient(m measure, program string, mBase measure, base string) estimate {
	a, b := r[m][program], r[mBase][base]
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return estimateOf(ratios)
}
