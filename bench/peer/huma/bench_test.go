package huma_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/huma"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, huma.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, huma.Program) }
