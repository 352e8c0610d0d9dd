package pack

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// Pins are the two values of an index that the source does not give. With the same
// source and the same pins an index has the same bytes on every machine.
type Pins struct {
	// ArtifactVersion names the build, such as "20260131.1": printable ASCII without spaces,
	// as services send it in a header. Empty: from the version control stamp in the binary,
	// as [Serve] says.
	ArtifactVersion string
	// PublishedAt is when it was published; it is written in UTC with milliseconds. The
	// zero time: the time of the version control stamp.
	PublishedAt time.Time
}

// check reports what no index can be pinned to.
func (p Pins) check() error {
	if !isVisibleASCII(p.ArtifactVersion) {
		return fmt.Errorf("artifact version %q must be printable ASCII without spaces: services send it in a header", p.ArtifactVersion)
	}
	if year := p.PublishedAt.UTC().Year(); year < 0 || year > 9999 {
		return fmt.Errorf("the publishing time is in the year %d, which RFC 3339 cannot write", year)
	}
	return nil
}

// isVisibleASCII reports whether a text is of the characters 0x21 to 0x7e alone.
func isVisibleASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x21 || r > 0x7e })
}

// Index gives the pack's index. Its error joins every problem of the registrations, each
// a [*RegistrationError], and of the pins.
func (b *Builder) Index(pins Pins) (*protocol.Index, error) {
	r := b.snapshot()
	if err := pins.check(); err != nil {
		r.problems = append(r.problems, err)
	}
	if err := r.derive(); err != nil {
		return nil, err
	}
	return r.index(pins, (*schema.Schema).JSON), nil
}

// index makes the index of a pack whose schemas are derived; document gives a schema's document.
func (r *registered) index(pins Pins, document func(*schema.Schema) []byte) *protocol.Index {
	pins = pins.orBuild()
	x := &protocol.Index{
		V:               1,
		PackID:          r.id,
		PackVersion:     r.version,
		ArtifactVersion: pins.ArtifactVersion,
		PublishedAt:     pins.PublishedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
		Tools:           make([]protocol.IndexTool, 0, len(r.tools)),
		Guardrails:      []protocol.IndexGuardrail{},
		Agents:          []protocol.Agent{},
		Flows:           []protocol.Flow{},
	}
	for _, t := range r.tools {
		x.Tools = append(x.Tools, t.entry(document))
	}
	for _, c := range r.checks {
		x.Guardrails = append(x.Guardrails, c.entry())
	}
	for _, a := range r.agents {
		x.Agents = append(x.Agents, a.Agent)
	}
	for _, f := range r.flows {
		x.Flows = append(x.Flows, f.Flow)
	}
	if len(r.env) > 0 {
		x.Env = &protocol.IndexEnv{Optional: []string{}, Required: []string{}}
		for _, e := range r.env {
			if e.required {
				x.Env.Required = append(x.Env.Required, e.name)
			} else {
				x.Env.Optional = append(x.Env.Optional, e.name)
			}
		}
		slices.Sort(x.Env.Required)
		slices.Sort(x.Env.Optional)
	}
	x.Sort()
	return x
}
