package pack_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

type word struct {
	Word string `json:"word"`
}

func echo(_ context.Context, in word) (word, error) { return in, nil }

func pass(context.Context, struct{}, *protocol.RunTrace) (protocol.CheckResult, error) {
	return protocol.CheckResult{Passed: true}, nil
}

// TestRegistrationProblems demands that every problem is reported, with the place of the
// call that caused it.
func TestRegistrationProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		register func(*pack.Builder)
		want     string // a regular expression
	}{
		{"tool without an id", func(b *pack.Builder) { pack.AddTool(b, pack.Tool{}, echo) },
			`^pack/builder_test\.go:\d+: a tool needs an ID, such as acme\.lookup$`},
		{"tool of another pack", func(b *pack.Builder) { pack.AddTool(b, pack.Tool{ID: "other.x"}, echo) },
			`tool id "other\.x" does not begin with the pack's: call it acme\.NAME$`},
		{"tool with a bad version", func(b *pack.Builder) { pack.AddTool(b, pack.Tool{ID: "acme.x", Version: "1.0"}, echo) },
			`tool acme\.x: version "1\.0" is not MAJOR\.MINOR\.PATCH$`},
		{"tool whose id is a format", func(b *pack.Builder) { pack.AddTool(b, pack.Tool{ID: "acme.%d%w", Version: "1.0"}, echo) },
			`tool acme\.%d%w: version "1\.0" is not`},
		{"tool without a handler", func(b *pack.Builder) { pack.AddTool[word, word](b, pack.Tool{ID: "acme.x"}, nil) },
			`tool acme\.x: the handler is nil$`},
		{"tool whose type has no schema", func(b *pack.Builder) {
			pack.AddTool(b, pack.Tool{ID: "acme.x"}, func(context.Context, chan int) (word, error) { return word{}, nil })
		}, `tool acme\.x: input: .*chan int`},
		{"tool twice", func(b *pack.Builder) {
			pack.AddTool(b, pack.Tool{ID: "acme.x"}, echo)
			pack.AddTool(b, pack.Tool{ID: "acme.x", Version: "1.0.0"}, echo)
		}, `^pack/builder_test\.go:\d+: tool acme\.x 1\.0\.0 is registered already at pack/builder_test\.go:\d+$`},
		{"check without an id", func(b *pack.Builder) { pack.AddCheck(b, pack.Check{OnViolation: pack.Halt}, pass) },
			`a check needs an ID`},
		{"check without an action", func(b *pack.Builder) { pack.AddCheck(b, pack.Check{ID: "acme.c"}, pass) },
			`check acme\.c: OnViolation is required`},
		{"check without a function", func(b *pack.Builder) {
			pack.AddCheck[struct{}](b, pack.Check{ID: "acme.c", OnViolation: pack.Halt}, nil)
		}, `check acme\.c: the function is nil$`},
		{"check whose configuration has no schema", func(b *pack.Builder) {
			pack.AddCheck(b, pack.Check{ID: "acme.c", OnViolation: pack.Halt}, func(context.Context, struct{ C chan int }, *protocol.RunTrace) (protocol.CheckResult, error) {
				return protocol.CheckResult{}, nil
			})
		}, `check acme\.c: config: .*chan int`},
		{"check twice", func(b *pack.Builder) {
			pack.AddCheck(b, pack.Check{ID: "acme.c", OnViolation: pack.Halt}, pass)
			pack.AddCheck(b, pack.Check{ID: "acme.c", OnViolation: pack.Halt}, pass)
		}, `guardrail acme\.c is registered already at pack/builder_test\.go:\d+$`},
		{"check id with two functions", func(b *pack.Builder) {
			pack.AddCheck(b, pack.Check{ID: "acme.c1", CheckID: "acme.c", OnViolation: pack.Halt}, pass)
			pack.AddCheck(b, pack.Check{ID: "acme.c2", CheckID: "acme.c", OnViolation: pack.Halt}, func(context.Context, struct{}, *protocol.RunTrace) (protocol.CheckResult, error) {
				return protocol.CheckResult{}, nil
			})
		}, `check id acme\.c is registered already at pack/builder_test\.go:\d+ with another function`},
		{"check whose Config does not fit", func(b *pack.Builder) {
			pack.AddCheck(b, pack.Check{ID: "acme.c", OnViolation: pack.Halt, Config: map[string]int{"word": 1}},
				func(context.Context, word, *protocol.RunTrace) (protocol.CheckResult, error) {
					return protocol.CheckResult{}, nil
				})
		}, `check acme\.c: Config does not fit its schema at /word: must be string$`},
		{"env name of the service", func(b *pack.Builder) { b.RequireEnv("KINDGI_X") }, `env name "KINDGI_X": `},
		{"env name that is none", func(b *pack.Builder) { b.OptionalEnv("A-B") }, `env name "A-B" is not letters`},
		{"env name twice", func(b *pack.Builder) {
			b.RequireEnv("A")
			b.OptionalEnv("A")
		}, `env name A is registered already at pack/builder_test\.go:\d+$`},
		{"agent without an id", func(b *pack.Builder) { b.AddAgent(protocol.Agent{}) }, `an agent needs an ID`},
		{"agent twice", func(b *pack.Builder) { b.AddAgent(agentOf("acme.a")); b.AddAgent(agentOf("acme.a")) },
			`agent acme\.a is registered already at pack/builder_test\.go:\d+$`},
		{"flow twice", func(b *pack.Builder) { b.AddFlow(line("acme.f")); b.AddFlow(line("acme.f")) },
			`flow acme\.f is registered already at pack/builder_test\.go:\d+$`},
		{"flow without an id", func(b *pack.Builder) { b.AddFlow(protocol.Flow{}) }, `a flow needs an ID`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := pack.New("acme", "1.0.0")
			test.register(b)
			_, err := b.Index(pack.Pins{})
			if err == nil {
				t.Fatal("the problem was not reported")
			}
			if !matchesALine(test.want, err) {
				t.Errorf("got %q, want a line that matches %s", err, test.want)
			}
			problem, ok := errors.AsType[*pack.RegistrationError](err)
			if !ok || problem.File != "pack/builder_test.go" || problem.Line == 0 {
				t.Errorf("the place of the registration is %+v", problem)
			}
			if _, err := b.Service(pack.Options{Token: "t"}); err == nil {
				t.Error("Service does not report the problem")
			}
		})
	}
}

