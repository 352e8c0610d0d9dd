package protocol

import "github.com/go-json-experiment/json/jsontext"

// EffectKind is a kind of thing a tool does to the world.
type EffectKind string

// The kinds of effects.
const (
	EffectReads               EffectKind = "reads"
	EffectWrites              EffectKind = "writes"
	EffectDeletes             EffectKind = "deletes"
	EffectNetwork             EffectKind = "network"
	EffectSpawnsRun           EffectKind = "spawns-run"
	EffectEmitsEvent          EffectKind = "emits-event"
	EffectExternalSideEffect  EffectKind = "external-side-effect"
	EffectSensitiveDataEgress EffectKind = "sensitive-data-egress"
)

// EffectKinds gives every kind of effect.
func EffectKinds() []EffectKind {
	return []EffectKind{
		EffectReads, EffectWrites, EffectDeletes, EffectNetwork, EffectSpawnsRun, EffectEmitsEvent,
		EffectExternalSideEffect, EffectSensitiveDataEgress,
	}
}

// Effect is one thing a tool does, as its manifest declares it.
type Effect struct {
	Kind     EffectKind
	Resource string // what it is done to; left out when ""
	Notes    string // for a person; left out when ""

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the effect as a manifest carries it.
func (e Effect) MarshalJSON() ([]byte, error) { return marshalObject(&e) }

// UnmarshalJSON reads an effect.
func (e *Effect) UnmarshalJSON(data []byte) error { return unmarshalObject(data, e, true) }

func (e *Effect) visit(v *visitor) {
	v.open(&e.Unknown, &e.zeros)
	text(v, "kind", &e.Kind, required)
	text(v, "resource", &e.Resource, optional)
	text(v, "notes", &e.Notes, optional)
}
