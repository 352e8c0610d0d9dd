package main

import (
	"context"
	"errors"
	"runtime"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/schema"
)

// place says where author's code panics.
type place struct {
	Where string `json:"where" jsonschema:"enum=handler,enum=goexit,enum=marshal,enum=validate,enum=error,enum=nil"`
}

// Validate panics when that is what the call asks for.
func (p *place) Validate() error {
	if p.Where == "validate" {
		panic("panic in Validate")
	}
	return nil
}

// span is a type with a rule that its schema cannot state.
type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Validate refuses a span that ends before it begins.
func (s span) Validate() error {
	if s.To < s.From {
		return &schema.FieldError{Path: "/to", Message: "must not be before from"}
	}
	return nil
}

func addFailures(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "edges.panics"}, panics)
	pack.AddTool(b, pack.Tool{ID: "edges.validated"}, func(_ context.Context, in span) (span, error) {
		return in, nil
	})
}

func panics(_ context.Context, in place) (anything, error) {
	switch in.Where {
	case "handler":
		panic("panic in the handler")
	case "goexit":
		runtime.Goexit()
	case "marshal":
		return anything{"value": panickyJSON{}}, nil
	case "error":
		return nil, &declined{errors.New("the card was declined")}
	case "nil":
		var p *place
		return anything{"where": p.Where}, nil
	}
	return anything{}, nil
}

// declined is an error with a type of its own.
type declined struct{ error }

// panickyJSON panics while it is encoded.
type panickyJSON struct{}

func (panickyJSON) MarshalJSON() ([]byte, error) { panic("panic in MarshalJSON") }
