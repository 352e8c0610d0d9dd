package mcp_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/mcp"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, mcp.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, mcp.Program) }