func matchesALine(pattern string, err error) bool {
	for line := range strings.Lines(err.Error()) {
		if regexp.MustCompile(pattern).MatchString(strings.TrimSuffix(line, "\n")) {
			return true
		}
	}
	return false
}

// TestEveryProblemAtOnce demands that one problem does not hide another.
func TestEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	b := pack.New("", "one")
	pack.AddTool(b, pack.Tool{}, echo)
	b.RequireEnv("A B")
	_, err := b.Service(pack.Options{MaxConcurrency: -1, EnvCheck: "maybe"})
	for _, part := range []string{"pack id", "pack version", "a tool needs an ID", `"A B"`, "Options.Token", "MaxConcurrency", "EnvCheck"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not speak of %s: %v", part, err)
		}
	}
}

// TestSharedCheck lets two guardrails use one declared function under one check id.
func TestSharedCheck(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	pack.AddCheck(b, pack.Check{ID: "acme.a", CheckID: "acme.c", OnViolation: pack.Halt}, pass)
	pack.AddCheck(b, pack.Check{ID: "acme.b", CheckID: "acme.c", OnViolation: pack.LogOnly}, pass)
	x, err := b.Index(pack.Pins{ArtifactVersion: "1"})
	if err != nil || len(x.Guardrails) != 2 {
		t.Fatalf("got %+v, %v", x, err)
	}
}

// TestPins refuses pins that no index can have, beside the problems of the pack.
func TestPins(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	pack.AddTool(b, pack.Tool{}, echo)
	for _, test := range []struct {
		pins pack.Pins
		want string
	}{
		{pack.Pins{ArtifactVersion: "a b"}, `artifact version "a b" must be printable ASCII`},
		{pack.Pins{ArtifactVersion: "é"}, `artifact version "é" must be printable ASCII`},
		{pack.Pins{PublishedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, `the publishing time is in the year 10000`},
	} {
		_, err := b.Index(test.pins)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "a tool needs an ID") {
			t.Errorf("got %v, want %q in it", err, test.want)
		}
	}
}
