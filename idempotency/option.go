package idempotency

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// defaultLease is long enough for a database to be away for a moment, and short enough for a crash not
// to block its key for long.
const defaultLease = 30 * time.Second

// Option changes how [Do] and [DoTx] work. Of two that set the same thing the later one counts.
type Option func(*settings)

// settings is what options set.
type settings struct {
	terms     Terms
	maxWait   time.Duration // below 0: no limit
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
	replayed  *bool
	problems  []error
}

// settle gives the settings that options make of the defaults.
func settle(options []Option) (settings, error) {
	// As the rest of the SDK writes values: what a Go author's tags and types have always meant.
	encoding := json.JoinOptions(jsonv1.OmitEmptyWithLegacySemantics(true), jsonv1.FormatDurationAsNano(true))
	s := settings{
		terms:     Terms{Lease: defaultLease},
		maxWait:   -1,
		marshal:   func(v any) ([]byte, error) { return json.Marshal(v, encoding) },
		unmarshal: func(data []byte, v any) error { return json.Unmarshal(data, v, encoding) },
	}
	for _, option := range options {
		if option != nil {
			option(&s)
		}
	}
	return s, errors.Join(s.problems...)
}

// WithLease sets how long the key stays taken after its owner was last heard of. While the work runs the
// lease is renewed every third of it, so it need not cover the work: it is how long a crash, or an
// answer of the store that got lost, keeps the key from being tried again. 0 means the default, 30 seconds.
func WithLease(lease time.Duration) Option {
	return func(s *settings) {
		switch {
		case lease < 0:
			s.problems = append(s.problems, errors.New("idempotency: WithLease: a lease cannot be negative"))
		case lease == 0:
			s.terms.Lease = defaultLease
		default:
			s.terms.Lease = lease
		}
	}
}

// WithRetention sets how long a record is kept after the work ended; after that the key is new again.
// It must outlast every repetition that may still come: a runtime may let a run wait for weeks before it
// runs a call again. 0, the default, keeps records for good. Expired records take up room until
// [PurgeExpired] or the store's Purge deletes them.
func WithRetention(retain time.Duration) Option {
	return func(s *settings) {
		if retain < 0 {
			s.problems = append(s.problems, errors.New("idempotency: WithRetention: a retention cannot be negative"))
			return
		}
		s.terms.Retain = retain
	}
}

// WithMaxWait sets how long a call waits for work that runs elsewhere under its key before it gives up
// with [ErrInProgress]. 0 does not wait at all. Without this option the wait ends with the context.
func WithMaxWait(wait time.Duration) Option {
	return func(s *settings) {
		if wait < 0 {
			s.problems = append(s.problems, errors.New("idempotency: WithMaxWait: a wait cannot be negative"))
			return
		}
		s.maxWait = wait
	}
}

// WithEncoding sets how a result is written into its record and read back. The default is JSON as
// github.com/go-json-experiment/json (encoding/json/v2) does it, with omitempty as in encoding/json and
// a time.Duration in nanoseconds. A record is read as it was written, so
// a new encoding must read what the old one wrote for as long as such records are kept.
func WithEncoding(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) Option {
	return func(s *settings) {
		if marshal == nil || unmarshal == nil {
			s.problems = append(s.problems, errors.New("idempotency: WithEncoding: both functions are needed"))
			return
		}
		s.marshal, s.unmarshal = marshal, unmarshal
	}
}

// WithReplayed sets *replayed before [Do] or [DoTx] returns: true when the outcome was recorded by
// another call, false when this call's own work made it or when nothing was recorded. An HTTP service
// may tell its caller with it.
func WithReplayed(replayed *bool) Option {
	return func(s *settings) { s.replayed = replayed }
}
