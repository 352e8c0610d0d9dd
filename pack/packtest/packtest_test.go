package packtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/invopop/jsonschema"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
)

type lookup struct {
	Number string `json:"number" jsonschema:"minLength=1,pattern=^A-[0-9]+$,example=A-1"`
}

type order struct {
	Number string    `json:"number"`
	Tenant string    `json:"tenant"`
	Placed time.Time `json:"placed"`
	Lines  []line    `json:"lines"`
}

type line struct {
	SKU      string `json:"sku"`
	Quantity uint8  `json:"quantity"`
}

type enough struct {
	Words int `json:"words,omitempty" jsonschema:"minimum=0,default=1"`
}

var errNoOrder = errors.New("there is no such order")

func lookUp(ctx context.Context, in lookup) (order, error) {
	call, ok := pack.CallFromContext(ctx)
	if !ok {
		return order{}, errors.New("no call")
	}
	if in.Number == "A-404" {
		return order{}, errNoOrder
	}
	return order{Number: in.Number, Tenant: call.TenantID, Placed: time.Unix(0, 0).UTC()}, nil
}

func wordy(_ context.Context, c enough, run *protocol.RunTrace) (protocol.CheckResult, error) {
	if len(strings.Fields(run.Output)) < c.Words {
		return protocol.CheckResult{Reason: "too few words"}, nil
	}
	return protocol.CheckResult{Passed: true}, nil
}

func newPack() *pack.Builder {
	b := pack.New("acme.orders", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "acme.orders.lookup", Description: "Looks an order up by its number.", ReadOnly: true}, lookUp)
	pack.AddTool(b, pack.Tool{ID: "acme.orders.place", Description: "Places an order of some lines."}, func(_ context.Context, in order) (order, error) { return in, nil })
	pack.AddTool(b, pack.Tool{ID: "acme.orders.wait", Description: "Waits until its deadline passes.", ReadOnly: true},
		func(ctx context.Context, in struct{ Wait bool }) (string, error) {
			if !in.Wait {
				return "", nil
			}
			<-ctx.Done()
			return "", ctx.Err()
		})
	pack.AddCheck(b, pack.Check{ID: "acme.orders.wordy", OnViolation: pack.Halt}, wordy)
	return b
}

func TestContext(t *testing.T) {
	t.Parallel()
	got, err := lookUp(packtest.Context(protocol.CallContext{TenantID: "acme"}), lookup{Number: "A-1"})
	if err != nil || got.Tenant != "acme" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, newPack())
	got, err := packtest.Call[lookup, order](t.Context(), s, "acme.orders.lookup", lookup{"A-1"},
		packtest.WithContext(protocol.CallContext{TenantID: "t7"}), packtest.WithVersion("1.0.0"))
	if err != nil || got.Number != "A-1" || got.Tenant != "t7" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = packtest.Call[lookup, order](t.Context(), s, "acme.orders.lookup", lookup{"A-404"})
	if packtest.Code(err) != protocol.HandlerThrow || !strings.Contains(err.Error(), errNoOrder.Error()) {
		t.Errorf("got %v", err)
	}
	_, err = packtest.Call[jsontext.Value, order](t.Context(), s, "acme.orders.lookup", jsontext.Value(`{"number":5}`))
	e, ok := errors.AsType[*protocol.Error](err)
	if !ok || e.Code != protocol.InputValidationFailed || len(e.Issues) != 1 || e.Issues[0].InstancePath != "/number" {
		t.Errorf("got %v", err)
	}
	_, err = packtest.Call[any, string](t.Context(), s, "acme.orders.wait", map[string]bool{"Wait": true}, packtest.WithTimeout(time.Millisecond))
	if packtest.Code(err) != protocol.DeadlineExceeded {
		t.Errorf("got %v", err)
	}
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = packtest.Call[lookup, order](t.Context(), s, "acme.orders.lookup", lookup{"A-1"})
	if status, ok := errors.AsType[*packtest.StatusError](err); !ok || status.Status != http.StatusServiceUnavailable {
		t.Errorf("got %v", err)
	}
}

func TestCallCheck(t *testing.T) {
	t.Parallel()
	s := packtest.Start(t, newPack())
	got, err := packtest.CallCheck(t.Context(), s, "acme.orders.wordy", enough{Words: 3}, &protocol.RunTrace{RunID: "r", TenantID: "t", Output: "two words", Mode: protocol.ModeCI})
	if err != nil || got.Passed || got.Reason != "too few words" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = packtest.CallCheck(t.Context(), s, "acme.orders.wordy", map[string]int{"words": -1}, nil)
	if packtest.Code(err) != protocol.InputValidationFailed || strings.Count(err.Error(), "must be") != 1 {
		t.Errorf("got %v", err)
	}
	_, err = packtest.CallCheck(t.Context(), s, "acme.orders.wordly", enough{}, nil)
	if packtest.Code(err) != protocol.CheckNotInPack || strings.Contains(err.Error(), "guardrail") {
		t.Errorf("an id that is nothing's: got %v", err)
	}
}

