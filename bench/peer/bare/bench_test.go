package bare_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/bare"
)

var program = peer.Program{New: bare.New, Blind: true}

func TestAnswers(t *testing.T) { inprocess.Answers(t, program) }

func BenchmarkCall(b *testing.B)  { inprocess.Call(b, program) }
func BenchmarkCores(b *testing.B) { inprocess.Cores(b, program) }
