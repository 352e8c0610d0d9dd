package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

type recordInput struct {
	Level   string         `json:"level" jsonschema:"enum=debug,enum=info,enum=warn,enum=error,default=info"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields,omitempty"`
	Error   string         `json:"error,omitempty"`
}

type wordConfig struct {
	Word string `json:"word"`
}

func addRecords(b *pack.Builder) {
	pack.AddTool(b, pack.Tool{ID: "edges.record"}, writeRecord)
	pack.AddCheck(b, pack.Check{ID: "edges.word", CheckID: "edges.checks.word", OnViolation: pack.Halt}, word)
}

// writeRecord writes one record with the fields it is given.
func writeRecord(ctx context.Context, in recordInput) (anything, error) {
	call, ok := pack.CallFromContext(ctx)
	if !ok {
		return nil, errors.New("the handler's context carries no call")
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(in.Level)); err != nil {
		return nil, err
	}
	attrs := []slog.Attr{}
	for name, value := range in.Fields {
		attrs = append(attrs, slog.Any(name, value))
	}
	if in.Error != "" {
		attrs = append(attrs, slog.Any("err", fmt.Errorf("outer: %w", errors.New(in.Error))))
	}
	if in.Fields["cycle"] == true {
		cycle := map[string]any{}
		cycle["again"] = cycle
		attrs = append(attrs, slog.Any("circle", cycle))
	}
	call.Log.LogAttrs(ctx, level, in.Message, attrs...)
	return anything{}, nil
}

// word passes when the run's output has a word in it. It says more than that, as a verdict
// may.
func word(ctx context.Context, c wordConfig, run *protocol.RunTrace) (protocol.CheckResult, error) {
	if call, ok := pack.CallFromContext(ctx); ok {
		call.Log.Info("looking for a word")
	}
	at := strings.Index(run.Output, c.Word)
	result := protocol.CheckResult{
		Passed:     at >= 0,
		Attributes: map[string]jsontext.Value{"at": jsontext.Value(fmt.Sprint(at))},
	}
	if mood, ok := run.Unknown["mood"]; ok { // what a newer runtime sends is there to be read
		result.Unknown = map[string]jsontext.Value{"mood": mood}
	}
	if !result.Passed {
		result.Reason, result.JudgeResponse = "no such word", "the judge: no"
	}
	return result, nil
}
