package idempotency

import (
	"context"
	"errors"
	"strconv"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/kindgi/kindgi-go/internal/cause"
)

// Flights makes calls of one key in one process wait for each other, before they reach the store. A
// store has it by embedding it; the zero value is ready. A store without it is as correct, but each of
// its waiting calls asks the store again and again.
type Flights struct{ group singleflight.Group }

// flights is promoted to the store that embeds f, which is how [Do] finds f.
func (f *Flights) flights() *Flights { return f }

// flightsOf gives the flights that store embeds, or nil.
func flightsOf(store Store) *Flights {
	if s, ok := store.(interface{ flights() *Flights }); ok {
		return s.flights()
	}
	return nil
}

// flight is what the leading call tells the calls that waited for it.
type flight struct {
	record Record // when err is nil: how the key stands
	err    error
}

// errTakeTurn tells the waiting calls that the leading one ended without a word about the key: its own
// context ended, its work panicked, or it waited less long than they do. The next of them leads.
var errTakeTurn = errors.New("the leading call gave up")

// do runs lead in the calling goroutine unless another call of the same key is doing so; then it waits
// for that call and gives its verdict, with led false. The goroutine matters: a panic of the work then
// reaches its own caller, and the work never outlives the call it belongs to.
//
// It gives up when ctx ends or patience fires.
func (f *Flights) do(ctx context.Context, key Key, patience <-chan time.Time, lead func() flight) (verdict flight, led bool) {
	name := key.flightName()
	for {
		leading, gone := make(chan struct{}), make(chan struct{})
		verdicts := make(chan flight, 1)
		results := f.group.DoChan(name, func() (any, error) {
			select {
			case leading <- struct{}{}:
				return <-verdicts, nil
			case <-gone:
				return flight{err: errTakeTurn}, nil
			}
		})
		select {
		case <-leading:
			verdict := flight{err: errTakeTurn} // what the others hear when lead panics
			defer func() {
				verdicts <- verdict
				// Only when the flight is over may the call return: one that comes after it is not one
				// that waited for it.
				<-results
			}()
			verdict = lead()
			return verdict, true
		case result := <-results:
			verdict, _ := result.Val.(flight)
			if !cause.Is(verdict.err, errTakeTurn) {
				return verdict, false
			}
			if ctx.Err() != nil {
				return flight{err: inProgress(key, context.Cause(ctx))}, false
			}
		case <-ctx.Done():
			close(gone)
			return flight{err: inProgress(key, context.Cause(ctx))}, false
		case <-patience:
			close(gone)
			return flight{err: inProgress(key, nil)}, false
		}
	}
}

// flightName gives a text that no other key has. The fingerprint is a part of it, so that a call with
// another input is refused by the store at once and does not wait for a result it cannot have.
func (k Key) flightName() string {
	return strconv.Itoa(len(k.Tenant)) + ":" + strconv.Itoa(len(k.ID)) + ":" + k.Tenant + k.ID + k.Fingerprint
}
