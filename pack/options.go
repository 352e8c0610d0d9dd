package pack

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
)

// EnvCheck says what a service does about required environment variables it lacks.
type EnvCheck string

// The env checks.
const (
	EnvStrict EnvCheck = "strict" // not ready while one is missing
	EnvWarn   EnvCheck = "warn"   // ready all the same
)

// DefaultMaxConcurrency is the concurrency cap when none is set.
const DefaultMaxConcurrency = 32

// DefaultMaxBytesInFlight is the cap on request bodies in memory when none is set: 512 MiB.
const DefaultMaxBytesInFlight = 512 << 20

// Options sets up a [Service]. Token is required; the zero value of every other field
// means what its comment says.
type Options struct {
	// Token is what callers must send in the kindgi-pack-token header: printable ASCII
	// without spaces (0x21 to 0x7e).
	Token string
	// TenantID pins the service to one tenant: calls for another are refused with 421.
	// Empty: not pinned.
	TenantID string
	// MaxConcurrency caps how many handlers run at once; a call that finds them all
	// running is answered 503. Zero: DefaultMaxConcurrency. Negative is an error.
	MaxConcurrency int
	// MaxBytesInFlight caps the bytes of request bodies held in memory at once; a call
	// whose body does not fit is answered 503. Zero: DefaultMaxBytesInFlight. Negative is
	// an error.
	MaxBytesInFlight int64
	// Index is the content of an index.json to serve instead of the index compiled into
	// the binary: its schemas are the ones enforced. Nil: the compiled-in index.
	Index []byte
	// EnvCheck says what happens while a required environment variable is unset or empty.
	// Empty: EnvStrict.
	EnvCheck EnvCheck
	// LookupEnv finds environment variables for the env check. Nil: os.LookupEnv.
	LookupEnv func(name string) (string, bool)
	// Log says where records go and which. Nil: one JSON object a line on standard error,
	// as KINDGI_LOG_LEVEL, KINDGI_LOG_LEVELS and KINDGI_LOG_FORMAT set it.
	Log *LogOptions
	// Middleware wraps the service, outermost. Nil: nothing does.
	Middleware func(http.Handler) http.Handler
	// OnCall is told of every call that was answered, in the call's own goroutine, before
	// its slot is free; it should return quickly. Nil: nobody is told.
	OnCall func(CallReport)

	quiet bool // writes no record of a call nor of its own start; for the command call
}

// LogOptions says where a service's records go and which are written.
type LogOptions struct {
	// Output takes the records, whole lines, one Write a line or several lines. Writes are
	// made by one goroutine at a time. Nil: standard error.
	Output io.Writer
	// Level is the least level that is written. The zero value is slog.LevelInfo.
	Level slog.Level
	// Levels are the levels of single subsystems, such as "pack.tool"; a dotted child
	// inherits its parent's.
	Levels map[string]slog.Level
	// Pretty writes lines for people instead of JSON.
	Pretty bool
	// Color colours pretty lines.
	Color bool

	made *record.Handler // the process's, which has written records already
}

// handler makes the options' record handler.
func (o *LogOptions) handler() *record.Handler {
	if o == nil {
		return processLog()
	}
	if o.made != nil {
		return o.made
	}
	out := o.Output
	if out == nil {
		out = os.Stderr
	}
	c := record.Config{Level: o.Level, Levels: o.Levels, Color: o.Color}
	if o.Pretty {
		c.Format = record.Pretty
	}
	return record.New(out, c).Subsystem("pack")
}

// CallReport is what [Options.OnCall] learns about a call. Labels of metrics must have a bound,
// and ID has none: with the outcomes "tool-not-in-pack" and "check-not-in-pack" it is any text
// that a caller sends.
type CallReport struct {
	Target   string        // "tool" or "check"; "" when the message was refused before it named one
	ID       string        // the tool's or the check's id as the caller sent it; may be unknown to the pack
	Version  string        // the tool's version; "" for a check and an unknown tool
	Outcome  string        // "ok", or the error code of the answer
	Duration time.Duration // from the request's arrival to its answer
	BytesIn  int           // of the request's body
	BytesOut int           // of the answer's body
}
