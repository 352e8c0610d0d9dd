package pack_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// askedType counts how often it is asked for its schema.
type askedType struct{ Name string }

var asked atomic.Int32

func (askedType) JSONSchema() *jsonschema.Schema {
	asked.Add(1)
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
}

// Tools and checks with one type have one schema, derived once, and a problem of it is reported for
// each of them.
func TestSchemasAreDerivedOncePerType(t *testing.T) {
	t.Parallel()
	type shared struct {
		Word string `json:"word"`
	}
	b := pack.New("acme", "1.0.0")
	echo := func(_ context.Context, in shared) (shared, error) { return in, nil }
	pack.AddTool(b, pack.Tool{ID: "acme.one"}, echo)
	pack.AddTool(b, pack.Tool{ID: "acme.two"}, echo)
	pack.AddTool(b, pack.Tool{ID: "acme.asked"}, func(_ context.Context, in askedType) (askedType, error) { return in, nil })
	pack.AddCheck(b, pack.Check{ID: "acme.check", OnViolation: pack.Halt},
		func(context.Context, shared, *protocol.RunTrace) (protocol.CheckResult, error) {
			return protocol.CheckResult{Passed: true}, nil
		})
	tools, err := b.Tools()
	if err != nil {
		t.Fatal(err)
	}
	checks, err := b.Checks()
	if err != nil {
		t.Fatal(err)
	}
	for tool := range tools {
		if tool.ID == "acme.asked" {
			if tool.Input != tool.Output {
				t.Error("input and output of one type have two schemas")
			}
			continue
		}
		for check := range checks {
			if tool.Input != check.ConfigSchema || tool.Output != check.ConfigSchema {
				t.Errorf("%s does not share its schema", tool.ID)
			}
		}
	}
	once := asked.Load()
	if _, err := b.Index(pack.Pins{}); err != nil || once == 0 || asked.Load() != once {
		t.Errorf("asked %d times, later %d: %v", once, asked.Load(), err)
	}

	type bad struct{ C chan int }
	b = pack.New("acme", "1.0.0")
	for _, id := range []string{"acme.one", "acme.two"} {
		pack.AddTool(b, pack.Tool{ID: id}, func(_ context.Context, in bad) (bad, error) { return in, nil })
	}
	_, err = b.Index(pack.Pins{})
	if joined, ok := err.(interface{ Unwrap() []error }); !ok || len(joined.Unwrap()) != 4 {
		t.Errorf("two tools, each with a bad input and a bad output: %v", err)
	}
}
