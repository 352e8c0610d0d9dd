package packtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
)

// ledger is what a pack's OnStart opens: it has no pages before.
type ledger struct {
	pages  []string
	opened int
	closed int
	fails  error
	sticks error
}

func (l *ledger) open(context.Context) (pack.StopFunc, error) {
	if l.fails != nil {
		return nil, l.fails
	}
	l.opened++
	l.pages = []string{"first"}
	return func(context.Context) error {
		l.closed++
		l.pages = nil
		return l.sticks
	}, nil
}

func (l *ledger) read(_ context.Context, in struct{ Page int }) (string, error) {
	return l.pages[in.Page], nil
}

func (l *ledger) pack() *pack.Builder {
	b := pack.New("acme", "1.0.0")
	b.OnStart(l.open)
	pack.AddTool(b, pack.Tool{ID: "acme.read", Description: "Reads a page of the ledger.", ReadOnly: true}, l.read)
	return b
}

// TestCheckStarts: handlers run on what OnStart opens, and it is closed again.
func TestCheckStarts(t *testing.T) {
	t.Parallel()
	var l ledger
	if err := packtest.Check(l.pack()); err != nil {
		t.Error(err)
	}
	if l.opened != 1 || l.closed != 1 {
		t.Errorf("opened %d times, closed %d times", l.opened, l.closed)
	}
	// Nothing is opened for no handler.
	if err := packtest.Check(l.pack(), packtest.RuleZeroInput); err != nil || l.opened != 1 {
		t.Errorf("opened %d times, %v", l.opened, err)
	}
	request := pack.New("acme", "1.0.0")
	request.OnStart(l.open)
	pack.AddHTTPTool[struct{}, any](request, pack.Tool{ID: "acme.http", Description: "Reads the remote ledger.", ReadOnly: true},
		protocol.HTTPSpec{Method: "GET", URLTemplate: "https://example.com/"})
	if err := packtest.Check(request); err != nil || l.opened != 1 {
		t.Errorf("opened %d times, %v", l.opened, err)
	}
}

// TestCheckStarted: a test that has started its pack has it checked on what is open.
func TestCheckStarted(t *testing.T) {
	t.Parallel()
	var l ledger
	b := l.pack()
	packtest.Start(t, b)
	if err := packtest.Check(b, packtest.RuleStart); err != nil {
		t.Error(err)
	}
	if l.opened != 1 || l.closed != 0 {
		t.Errorf("opened %d times, closed %d times", l.opened, l.closed)
	}
}

// TestCheckFailingStart: a start that fails is what is wrong, not the handler that did not get its ledger.
func TestCheckFailingStart(t *testing.T) {
	t.Parallel()
	locked := errors.New("the ledger is locked")
	for _, test := range []struct {
		name string
		l    ledger
		want string
	}{
		{"open", ledger{fails: locked}, "OnStart: the ledger is locked"},
		{"close", ledger{sticks: locked}, "what OnStart opened could not be closed: the ledger is locked"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := packtest.Check(test.l.pack())
			joined, ok := err.(interface{ Unwrap() []error })
			if !ok || len(joined.Unwrap()) != 1 {
				t.Fatalf("got %v, want one finding", err)
			}
			f, ok := errors.AsType[*packtest.Finding](err)
			if !ok || f.Rule != packtest.RuleStart || f.Subject != "pack acme" || f.Problem != test.want {
				t.Errorf("got %v", err)
			}
			if test.name == "open" && !strings.HasPrefix(f.Source, "pack/packtest/check_start_test.go:") {
				t.Errorf("the finding is at %q", f.Source)
			}
		})
	}
}
