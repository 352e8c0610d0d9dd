package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

const wholeTrace = `{"runId":"r","tenantId":"t","projectId":"p","agentId":"a","flowId":"f","output":"done",` +
	`"toolCalls":[{"id":"call_0","toolId":"acme.t","toolName":"t","arguments":{"n":9007199254740993},"at":"2026-01-02T03:04:05.678Z"}],` +
	`"toolResults":[{"toolCallId":"call_0","output":[1.50],"at":1767323045678}],` +
	`"modelCalls":[{"providerId":"p","model":"m","promptTokens":12,"completionTokens":0,"at":1767323045678.25,"cached":true}],` +
	`"userInput":"hi","retrievedFactIds":["x"],"conversationId":"c","turnNumber":0,"totalCostUsd":0.1,"durationMs":1234.5,"mode":"ci",` +
	`"attributes":{"k":[]},"later":{"z":1,"a":2}}`

func TestRunTrace(t *testing.T) {
	t.Parallel()
	var r protocol.RunTrace
	if err := json.Unmarshal([]byte(wholeTrace), &r); err != nil {
		t.Fatal(err)
	}
	call, result, model := r.ToolCalls[0], r.ToolResults[0], r.ModelCalls[0]
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"run", r.RunID, "r"}, {"tenant", r.TenantID, "t"}, {"project", r.ProjectID, "p"}, {"agent", r.AgentID, "a"}, {"flow", r.FlowID, "f"},
		{"output", r.Output, "done"}, {"input", r.UserInput, "hi"}, {"fact", r.RetrievedFactIDs[0], "x"}, {"conversation", r.ConversationID, "c"},
		{"turn", r.TurnNumber, int64(0)}, {"cost", r.TotalCostUSD, 0.1}, {"duration", r.DurationMs, 1234.5}, {"mode", r.Mode, protocol.ModeCI},
		{"attribute", string(r.Attributes["k"]), "[]"}, {"later", string(r.Unknown["later"]), `{"z":1,"a":2}`},
		{"tool", call.ToolID + " " + call.ToolName, "acme.t t"}, {"arguments", string(call.Arguments), `{"n":9007199254740993}`},
		{"call id", string(call.Unknown["id"]), `"call_0"`}, {"result", result.ToolCallID + " " + string(result.Output), "call_0 [1.50]"},
		{"model", model.ProviderID + " " + model.Model, "p m"}, {"tokens", model.PromptTokens, int64(12)}, {"cached", string(model.Unknown["cached"]), "true"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, []byte(wholeTrace))
	if got, err = jsonv2.Marshal(&r); err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, []byte(wholeTrace))
}

// A trace that no type here foresees is readable all the same, and nothing of it is lost.
func TestRunTraceOfUnexpectedTypes(t *testing.T) {
	t.Parallel()
	for _, trace := range []string{
		`{}`,
		`{"runId":null,"output":{"text":"x"},"toolCalls":{},"toolResults":[1],"modelCalls":null,"mode":7,"attributes":[],"retrievedFactIds":[1]}`,
		`{"toolCalls":[{"toolId":"a"},"x",{"at":{"s":1}}]}`,
		`{"toolCalls":[{"toolId":7,"at":null}],"modelCalls":[{"promptTokens":1.5,"completionTokens":"3"}]}`,
		`{"turnNumber":1e300,"totalCostUsd":"free","durationMs":true}`,
		`{"totalCostUsd":0.1000000000000000055511151231257827,"durationMs":9007199254740993}`,
		`{"turnNumber":12e0,"totalCostUsd":0.0,"output":"","toolCalls":[],"attributes":{}}`,
		`{"Output":"x","OUTPUT":"y"}`,
	} {
		var r protocol.RunTrace
		if err := json.Unmarshal([]byte(trace), &r); err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		got, err := json.Marshal(r)
		if err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		sameValue(t, got, []byte(trace))
	}
}

