package pack

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// Tool is a tool's manifest: what the runtime and a model learn about it. Only ID is
// required; the zero value of every other field means what its comment says.
type Tool struct {
	// ID names the tool: the pack's id, a dot, and the tool's own name, as in
	// "acme.orders.lookup".
	ID string
	// Version is the tool's semantic version. Empty: the pack's. Several versions of one
	// tool may be registered side by side.
	Version string
	// Description tells a model what the tool does and when to use it.
	Description string
	// ReadOnly says that the tool changes nothing. A tool that is not read-only is
	// mutating, and a runtime may ask a person before its first use.
	ReadOnly bool
	// Effects lists what a call does to the world.
	Effects []protocol.Effect
	// Needs names capabilities the tool needs from the runtime, which knows the names. Nothing
	// but that each is there once is checked.
	Needs []protocol.Need
	// NeedsSpec declares env values, secrets, configuration and connections that the
	// runtime resolves for each call.
	NeedsSpec *protocol.NeedsSpec
	// Sandbox is the isolation the runtime is asked for. Empty: the runtime's default.
	Sandbox protocol.Sandbox
	// Limits caps a call's memory and processor time. Nil: no cap is asked for.
	Limits *protocol.Limits
	// Network says which hosts the tool talks to. Nil: not said.
	Network *protocol.Network
}

// registeredTool is a tool with its handler behind a shape without type parameters.
type registeredTool struct {
	Tool
	source source

	in, out reflect.Type
	schemas *derivedSchemas
	// prepare makes a call of the handler. Nil for a tool that the runtime runs itself.
	prepare func() toolCall
	// inertness says whether decoding the input and encoding the output run none of the author's code.
	inertness inertness
	// spec is the request of a tool that the runtime runs itself.
	spec *protocol.HTTPSpec

	once          sync.Once
	found         findings       // set by derive, as the schemas are
	input, output *schema.Schema // nil when they cannot be derived
}

// AddTool registers a tool: its manifest, and the function that runs it.
//
// The tool's input and output schemas are derived from In and Out (package schema says
// how). A call's input is validated, with its defaults filled in, and decoded into In;
// what the handler returns is encoded and validated before it is sent.
//
// The handler's context ends when the call's deadline passes or the caller has gone
// ([context.Cause] tells which), and carries the call ([CallFromContext]). An error it
// returns, or a panic, is answered as "handler-throw". If In, or a pointer to it, has a
// method Validate() error, it is called before the handler, and its error is answered
// as "input-validation-failed" (see [schema.FieldError] for saying where).
//
// AddTool never panics and returns nothing to check: the Builder reports what is wrong.
func AddTool[In, Out any](b *Builder, t Tool, handler func(context.Context, In) (Out, error)) {
	r := &registeredTool{
		Tool:    t,
		source:  callerSource(0),
		in:      reflect.TypeFor[In](),
		out:     reflect.TypeFor[Out](),
		schemas: &b.schemas,
		prepare: func() toolCall { return &typedCall[In, Out]{handler: handler} },
	}
	if handler == nil {
		b.mu.Lock()
		b.problem(r.source, "tool %s: the handler is nil", t.ID)
		b.mu.Unlock()
	}
	b.addTool(r)
}

// inertness is found out at a tool's first call, which needs the codecs that it is asked of anyway.
type inertness struct {
	once          sync.Once
	input, output bool
}

func (t *registeredTool) inert() *inertness {
	i := &t.inertness
	i.once.Do(func() {
		i.input, _ = schema.Inert(t.in)
		_, i.output = schema.Inert(t.out)
	})
	return i
}

// toolCall is one call of a tool's handler, behind a shape without type parameters. What it
// does runs the author's code, but for decode of an inert input and encode of an inert
// output: it may panic, call runtime.Goexit, or never return.
type toolCall interface {
	// decode takes the input, valid JSON, once the schema admits it; nil is one that does.
	decode(input []byte, s *schema.Schema) error
	// run calls the handler.
	run(ctx context.Context) error
	// encode appends what the handler returned, once the schema admits it.
	encode(b []byte, s *schema.Schema) ([]byte, []protocol.Issue, error)
}

type typedCall[In, Out any] struct {
	handler func(context.Context, In) (Out, error)
	in      In
	out     Out
}

