package pack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// TestWarningRecord has a service say at its start what was probably not meant.
func TestWarningRecord(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	guardrail(pack.Check{ID: "stray", OnViolation: "hallt"})(b)
	s := start(t, b, pack.Options{})
	eventually(t, func() bool { return strings.Contains(s.log.String(), "registration-warning") })
	var record struct {
		Level, Event, Kind string
		Warnings           []string
	}
	line, _, _ := strings.Cut(s.log.String(), "\n")
	if err := json.Unmarshal([]byte(line), &record); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if record.Level != "warn" || record.Kind != "registration-warning" || record.Event != record.Kind || len(record.Warnings) != 2 {
		t.Errorf("the record is %s", line)
	}
	for i, w := range b.Warnings() {
		if record.Warnings[i] != w.Error() {
			t.Errorf("the record has %q, Warnings %q", record.Warnings[i], w)
		}
	}
}

// TestManyTools checks a large pack in a time that nobody notices.
func TestManyTools(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	agent := agentOf("acme.clerk")
	for i := range 1000 {
		id := fmt.Sprintf("acme.tool%d", i)
		tool(pack.Tool{ID: id})(b)
		agent.Tools = append(agent.Tools, protocol.ToolRef{ID: id, Version: "1.0.0"})
	}
	agent.Tools = append(agent.Tools, protocol.ToolRef{ID: "acme.toll1", Version: "1.0.0"})
	b.AddAgent(agent)
	began := time.Now()
	_, err := b.Index(pack.Pins{})
	t.Logf("1000 tools take %s", time.Since(began))
	if err == nil || !strings.Contains(err.Error(), `(did you mean "acme.tool1"?)`) {
		t.Errorf("got %v", err)
	}
}

type (
	sharedOrder struct {
		Number string    `json:"number" validate:"required"`
		At     time.Time `json:"at,omitempty"`
		Line   orderLine `json:"line"`
	}
	orderLine struct {
		SKU string `json:"sku"`
	}
)

func (orderLine) Validate() error { return nil }

// TestTypeWarnings names what is wrong with a type at its first use, and what is about inputs only at the
// first use as one.
func TestTypeWarnings(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "acme.get"}, func(context.Context, struct{}) (o sharedOrder, _ error) { return o, nil })
	pack.AddTool(b, pack.Tool{ID: "acme.put"}, func(context.Context, sharedOrder) (s struct{}, _ error) { return s, nil })
	pack.AddTool(b, pack.Tool{ID: "acme.change"}, func(_ context.Context, o sharedOrder) (sharedOrder, error) { return o, nil })
	var got []string
	for _, w := range b.Warnings() {
		_, text, _ := strings.Cut(w.Error(), ": ")
		got = append(got, text)
	}
	want := []string{
		"tool acme.get: output: pack_test.sharedOrder: field At: omitempty never leaves a time.Time out; write omitzero",
		"tool acme.put: input: pack_test.sharedOrder: field Line: the method Validate of pack_test.orderLine is not called; " +
			"give pack_test.sharedOrder a method Validate that calls it",
		"tool acme.put: input: pack_test.sharedOrder: field Number: the tag validate does nothing here; " +
			`write the rules in a jsonschema tag, such as jsonschema:"minLength=1", or a method Validate of the input's type that asks the library`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if again := b.Warnings(); len(again) != len(want) {
		t.Errorf("the second time there are %d", len(again))
	}
}