func TestRunTraceApproximatesNumbers(t *testing.T) {
	t.Parallel()
	var r protocol.RunTrace
	if err := json.Unmarshal([]byte(`{"totalCostUsd":0.1000000000000000055511151231257827}`), &r); err != nil {
		t.Fatal(err)
	}
	if r.TotalCostUSD != 0.1 {
		t.Errorf("a check would see a cost of %v", r.TotalCostUSD)
	}
	r.TotalCostUSD = 2
	if got, err := json.Marshal(r); err != nil || string(got) != `{"totalCostUsd":2}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestRunTraceRefuses(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`[]`:            "must be an object, not a list",
		`7`:             "must be an object, not 7",
		`{"a":1,"a":2}`: `not valid JSON: duplicate member name "a" at byte 7`,
		`{`:             "not valid JSON: unexpected end of the text at byte 1",
	} {
		if err := new(protocol.RunTrace).UnmarshalJSON([]byte(document)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", document, err, want)
		}
	}
}

func TestRunTraceLiteral(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 4, 4, 5, 678900000, time.FixedZone("", 3600))
	got, err := json.Marshal(protocol.RunTrace{
		RunID: "r", TenantID: "t", Output: "o", Mode: protocol.ModeRuntime,
		ToolCalls: []protocol.TraceToolCall{{ToolID: "a.t", ToolName: "t", Arguments: jsontext.Value(`{}`), At: protocol.At(at)}},
	})
	want := `{"runId":"r","tenantId":"t","output":"o","toolCalls":[{"toolId":"a.t","toolName":"t","arguments":{},"at":"2026-01-02T03:04:05.678Z"}],` +
		`"toolResults":[],"modelCalls":[],"mode":"runtime"}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 1, 2, 3, 4, 5, 678000000, time.UTC)
	for raw, ok := range map[string]bool{
		`"2026-01-02T03:04:05.678Z"`: true, `"2026-01-02T04:04:05.678+01:00"`: true, `1767323045678`: true, `1767323045678.0`: true,
		`"yesterday"`: false, `null`: false, `true`: false, `{}`: false, `1e300`: false, ``: false,
	} {
		var m protocol.Moment
		if raw != "" {
			if err := json.Unmarshal([]byte(raw), &m); err != nil {
				t.Fatal(err)
			}
		}
		if got, gotOK := m.Time(); gotOK != ok || ok && !got.Equal(want) {
			t.Errorf("%s: %v, %t", raw, got, gotOK)
		}
		if m.String() != raw || string(m.JSON()) != raw {
			t.Errorf("%s: %s, %s", raw, m, m.JSON())
		}
	}
	if got, ok := protocol.At(want).Time(); !ok || !got.Equal(want) {
		t.Errorf("%v, %t", got, ok)
	}
}

// TestTraceOfManyElements takes memory for what it keeps, and none for what it cannot read. It counts
// allocations, so it is not parallel.
func TestTraceOfManyElements(t *testing.T) {
	const n = 1 << 16
	for _, c := range []struct {
		name, element string
		kept          int
	}{
		{"objects", "{}", n},
		{"numbers", "1", 0},
	} {
		document := []byte(`{"toolCalls":[` + strings.Repeat(c.element+",", n-1) + c.element + `],"retrievedFactIds":[` + strings.Repeat("1,", n-1) + `1]}`)
		var run protocol.RunTrace
		allocs := testing.AllocsPerRun(1, func() {
			if err := run.UnmarshalJSON(document); err != nil {
				t.Fatal(err)
			}
		})
		if len(run.ToolCalls) != c.kept || run.RetrievedFactIDs != nil || run.Unknown["retrievedFactIds"] == nil {
			t.Errorf("%s: %d tool calls, %d facts", c.name, len(run.ToolCalls), len(run.RetrievedFactIDs))
		}
		if allocs > 100 {
			t.Errorf("%s: %v allocations for %d elements", c.name, allocs, n)
		}
	}
}
