package main

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

type minLengthConfig struct {
	MinLength int64 `json:"minLength" jsonschema:"minimum=0,default=1"`
}

func addChecks(b *pack.Builder) {
	pack.AddCheck(b, pack.Check{
		ID:          "conformance.min-length",
		CheckID:     "conformance.checks.min-length",
		OnViolation: pack.Halt,
		Severity:    pack.SeverityError,
	}, minLength)
	pack.AddCheck(b, pack.Check{
		ID:          "conformance.check-throws",
		CheckID:     "conformance.checks.throws",
		OnViolation: pack.LogOnly,
	}, checkThrows)
}

func minLength(_ context.Context, c minLengthConfig, run *protocol.RunTrace) (protocol.CheckResult, error) {
	if int64(utf8.RuneCountInString(strings.TrimSpace(run.Output))) < c.MinLength {
		return protocol.CheckResult{Reason: "too short"}, nil
	}
	return protocol.CheckResult{Passed: true}, nil
}

func checkThrows(context.Context, struct{}, *protocol.RunTrace) (protocol.CheckResult, error) {
	return protocol.CheckResult{}, errors.New("check boom")
}
