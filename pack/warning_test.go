package pack_test

import (
	"encoding/json"
	"fmt"
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
