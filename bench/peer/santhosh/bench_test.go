package santhosh_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/santhosh"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, santhosh.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, santhosh.Program) }
