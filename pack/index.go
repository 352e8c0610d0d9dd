package pack

import (
	"slices"
	"time"

	"github.com/kindgi/kindgi-go/protocol"
)

// Pins are the two values of an index that the source does not give. With the same
// source and the same pins an index has the same bytes on every machine.
type Pins struct {
	// ArtifactVersion names the build, such as "20260131.1". Empty: from the version
	// control stamp in the binary, as [Serve] says.
	ArtifactVersion string
	// PublishedAt is when it was published; it is written in UTC with milliseconds. The
	// zero time: the time of the version control stamp.
	PublishedAt time.Time
}

// Index gives the pack's index. Its error joins every problem of the registrations, each
// a [*RegistrationError].
func (b *Builder) Index(pins Pins) (*protocol.Index, error) {
	r := b.snapshot()
	if err := r.derive(); err != nil {
		return nil, err
	}
	return r.index(pins), nil
}

// index makes the index of a pack whose schemas are derived.
func (r *registered) index(pins Pins) *protocol.Index {
	pins = pins.orBuild()
	x := &protocol.Index{
		V:               1,
		PackID:          r.id,
		PackVersion:     r.version,
		ArtifactVersion: pins.ArtifactVersion,
		PublishedAt:     pins.PublishedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
		Tools:           []protocol.IndexTool{},
		Guardrails:      []protocol.IndexGuardrail{},
		Agents:          []protocol.Agent{},
		Flows:           []protocol.Flow{},
	}
	for _, t := range r.tools {
		x.Tools = append(x.Tools, t.entry())
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
