package pack_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

type Lookup struct {
	Number string `json:"number" jsonschema:"minLength=1" jsonschema_description:"The order's number."`
}

type Order struct {
	Number string `json:"number"`
	Total  int    `json:"total"`
}

// Validate is called once the schema is satisfied, for what a schema cannot say.
func (l Lookup) Validate() error {
	if strings.HasPrefix(l.Number, "X") {
		return &schema.FieldError{Path: "/number", Message: "is of the old system"}
	}
	return nil
}

func lookUpOrder(_ context.Context, in Lookup) (Order, error) {
	return Order{Number: in.Number, Total: 4200}, nil
}

// The smallest program: a tool, served.
func Example() {
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{
		ID:          "acme.orders.lookup",
		Description: "Looks an order up by its number.",
		ReadOnly:    true,
	}, lookUpOrder)
	// pack.Serve(b) would end main.
	index, err := b.Index(pack.Pins{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(index.Tools[0].ID, index.Tools[0].Version)
	// Output: acme.orders.lookup 1.2.0
}

// Problems are collected, each with the place it was made at.
func ExampleBuilder_Index() {
	b := pack.New("acme.orders", "1.2")
	pack.AddTool(b, pack.Tool{ID: "lookup"}, lookUpOrder)
	_, err := b.Index(pack.Pins{})
	for _, problem := range err.(interface{ Unwrap() []error }).Unwrap() {
		var at *pack.RegistrationError
		if errors.As(problem, &at) {
			fmt.Println(at.Err)
		}
	}
	// Output:
	// pack version "1.2" is not MAJOR.MINOR.PATCH
	// tool id "lookup" does not begin with the pack's: call it acme.orders.NAME
}

// A check is a guardrail's function: it sees its configuration and the run.
func ExampleAddCheck() {
	type config struct {
		MinLength int `json:"minLength,omitempty" jsonschema:"minimum=0,default=1"`
	}
	b := pack.New("acme.orders", "1.2.0")
	pack.AddCheck(b, pack.Check{
		ID: "acme.orders.not-empty", CheckID: "acme.orders.checks.not-empty", OnViolation: pack.Halt, Severity: pack.SeverityError,
	}, func(_ context.Context, c config, run *protocol.RunTrace) (protocol.CheckResult, error) {
		if len(run.Output) < c.MinLength {
			return protocol.CheckResult{Reason: "the answer is too short"}, nil
		}
		return protocol.CheckResult{Passed: true}, nil
	})
	index, err := b.Index(pack.Pins{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(index.Guardrails[0].CheckID, index.Guardrails[0].Action.OnViolation)
	// Output: acme.orders.checks.not-empty halt
}

// A handler finds what the call carries beside its input in its context.
func ExampleCallFromContext() {
	handler := func(ctx context.Context, in Lookup) (Order, error) {
		call, ok := pack.CallFromContext(ctx)
		if !ok {
			return Order{}, errors.New("not called by a runtime")
		}
		region, ok := call.Env("REGION")
		if !ok {
			return Order{}, errors.New("REGION is not set for this tenant")
		}
		call.Log.Info("looking up", "number", in.Number, "region", region)
		fmt.Println(call.TenantID, region)
		return Order{Number: in.Number}, nil
	}
	ctx := packtest.Context(protocol.CallContext{TenantID: "acme", Env: map[string]string{"REGION": "eu"}})
	order, err := handler(ctx, Lookup{Number: "A-1"})
	fmt.Println(order.Number, err)
	// Output:
	// acme eu
	// A-1 <nil>
}

// A service is an http.Handler for a server of one's own.
func ExampleBuilder_Service() {
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{ID: "acme.orders.lookup"}, lookUpOrder)
	service, err := b.Service(pack.Options{
		Token:          "a-secret-of-both-sides",
		MaxConcurrency: 8,
		OnCall: func(r pack.CallReport) {
			slog.Debug("call", "id", r.ID, "outcome", r.Outcome, "took", r.Duration)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/pack/", http.StripPrefix("/pack", service))
	fmt.Println(strings.HasPrefix(service.IndexHash(), "sha256:"))
	// Output: true
}

// A client that ties its requests to the call they are made for.
func ExampleTransport() {
	client := &http.Client{Transport: &pack.Transport{}}
	handler := func(ctx context.Context, in Lookup) (Order, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.example.com/orders/"+in.Number+"/cancel", nil)
		if err != nil {
			return Order{}, err
		}
		response, err := client.Do(r) // with traceparent and Idempotency-Key
		if err != nil {
			return Order{}, err
		}
		defer response.Body.Close()
		return Order{Number: in.Number}, nil
	}
	b := pack.New("acme.orders", "1.2.0")
	pack.AddTool(b, pack.Tool{ID: "acme.orders.cancel"}, handler)
}

// An author's own logger writes the service's records.
func ExampleLogHandler() {
	log := slog.New(pack.LogHandler()).With("component", "mailer")
	handler := func(ctx context.Context, in Lookup) (Order, error) {
		log.InfoContext(ctx, "mail sent", "number", in.Number) // with the call's ids
		return Order{Number: in.Number}, nil
	}
	_, err := handler(packtest.Context(protocol.CallContext{}), Lookup{Number: "A-1"})
	fmt.Fprintln(os.Stdout, err)
	// Output: <nil>
}
