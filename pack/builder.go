package pack

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// Builder collects what a pack is made of: its tools, checks, agents and flows,
// and the environment variables it needs. Make one with [New].
//
// Registration never fails where it is written: the Builder collects every problem,
// each with the file and line of the call that caused it, and [Builder.Index],
// [Builder.Service] and [Serve] report them all at once.
//
// Everything is registered before the pack is served. What comes after a [Service] was made is not in it:
// the service writes a "registration-late" record at level error with the file and line, [Builder.Start]
// fails if it was a function of [Builder.OnStart], and so does whatever is asked of the Builder next.
//
// A Builder is safe for concurrent use, though registering from one place is easier
// to read.
type Builder struct {
	id      string
	version string
	schemas derivedSchemas

	mu       sync.Mutex
	tools    []*registeredTool
	checks   []*registeredCheck
	agents   []registeredAgent
	flows    []registeredFlow
	env      []registeredEnv
	starts   []registeredStart
	problems []error
	late     []error          // those of problems that came after a service was made
	served   *record.Handler  // of the service made last, nil before
	places   map[entry]source // what is registered already
}

type registeredAgent struct {
	protocol.Agent
	source source
}

type registeredFlow struct {
	protocol.Flow
	source source
}

type registeredEnv struct {
	name     string
	required bool
	source   source
}

// New starts a pack. The id is one or more dotted words of letters,
// digits, - and _, such as "acme.orders"; the ids
// of the pack's tools begin with it. The version is a semantic version (semver.org),
// such as "1.2.0", and the version of every tool that names none of its own.
func New(id, version string) *Builder {
	b := &Builder{id: id, version: version, places: map[entry]source{}}
	at := callerSource(0)
	if !isDottedID(id) {
		b.problem(at, "pack id %q is not one or more dotted words, such as acme.orders", id)
	}
	if _, err := protocol.ParseVersion(version); err != nil {
		b.problem(at, "pack %w", err)
	}
	return b
}

// ID is the pack's id, as given to [New].
func (b *Builder) ID() string { return b.id }

// Version is the pack's version, as given to [New].
func (b *Builder) Version() string { return b.version }

// AddAgent registers an agent: data that the runtime reads from the pack's index. Where
// they are empty, its Version is the pack's and its ModulePath the file of this call. What
// it points to is the Builder's from then on and must not be changed.
func (b *Builder) AddAgent(a protocol.Agent) {
	at := callerSource(0)
	a.Version = cmp.Or(a.Version, b.version)
	a.ModulePath = cmp.Or(a.ModulePath, at.module)
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.ID == "" {
		b.problem(at, "an agent needs an ID")
		return
	}
	if !b.claim(at, entry{kind: "agent", name: a.ID}) {
		return
	}
	b.agents = append(b.agents, registeredAgent{a, at})
}

// AddFlow registers a flow: data that the runtime reads from the pack's index. Where they
// are empty, its Version is the pack's, its ModulePath the file of this call, and its
// KernelPayloadVersion 1. What it points to is the Builder's from then on and must not be
// changed.
func (b *Builder) AddFlow(f protocol.Flow) {
	at := callerSource(0)
	f.Version = cmp.Or(f.Version, b.version)
	f.ModulePath = cmp.Or(f.ModulePath, at.module)
	f.KernelPayloadVersion = cmp.Or(f.KernelPayloadVersion, protocol.KernelPayloadVersion)
	b.mu.Lock()
	defer b.mu.Unlock()
	if f.ID == "" {
		b.problem(at, "a flow needs an ID")
		return
	}
	if !b.claim(at, entry{kind: "flow", name: f.ID}) {
		return
	}
	b.flows = append(b.flows, registeredFlow{f, at})
}

// RequireEnv declares environment variables of the service's process that the pack
// cannot work without. The service keeps them when it filters its environment, and
// under the strict env check it is not ready while one is unset or empty.
func (b *Builder) RequireEnv(names ...string) { b.addEnv(callerSource(0), true, names) }

// OptionalEnv declares environment variables of the service's process that the pack
// reads when they are there. The service keeps them when it filters its environment.
func (b *Builder) OptionalEnv(names ...string) { b.addEnv(callerSource(0), false, names) }

func (b *Builder) addEnv(at source, required bool, names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range names {
		if err := checkEnvName(name); err != nil {
			b.problem(at, "%w", err)
		} else if b.claim(at, entry{kind: "env name", name: name}) {
			b.env = append(b.env, registeredEnv{name, required, at})
		}
	}
}

