package pack_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// TestLateRegistration registers what the running service does not have.
func TestLateRegistration(t *testing.T) {
	t.Parallel()
	for thing, register := range map[string]func(*pack.Builder){
		"tool acme.late 1.0.0": tool(pack.Tool{ID: "acme.late"}),
		"guardrail acme.late":  guardrail(pack.Check{ID: "acme.late", OnViolation: pack.Halt}),
		"agent acme.late":      func(b *pack.Builder) { b.AddAgent(agentOf("acme.late")) },
		"flow acme.late":       func(b *pack.Builder) { b.AddFlow(protocol.Flow{ID: "acme.late"}) },
		"env name ACME_LATE":   func(b *pack.Builder) { b.RequireEnv("ACME_LATE") },
	} {
		t.Run(thing, func(t *testing.T) {
			t.Parallel()
			b := pack.New("acme", "1.0.0")
			s := start(t, b, pack.Options{})
			if _, err := b.Index(pack.Pins{}); err != nil {
				t.Fatal(err)
			}
			register(b)
			want := thing + " is registered too late"
			eventually(t, func() bool { return strings.Contains(s.log.String(), want) })
			if log := s.log.String(); !strings.Contains(log, `"level":"error"`) || !strings.Contains(log, `"event":"registration-late"`) {
				t.Errorf("the record is %s", log)
			}
			_, err := b.Index(pack.Pins{})
			if late, ok := errors.AsType[*pack.RegistrationError](err); !ok || !strings.Contains(err.Error(), want) || late.Line == 0 {
				t.Errorf("Index: %v", err)
			}
			if _, err := b.Service(pack.Options{Token: testToken}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Service: %v", err)
			}
		})
	}
}

// TestLateInStart has a function of OnStart register a tool: too late when the service is made, in time
// before.
func TestLateInStart(t *testing.T) {
	t.Parallel()
	for _, served := range []bool{true, false} {
		b := pack.New("acme", "1.0.0")
		closed := false
		b.OnStart(func(context.Context) (pack.StopFunc, error) {
			tool(pack.Tool{ID: "acme.late"})(b)
			return func(context.Context) error { closed = true; return nil }, nil
		})
		if served {
			start(t, b, pack.Options{})
		}
		stop, err := b.Start(t.Context())
		if served != (err != nil && strings.Contains(err.Error(), "tool acme.late 1.0.0 is registered too late")) || served != closed {
			t.Errorf("served %t: %v, closed %t", served, err, closed)
		}
		if err := stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
