package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

// numbers has an integer, a value of any kind and a default beside them.
type numbers struct {
	ID   int64  `json:"id"`
	Any  any    `json:"any,omitempty"`
	Note string `json:"note" jsonschema:"default=none"`
}

type empty struct {
	A []int          `json:"A"`
	M map[string]int `json:"M"`
}

type text struct {
	Text string `json:"text"`
}

type unencodableInput struct {
	What string `json:"what" jsonschema:"enum=nan,enum=cycle,enum=channel,enum=year,enum=method,enum=utf8"`
}

type box struct {
	Before string `json:"before"`
	Value  any    `json:"value"`
}

func addValues(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "edges.numbers"}, func(_ context.Context, in numbers) (numbers, error) {
		return in, nil
	})
	pack.AddTool(b, pack.Tool{ID: "edges.empty"}, func(context.Context, anything) (empty, error) {
		return empty{}, nil
	})
	pack.AddTool(b, pack.Tool{ID: "edges.nothing"}, func(context.Context, anything) (*text, error) {
		return nil, nil
	})
	pack.AddTool(b, pack.Tool{ID: "edges.unencodable"}, unencodable)
}

func unencodable(_ context.Context, in unencodableInput) (box, error) {
	out := box{Before: "half of a response"}
	switch in.What {
	case "nan":
		out.Value = math.NaN()
	case "cycle":
		cycle := map[string]any{}
		cycle["again"] = cycle
		out.Value = cycle
	case "channel":
		out.Value = make(chan int)
	case "year":
		out.Value = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	case "method":
		out.Value = stubbornJSON{}
	case "utf8":
		out.Value = "\xff"
	}
	return out, nil
}

// stubbornJSON refuses to be JSON.
type stubbornJSON struct{}

func (stubbornJSON) MarshalJSON() ([]byte, error) { return nil, errors.New("no JSON today") }
