package packtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
)

// A test that calls a tool as a runtime does.
func ExampleCall() {
	_ = func(t *testing.T) { // func TestLookUp
		s := packtest.Start(t, newPack())
		got, err := packtest.Call[lookup, order](t.Context(), s, "acme.orders.lookup", lookup{Number: "A-1"},
			packtest.WithContext(protocol.CallContext{TenantID: "acme", Env: map[string]string{"REGION": "eu"}}),
			packtest.WithTimeout(time.Second))
		if err != nil || got.Number != "A-1" {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

// An input that the schema refuses: what no Go value of the input's type encodes to is sent
// as any.
func ExampleCode() {
	_ = func(t *testing.T) { // func TestLookUpWithoutNumber
		s := packtest.Start(t, newPack())
		_, err := packtest.Call[any, order](t.Context(), s, "acme.orders.lookup", map[string]any{})
		if packtest.Code(err) != protocol.InputValidationFailed {
			t.Errorf("got %v", err)
		}
	}
}

// A check is called with its configuration and the run that it is to see.
func ExampleCallCheck() {
	_ = func(t *testing.T) { // func TestWordy
		s := packtest.Start(t, newPack())
		verdict, err := packtest.CallCheck(t.Context(), s, "acme.orders.wordy", enough{Words: 3},
			&protocol.RunTrace{RunID: "r", TenantID: "acme", Output: "two words", Mode: protocol.ModeCI})
		if err != nil || verdict.Passed {
			t.Errorf("got %+v, %v", verdict, err)
		}
	}
}

// A service of a test may have options of its own.
func ExampleStart() {
	_ = func(t *testing.T) { // func TestCap
		s := packtest.Start(t, newPack(), pack.Options{MaxConcurrency: 1})
		if err := s.Drain(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}
}

// Run the test with -update to write the file; read the difference before you commit it.
func ExampleGolden() {
	_ = func(t *testing.T) { // func TestIndex
		packtest.Golden(t, newPack(), "testdata/index.json")
	}
}