func (c *typedCall[In, Out]) decode(input []byte, s *schema.Schema) error {
	if s == nil {
		return decode(input, &c.in)
	}
	issues, err := s.Decode(input, &c.in)
	switch {
	case err != nil:
		return &refusal{schema.Issues(err)}
	case len(issues) > 0:
		return &refusal{issues}
	}
	return nil
}

func (c *typedCall[In, Out]) run(ctx context.Context) (err error) {
	if err = validate(&c.in); err != nil {
		return err
	}
	if c.out, err = c.handler(ctx, c.in); err != nil {
		return threw(err)
	}
	return nil
}

func (c *typedCall[In, Out]) encode(b []byte, s *schema.Schema) ([]byte, []protocol.Issue, error) {
	return s.Append(b, &c.out)
}

// AddHTTPTool registers a tool that the runtime runs itself: it makes the request that
// spec describes, and this service is never called for it. In and Out give the tool's
// schemas. Every {name} in the URL's template and in a text body must be a field of In.
func AddHTTPTool[In, Out any](b *Builder, t Tool, spec protocol.HTTPSpec) {
	b.addTool(&registeredTool{
		Tool:    t,
		source:  callerSource(0),
		in:      reflect.TypeFor[In](),
		out:     reflect.TypeFor[Out](),
		schemas: &b.schemas,
		spec:    &spec,
	})
}

func (b *Builder) addTool(t *registeredTool) {
	if t.Version == "" {
		t.Version = b.version
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.ID == "" {
		b.problem(t.source, "a tool needs an ID, such as %s.lookup", b.id)
		return
	}
	if !b.claim(t.source, entry{kind: "tool", name: t.ID, version: t.Version}) {
		return
	}
	if !isDottedID(t.ID) {
		b.problem(t.source, "tool id %q is not dotted words of letters, digits, - and _, such as %s.lookup", t.ID, b.id)
	} else if isDottedID(b.id) && !strings.HasPrefix(t.ID, b.id+".") {
		b.problem(t.source, "tool id %q does not begin with the pack's: call it %s.NAME", t.ID, b.id)
	}
	if _, err := protocol.ParseVersion(t.Version); err != nil && t.Version != b.version {
		b.problem(t.source, "tool %s: %w", t.ID, err)
	}
	b.tools = append(b.tools, t)
}

// derive sets the tool's schemas and checks its manifest.
func (t *registeredTool) derive() *findings {
	t.once.Do(func() {
		f := &t.found
		f.at, f.subject = t.source, entry{kind: "tool", name: t.ID}
		f.manifest(&t.Tool)
		in, inErr := t.schemas.of(t.in)
		out, outErr := t.schemas.of(t.out)
		if err := errors.Join(prefixed("input", inErr), prefixed("output", outErr)); err != nil {
			for _, problem := range unjoin(err) {
				f.problem("%w", problem)
			}
			return
		}
		t.input, t.output = in, out
		f.typeWarnings("input", in, true)
		f.typeWarnings("output", out, false)
		if t.spec != nil {
			f.httpSpec(t.spec, &t.Tool, in)
		}
		if len(f.problems) == 0 {
			f.writable(t.manifest())
		}
	})
	return &t.found
}

// entry is the tool's entry in the pack's index.
func (t *registeredTool) entry(document func(*schema.Schema) []byte) protocol.IndexTool {
	e := t.manifest()
	e.Input, e.Output = document(t.input), document(t.output)
	return e
}

// manifest is the tool's entry without its schemas, which admit everything in it.
func (t *registeredTool) manifest() protocol.IndexTool {
	e := protocol.IndexTool{
		ID:          t.ID,
		Version:     t.Version,
		Description: t.Description,
		Input:       jsontext.Value("{}"),
		Output:      jsontext.Value("{}"),
		ModulePath:  t.source.module,
		Effects:     t.Effects,
		Needs:       t.Needs,
		NeedsSpec:   t.NeedsSpec,
		Sandbox:     t.Sandbox,
		Limits:      t.Limits,
		Network:     t.Network,
		Spec:        t.spec,
	}
	if t.ReadOnly {
		mutating := false
		e.Mutating = &mutating
	}
	return e
}
