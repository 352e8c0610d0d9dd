package main

import (
	"math"
	"testing"
)

func TestEstimate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name              string
		samples           []float64
		median, low, high float64
	}{
		{"one", []float64{3}, 3, 3, 3},
		{"few: all of them", []float64{5, 1, 3}, 3, 1, 5},
		{"even", []float64{1, 2, 3, 4}, 2.5, 1, 4},
		{"eight: still all", []float64{8, 7, 6, 5, 4, 3, 2, 1}, 4.5, 1, 8},
		{"nine: all but the ends", []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, 5, 2, 8},
		{"fifteen: the fourth and the twelfth", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 8, 4, 12},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := estimateOf(test.samples)
			if e.median != test.median || e.low != test.low || e.high != test.high {
				t.Errorf("got %v in [%v, %v], want %v in [%v, %v]", e.median, e.low, e.high, test.median, test.low, test.high)
			}
		})
	}
	if e := estimateOf(nil); !math.IsNaN(e.median) || e.decides(1) {
		t.Errorf("nothing measured decides nothing: %+v", e)
	}
}

func TestEstimateRefusesToConclude(t *testing.T) {
	t.Parallel()
	if e := estimateOf([]float64{0.9, 1.05, 1.3}); e.decides(1) {
		t.Errorf("concluded from %+v", e)
	}
	if e := estimateOf([]float64{1.19, 1.2, 1.22}); !e.decides(1) {
		t.Errorf("did not conclude from %+v", e)
	}
}

func TestRatioIsTakenRoundByRound(t *testing.T) {
	t.Parallel()
	r := results{}
	for _, slow := range []float64{1, 3, 10} { // the machine, round by round
		r.add(throughput, "bare", 100/slow)
		r.add(throughput, "ours", 125/slow)
	}
	if e := r.ratio(throughput, "ours", "bare"); e.median != 1.25 || e.spread() > 1e-9 {
		t.Errorf("got %+v, want 1.25 without any spread", e)
	}
}
