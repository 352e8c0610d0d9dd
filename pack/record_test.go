package pack_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

// TestRecordSaysWhy demands that an operator finds in a failed call's record what its
// caller was told.
func TestRecordSaysWhy(t *testing.T) {
	t.Parallel()
	s := start(t, testPack(), pack.Options{})
	for _, test := range []struct{ message, name, text string }{
		{toolMessage("t.own-error", `{}`), "notFound", "it is not there"},
		{toolMessage("t.panic", `{}`), "panic", "ouch"},
		{toolMessage("t.pause", `{"ms":"x"}`), "input-validation-failed", `Tool "t.pause" input failed validation at /ms: must be integer`},
		{toolMessage("t.none", `{}`), "tool-not-in-pack", `This pack has no tool "t.none"`},
		{`{"v":2,"kind":"invoke"}`, "malformed-message", "`tool.id` is required"},
	} {
		requestID := strings.ReplaceAll(test.text, " ", "-")
		s.post(t, test.message, func(r *http.Request) { r.Header.Set("Kindgi-Request-Id", requestID) })
		var record struct {
			RequestID string
			Err       struct{ Name, Message string }
		}
		eventually(t, func() bool {
			for line := range strings.Lines(s.log.String()) {
				if json.Unmarshal([]byte(line), &record) == nil && record.RequestID == requestID {
					return true
				}
			}
			return false
		})
		if record.Err.Name != test.name || record.Err.Message != test.text {
			t.Errorf("got %+v, want %s: %s", record.Err, test.name, test.text)
		}
	}
	wantOutput(t, s.call(t, "t.pause", `{"ms":1}`), `{"ms":1}`)
	eventually(t, func() bool { return strings.Contains(s.log.String(), `"outcome":"ok"`) })
	for line := range strings.Lines(s.log.String()) {
		if strings.Contains(line, `"outcome":"ok"`) && strings.Contains(line, `"err"`) {
			t.Errorf("a call that went well has an error: %s", line)
		}
	}
}
