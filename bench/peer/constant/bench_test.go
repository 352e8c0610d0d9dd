package constant_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/constant"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, constant.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, constant.Program) }
