package gojsonschema_test

import (
	"testing"

	"github.com/kindgi/kindgi-go/bench/inprocess"
	"github.com/kindgi/kindgi-go/bench/peer/gojsonschema"
)

func TestAnswers(t *testing.T) { inprocess.Answers(t, gojsonschema.Program) }
func Benchmark(b *testing.B)   { inprocess.Benchmark(b, gojsonschema.Program) }