// TestCallGuardrail: a runtime names the check; who names the guardrail is told which it is.
func TestCallGuardrail(t *testing.T) {
	t.Parallel()
	b := newPack()
	pack.AddCheck(b, pack.Check{ID: "acme.orders.polite", CheckID: "acme.orders.checks.polite", OnViolation: pack.Halt}, wordy)
	s := packtest.Start(t, b)
	_, err := packtest.CallCheck(t.Context(), s, "acme.orders.polite", enough{}, nil)
	if packtest.Code(err) != protocol.CheckNotInPack || !strings.Contains(err.Error(), "the CheckID acme.orders.checks.polite") {
		t.Errorf("got %v", err)
	}
	_, err = packtest.CallCheck(t.Context(), s, "acme.orders.lookup", enough{}, nil)
	if packtest.Code(err) != protocol.CheckNotInPack || !strings.Contains(err.Error(), "packtest.Call") {
		t.Errorf("a tool: got %v", err)
	}
	for _, id := range []string{"acme.orders.polite", "acme.orders.checks.polite"} {
		_, err = packtest.Call[enough, bool](t.Context(), s, id, enough{})
		if packtest.Code(err) != protocol.ToolNotInPack || !strings.Contains(err.Error(), "acme.orders.checks.polite is a check: call it with packtest.CallCheck") {
			t.Errorf("a check: got %v", err)
		}
	}
}

// logged is a test whose log is read while it runs.
type logged struct {
	testing.TB
	log bytes.Buffer
}

func (l *logged) Output() io.Writer { return &l.log }

// TestRecordsComeFirst: what a call's handler and service have written stands in the log when the
// call is back.
func TestRecordsComeFirst(t *testing.T) {
	t.Parallel()
	b := newPack()
	b.RequireEnv("PACKTEST_NO_SUCH_NAME")
	pack.AddTool(b, pack.Tool{ID: "acme.orders.log", Description: "Writes a record of its own."}, func(ctx context.Context, _ struct{}) (int, error) {
		call, _ := pack.CallFromContext(ctx)
		call.Log.Info("counting the stock")
		return 0, nil
	})
	l := &logged{TB: t}
	s := packtest.Start(l, b)
	if !strings.Contains(l.log.String(), "PACKTEST_NO_SUCH_NAME") {
		t.Errorf("after the start the log has %q", l.log.String())
	}
	for i := range 20 {
		if _, err := packtest.Call[struct{}, int](t.Context(), s, "acme.orders.log", struct{}{}); err != nil {
			t.Fatal(err)
		}
		log := l.log.String()
		if strings.Count(log, "counting the stock") != i+1 || strings.Count(log, "event=call") != i+1 {
			t.Fatalf("after call %d the log has\n%s", i+1, log)
		}
	}
}

