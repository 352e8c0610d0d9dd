package pack

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/kindgi/kindgi-go/internal/record"
)

// Service serves a pack over HTTP: POST /v1/invoke, GET /v1/info, GET /healthz and
// GET /readyz (pack protocol v2). Make one with [Builder.Service] to embed it in a
// server of your own; [Serve] makes a process of one.
//
// It is an [http.Handler], safe for concurrent use. The server around it should set a
// ReadHeaderTimeout and no WriteTimeout: a tool's answer may take as long as its
// deadline allows, and the service bounds reading a body by that deadline itself.
type Service struct {
	handler http.Handler
	options Options
	catalog *catalog

	token      [sha256.Size]byte
	missingEnv []string               // required and unset, sorted
	info       func() ([]byte, error) // the answer to /v1/info
	slots      *semaphore.Weighted
	bytes      *semaphore.Weighted
	gate       gate
	log        *record.Handler
	toolLog    *record.Handler // for handlers' own records
	checkLog   *record.Handler

	buffers      buffers
	jsonArtifact []string // header values every answer shares
}

// Service makes a service of the pack, for a program that has a server of its own. Its error
// joins every problem of the registrations, of the index it is given and of the options.
//
// What [Serve] does for its process is the program's: no setting is read from the environment
// but those of the log, no variable is removed from it, no signal is handled, and what
// [Builder.OnStart] was given is run by [Builder.Start].
func (b *Builder) Service(o Options) (*Service, error) {
	optionsErr := o.setDefaults()
	c, err := newCatalog(b.snapshot(), o.Index, "")
	if err := errors.Join(optionsErr, err); err != nil {
		return nil, err
	}
	s := newService(c, o)
	b.serves(s.log)
	return s, nil
}

// setDefaults fills in what is zero and reports what cannot be.
func (o *Options) setDefaults() error {
	var problems []error
	if err := checkToken(o.Token); err != nil {
		problems = append(problems, fmt.Errorf("Options.Token: %w", err))
	}
	if o.MaxConcurrency < 0 {
		problems = append(problems, fmt.Errorf("Options.MaxConcurrency is %d: it must be positive, or 0 for %d", o.MaxConcurrency, DefaultMaxConcurrency))
	}
	if o.MaxBytesInFlight < 0 {
		problems = append(problems, fmt.Errorf("Options.MaxBytesInFlight is %d: it must be positive, or 0 for %d", o.MaxBytesInFlight, DefaultMaxBytesInFlight))
	}
	if o.EnvCheck != "" && o.EnvCheck != EnvStrict && o.EnvCheck != EnvWarn {
		problems = append(problems, fmt.Errorf("Options.EnvCheck is %q: it must be %q or %q", o.EnvCheck, EnvStrict, EnvWarn))
	}
	if o.MaxConcurrency == 0 {
		o.MaxConcurrency = DefaultMaxConcurrency
	}
	if o.MaxBytesInFlight == 0 {
		o.MaxBytesInFlight = DefaultMaxBytesInFlight
	}
	if o.EnvCheck == "" {
		o.EnvCheck = EnvStrict
	}
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	return errors.Join(problems...)
}

// checkToken reports why a token cannot be one. The error does not show it.
func checkToken(token string) error {
	if token == "" {
		return errors.New("it is required")
	}
	if !isVisibleASCII(token) {
		return errors.New("it must be printable ASCII without spaces (0x21 to 0x7e)")
	}
	return nil
}

// newService makes a service of a catalog and options whose defaults are filled in.
func newService(c *catalog, o Options) *Service {
	s := &Service{
		options: o,
		catalog: c,
		token:   sha256.Sum256([]byte(o.Token)),
		slots:   semaphore.NewWeighted(int64(o.MaxConcurrency)),
		bytes:   semaphore.NewWeighted(o.MaxBytesInFlight),
		gate:    gate{calls: map[*invocation]struct{}{}},
		log:     o.Log.handler(),

		jsonArtifact: []string{c.index.ArtifactVersion},
	}
	s.toolLog, s.checkLog = s.log.Subsystem("pack.tool"), s.log.Subsystem("pack.check")
	s.options.Token = "" // the digest is enough: what is not kept cannot leak
	if env := c.index.Env; env != nil {
		for _, name := range env.Required {
			if v, _ := o.LookupEnv(name); v == "" {
				s.missingEnv = append(s.missingEnv, name)
			}
		}
		slices.Sort(s.missingEnv)
		s.missingEnv = slices.Compact(s.missingEnv) // an index file may have a name twice
	}
	s.info = sync.OnceValues(func() ([]byte, error) { return c.info(s.missingEnv).MarshalJSON() })
	s.handler = http.HandlerFunc(s.route)
	if s.log.Enabled(context.Background(), slog.LevelDebug) {
		s.handler = http.HandlerFunc(s.watched)
	}
	if o.Middleware != nil {
		s.handler = o.Middleware(s.handler)
	}
	if len(c.warnings) > 0 && !o.quiet {
		s.recordWarnings()
	}
	if len(s.missingEnv) > 0 && !o.quiet {
		s.recordMissingEnv()
	}
	if len(c.stale) > 0 {
		s.recordStaleIndex()
	}
	return s
}

// lacksEnv reports whether the service never gets ready: env names that it requires are unset.
func (s *Service) lacksEnv() bool { return len(s.missingEnv) > 0 && s.options.EnvCheck == EnvStrict }

// IndexHash names the index that is served: "sha256:" and the hex SHA-256 of its bytes.
func (s *Service) IndexHash() string { return s.catalog.hash() }

// Drain turns new calls and /readyz to 503 and waits until the calls in flight are
// answered. When ctx ends first, what still runs is cancelled with the cause
// [ErrDraining] and answered as cancelled; Drain waits for those answers, but not for
// handlers that ignore their context, and gives ctx's error. Draining cannot be undone;
// draining again waits again.
func (s *Service) Drain(ctx context.Context) error {
	empty := s.gate.close()
	select {
	case <-empty:
		return nil
	case <-ctx.Done():
	}
	s.gate.cancel(ErrDraining)
	<-empty
	return context.Cause(ctx)
}

// Flush waits until every record written before it has been handed to its output, or until
// ctx ends. A program that embeds a service calls it before it exits.
func (s *Service) Flush(ctx context.Context) error { return s.log.Flush(ctx) }
