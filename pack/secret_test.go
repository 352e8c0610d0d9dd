package pack_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

// A secret that is a number is hidden as one that is text: in errors and in records, as a
// number and within text.
func TestSecretNumber(t *testing.T) {
	t.Parallel()
	b := pack.New("test", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "test.throw"}, func(ctx context.Context, _ struct{}) (struct{}, error) {
		call, _ := pack.CallFromContext(ctx)
		var pin int64
		if err := call.DecodeSecret("pin", &pin); err != nil {
			return struct{}{}, err
		}
		call.Log.Info("got it", "n", pin, "text", fmt.Sprint("pin ", pin))
		return struct{}{}, fmt.Errorf("refused %d", pin)
	})
	s := start(t, b, pack.Options{})
	got := s.post(t, `{"v":2,"kind":"invoke","tool":{"id":"test.throw"},"input":{},"ctx":{"tenantId":"t1","runId":"r1","secrets":{"pin":4929123412341234,"short":12}}}`)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got.Code != "handler-throw" || strings.Contains(got.body+s.log.String(), "4929123412341234") {
		t.Errorf("got %s\n%s", got.body, s.log.String())
	}
}