// TestRecordsInTheWay: a test may stand in the way of its records.
func TestRecordsInTheWay(t *testing.T) {
	t.Parallel()
	reports := make(chan pack.CallReport)
	s := packtest.Start(t, newPack(), pack.Options{OnCall: func(r pack.CallReport) { reports <- r }})
	if _, err := packtest.Call[lookup, order](t.Context(), s, "acme.orders.lookup", lookup{"A-1"}); err != nil {
		t.Error(err)
	}
	if r := <-reports; r.ID != "acme.orders.lookup" {
		t.Errorf("got %+v", r)
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	packtest.Golden(t, newPack(), filepath.Join("testdata", "index.json"))
	changed := newPack()
	pack.AddTool(changed, pack.Tool{ID: "acme.orders.another"}, lookUp)
	r := &recorder{TB: t}
	packtest.Golden(r, changed, filepath.Join("testdata", "index.json"))
	if updating() {
		packtest.Golden(t, newPack(), filepath.Join("testdata", "index.json"))
	} else if !strings.Contains(r.said, "acme.orders.another") || !strings.Contains(r.said, "go test github.com/kindgi/kindgi-go/pack/packtest -update") {
		t.Errorf("a changed pack: %q", r.said)
	}
}

func updating() bool {
	for _, arg := range os.Args {
		if strings.HasSuffix(arg, "-update") || strings.HasSuffix(arg, "-update=true") {
			return true
		}
	}
	return false
}

func TestUpdating(t *testing.T) {
	t.Parallel()
	if got, want := packtest.Updating(), updating(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// recorder keeps what a failing helper says.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.said += fmt.Sprintf(format, args...) }

func TestCheckFindsNothing(t *testing.T) {
	t.Parallel()
	if err := packtest.Check(newPack()); err != nil {
		t.Error(err)
	}
}

type evenOnly struct {
	N even `json:"n"`
}

// exampled brings its own schema, deep in which is an example that it refuses.
type exampled struct{ N any }

func (exampled) JSONSchema() *jsonschema.Schema {
	properties := jsonschema.NewProperties()
	properties.Set("N", &jsonschema.Schema{Type: "string", Enum: []any{"a"}, Examples: []any{"b"}})
	return &jsonschema.Schema{Type: "object", Properties: properties}
}

// TestCheckFindings breaks every rule.
func TestCheckFindings(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "acme.quiet"}, func(context.Context, struct{}) (string, error) { return "", nil })
	pack.AddTool(b, pack.Tool{ID: "acme.short", Description: "Does it."}, func(context.Context, struct{}) (string, error) { return "", nil })
	pack.AddTool(b, pack.Tool{ID: "acme.long", Description: strings.Repeat("long ", 400)}, func(context.Context, struct{}) (string, error) { return "", nil })
	pack.AddTool(b, pack.Tool{ID: "acme.panics", Description: "Panics without a list."}, func(_ context.Context, in struct{ List []int }) (int, error) { return in.List[0], nil })
	pack.AddTool(b, pack.Tool{ID: "acme.even", Description: "Takes even numbers, and does not say so."}, func(_ context.Context, in evenOnly) (int, error) { return int(in.N), nil })
	pack.AddTool(b, pack.Tool{ID: "acme.example", Description: "Shows an example that it refuses."}, func(context.Context, exampled) (int, error) { return 0, nil })
	pack.AddHTTPTool[struct{}, any](b, pack.Tool{ID: "acme.http", Description: "Deletes, and says that it reads.", ReadOnly: true},
		protocol.HTTPSpec{Method: "DELETE", URLTemplate: "https://example.com/"})
	pack.AddTool(b, pack.Tool{ID: "acme.reads", Description: "Reads, and does not say so.", Effects: []protocol.Effect{{Kind: protocol.EffectReads}}},
		func(context.Context, struct{}) (int, error) { return 0, nil })
	err := packtest.Check(b)
	var got []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		f, ok := errors.AsType[*packtest.Finding](e)
		if !ok || f.Rule.Why() == "" || !strings.HasPrefix(f.Source, "pack/packtest/packtest_test.go:") {
			t.Errorf("a finding without its rule or its place: %v", e)
			continue
		}
		got = append(got, f.Subject+" "+string(f.Rule))
	}
	want := "pack acme warning, tool acme.quiet description, tool acme.short description, tool acme.long description, tool acme.panics zero-input, tool acme.even agreement, tool acme.example examples, tool acme.http read-only"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s\n%v", strings.Join(got, ", "), want, err)
	}
	if err := packtest.Check(b, packtest.RuleDescription, packtest.RuleZeroInput, packtest.RuleAgreement,
		packtest.RuleExamples, packtest.RuleReadOnly, packtest.RuleWarning); err != nil {
		t.Errorf("the skipped rules are not skipped: %v", err)
	}
	bad := pack.New("acme", "1")
	pack.AddTool(bad, pack.Tool{ID: "stray"}, func(context.Context, struct{}) (int, error) { return 0, nil })
	err = packtest.Check(bad)
	for _, want := range []string{`pack version "1"`, `tool id "stray"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if f, ok := errors.AsType[*packtest.Finding](err); !ok || f.Rule != packtest.RuleRegistration || !strings.HasPrefix(f.Source, "pack/packtest/packtest_test.go:") {
		t.Errorf("got %v", f)
	}
	if err := packtest.Check(bad, packtest.RuleRegistration); err != nil {
		t.Errorf("the skipped rule is not skipped: %v", err)
	}
}

// TestWrongToken: a test may send another token than the service's.
func TestWrongToken(t *testing.T) {
	t.Parallel()
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.echo"}, func(_ context.Context, in string) (string, error) { return in, nil })
	s := packtest.Start(t, b)
	_, err := packtest.Call[string, string](t.Context(), s, "t.echo", "x", packtest.WithHeader(protocol.HeaderToken, "wrong"))
	if status, ok := errors.AsType[*packtest.StatusError](err); !ok || status.Status != http.StatusUnauthorized {
		t.Errorf("got %v", err)
	}
}

// TestWrongOut: a type that is not the handler's would silently leave out what it has no place
// for.
func TestWrongOut(t *testing.T) {
	t.Parallel()
	type reply struct {
		Text string `json:"text"`
	}
	type other struct {
		Count int `json:"count"`
	}
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.echo"}, func(_ context.Context, in string) (reply, error) { return reply{in}, nil })
	s := packtest.Start(t, b)
	if _, err := packtest.Call[string, other](t.Context(), s, "t.echo", "x"); err == nil || !strings.Contains(err.Error(), "does not fit packtest_test.other") {
		t.Errorf("got %v", err)
	}
	if got, err := packtest.Call[string, reply](t.Context(), s, "t.echo", "x"); err != nil || got.Text != "x" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := packtest.Call[string, map[string]string](t.Context(), s, "t.echo", "x"); err != nil || got["text"] != "x" {
		t.Errorf("got %v, %v", got, err)
	}
}