// Warnings gives what is allowed in the pack's registrations and is probably not meant: a
// check whose id does not begin with the pack's, a node of a flow that nothing leads to,
// a struct tag that does nothing here ([schema.Schema.Warnings]; what it says of a type is said once, at the
// first registration that uses the type, and not of types of modules that the program depends on).
// The commands index and list print it, and a service records it when it starts.
func (b *Builder) Warnings() []*RegistrationError {
	r := b.snapshot()
	_ = r.derive() // the problems are for Index and Service to report
	return r.warnings
}

// entry names what is registered, in messages too.
type entry struct{ kind, name, version string }

func (e entry) String() string {
	if e.version == "" {
		return e.kind + " " + e.name
	}
	return e.kind + " " + e.name + " " + e.version
}

// claim notes that a thing is registered at a place; a second registration is
// a problem that names both, and one after a service was made a problem too. The caller holds b.mu.
func (b *Builder) claim(at source, thing entry) bool {
	if b.isLate(at, thing) {
		return false
	}
	if first, taken := b.places[thing]; taken {
		b.problem(at, "%s is registered already at %s", thing, first)
		return false
	}
	b.places[thing] = at
	return true
}

// RegistrationError is a problem with one registration. Errors of [Builder.Index],
// [Builder.Service] and [Serve]'s boot records are made of these.
type RegistrationError struct {
	// File and Line are the place of the registering call. The file is relative to the
	// program's main module, with forward slashes.
	File string
	Line int
	// Err says what is wrong.
	Err error
}

// Error gives the place and the problem.
func (e *RegistrationError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap gives Err.
func (e *RegistrationError) Unwrap() error { return e.Err }

// problem notes a problem. The caller holds b.mu, or is the only one to know b.
func (b *Builder) problem(at source, format string, args ...any) {
	b.problems = append(b.problems, registrationError(at, format, args...))
}

func registrationError(at source, format string, args ...any) error {
	return &RegistrationError{File: at.module, Line: at.line, Err: fmt.Errorf(format, args...)}
}

// snapshot gives what is registered so far, safe to read while registration goes on.
func (b *Builder) snapshot() *registered {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &registered{
		id:       b.id,
		version:  b.version,
		tools:    slices.Clone(b.tools),
		checks:   slices.Clone(b.checks),
		agents:   slices.Clone(b.agents),
		flows:    slices.Clone(b.flows),
		env:      slices.Clone(b.env),
		problems: slices.Clone(b.problems),
	}
}

// registered is all that a Builder holds at one moment.
type registered struct {
	id, version string
	tools       []*registeredTool
	checks      []*registeredCheck
	agents      []registeredAgent
	flows       []registeredFlow
	env         []registeredEnv
	problems    []error
	warnings    []*RegistrationError // set by derive
}

// derive makes every schema and checks every manifest, what only all of the pack together
// shows included. Its error joins every problem of the pack.
func (r *registered) derive() error {
	problems := slices.Clone(r.problems)
	told := map[string]bool{}
	note := func(f *findings) {
		problems = append(problems, f.problems...)
		for _, w := range f.warnings {
			// What is said of a type is said at its first use: many tools may share it.
			if of, ok := errors.AsType[*schema.TypeError](w); ok {
				if told[of.Error()] {
					continue
				}
				told[of.Error()] = true
			}
			r.warnings = append(r.warnings, w)
		}
	}
	refs := r.references()
	for _, t := range r.tools {
		note(t.derive())
	}
	for _, c := range r.checks {
		note(c.derive(r.id))
		note(c.references(refs))
	}
	for _, a := range r.agents {
		f := &findings{at: a.source, subject: entry{kind: "agent", name: a.ID}}
		f.agent(&a.Agent, refs)
		note(f)
	}
	for _, w := range r.flows {
		f := &findings{at: w.source, subject: entry{kind: "flow", name: w.ID}}
		f.flow(&w.Flow, refs)
		note(f)
	}
	// In the order of the source, file by file: that is how an author mends them.
	slices.SortStableFunc(problems, func(a, b error) int {
		x, _ := errors.AsType[*RegistrationError](a)
		y, _ := errors.AsType[*RegistrationError](b)
		if x == nil || y == nil || x.File != y.File {
			return 0
		}
		return cmp.Compare(x.Line, y.Line)
	})
	return errors.Join(problems...)
}
