package huma_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/huma"
)

var program = peer.Program{New: huma.New}

func TestAnswers(t *testing.T) { inprocess.Answers(t, program) }

func BenchmarkCall(b *testing.B)    { inprocess.Call(b, program) }
func BenchmarkCores(b *testing.B)   { inprocess.Cores(b, program) }
func BenchmarkInvalid(b *testing.B) { inprocess.Invalid(b, program) }
func BenchmarkTools(b *testing.B)   { inprocess.Tools(b, program) }
