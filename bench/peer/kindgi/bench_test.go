package kindgi_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/kindgi"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, kindgi.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, kindgi.Program) }
