package main

import (
	"context"
	"strings"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// Words is the configuration of a check.
type Words struct {
	Forbidden []string `json:"forbidden"`
	Limit     int      `json:"limit" jsonschema:"minimum=0,default=0"`
}

func forbidden(_ context.Context, c Words, run *protocol.RunTrace) (protocol.CheckResult, error) {
	found := 0
	for _, word := range c.Forbidden {
		found += strings.Count(run.Output, word)
	}
	if found > c.Limit {
		return protocol.CheckResult{Reason: "a forbidden word"}, nil
	}
	return protocol.CheckResult{Passed: true}, nil
}

func polite(_ context.Context, _ struct{}, run *protocol.RunTrace) (protocol.CheckResult, error) {
	return protocol.CheckResult{Passed: strings.Contains(run.Output, "please")}, nil
}

func addChecks(b *pack.Builder) {
	pack.AddCheck(b, pack.Check{
		ID: "acme.shop.words", CheckID: "acme.shop.checks.words", Name: "Forbidden words", Kind: "policy",
		OnViolation: pack.Retry, MaxAttempts: 2, Severity: pack.SeverityError,
		Scope:  &protocol.Scope{When: protocol.WhenRuntimeOnly, Agents: []string{"acme.shop.clerk"}, Flows: []string{"acme.shop.intake"}, Tenants: []string{"t1"}},
		Config: Words{Forbidden: []string{"darn"}, Limit: 1}, Sandbox: protocol.SandboxStrict,
		Limits: &protocol.Limits{MemMB: 64, CPUMs: 100}, Network: &protocol.Network{Kind: protocol.NetworkUnrestricted},
	}, forbidden)
	pack.AddCheck(b, pack.Check{ID: "acme.shop.polite", OnViolation: pack.Halt, Severity: pack.SeverityInfo, Scope: &protocol.Scope{When: protocol.WhenAlways}}, polite)
	pack.AddCheck(b, pack.Check{ID: "acme.shop.polite-ci", CheckID: "acme.shop.polite", OnViolation: pack.LogOnly, Severity: pack.SeverityWarn, Scope: &protocol.Scope{When: protocol.WhenCIOnly}}, polite)
	pack.AddCheck(b, pack.Check{ID: "acme.shop.polite-escalate", CheckID: "acme.shop.polite", OnViolation: pack.Escalate, EscalateTo: "duty", Severity: pack.SeverityCritical}, polite)
	pack.AddCheck(b, pack.Check{ID: "acme.shop.polite-undo", CheckID: "acme.shop.polite", OnViolation: pack.Compensate, CompensateWith: "acme.shop.refund"}, polite)
	pack.AddCheck(b, pack.Check{ID: "acme.shop.polite-own", CheckID: "acme.shop.polite", OnViolation: "quarantine"}, polite)
}
