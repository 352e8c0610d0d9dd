package bare_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/bare"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, bare.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, bare.Program) }
