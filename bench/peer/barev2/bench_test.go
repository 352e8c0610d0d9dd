package barev2_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/barev2"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, barev2.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, barev2.Program) }
