package schema

import (
	"errors"
	"slices"
)

// Defaults are filled as Ajv's useDefaults does: where properties has a default for a name that an
// object lacks, at any depth, but not for the branches of a compound keyword (anyOf, oneOf, not, if,
// contains, propertyNames). A subschema that Ajv compiles to a function of its own, because it has a
// reference in it, starts anew: behind a reference to one, a branch does fill.

// maxFilled bounds what one default may grow to when its own defaults are filled in.
const maxFilled = 1 << 20

// fillFactor bounds the bytes that filling may read or copy, as a multiple of the value's. One pass does so
// once; each subschema applied in place to an object does so again for that object.
const fillFactor = 64

var (
	errEndless = errors.New("the default contains itself without end")
	errLarge   = errors.New("the default is too large once its own defaults are filled in")
	errWork    = errors.New("filling in the defaults would take too much work: the value is nested too deeply, or the defaults are too many")
)

// defaultValue is the default of a property.
type defaultValue struct {
	property int
	path     *trail
	raw      []byte
	subs     []*node // that apply to the value: the property's own, and those of patterns

	state  uint8  // of working out filled
	filled []byte // raw with its own defaults filled in
	err    error
}

// prepareDefaults finds out where a program fills, and what.
func (p *program) prepareDefaults() {
	var all []*defaultValue
	for _, n := range p.nodes {
		r := n.object
		if r == nil {
			continue
		}
		for i, prop := range r.properties {
			if prop.node == nil {
				continue
			}
			d := prop.node.source.get("default")
			if d == nil {
				continue
			}
			v := &defaultValue{property: i, path: prop.node.path, raw: d.raw, subs: []*node{prop.node}}
			for _, pattern := range r.patterns {
				if pattern.pattern.match([]byte(prop.name)) {
					v.subs = append(v.subs, pattern.node)
				}
			}
			r.defaults = append(r.defaults, v)
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return
	}
	for changed := true; changed; {
		changed = false
		// Subschemas mostly come after what applies them: backwards, one round mostly finds all.
		for _, n := range slices.Backward(p.nodes) {
			for mode := range n.fills {
				if !n.fills[mode] && n.reachesDefault(mode == composite) {
					n.fills[mode], changed = true, true
				}
			}
		}
	}
	for _, v := range all {
		v.fill(p)
	}
}

// The modes of filling: plainly, or within a branch of a compound keyword.
const (
	plain     = 0
	composite = 1
)

func mode(inBranch bool) int {
	if inBranch {
		return composite
	}
	return plain
}

// reachesDefault reports whether filling n may fill something, by what is known of its subschemas.
func (n *node) reachesDefault(inBranch bool) bool {
	if !inBranch && n.object != nil && len(n.object.defaults) > 0 {
		return true
	}
	found := false
	n.below(func(sub *node) { found = found || sub.fills[mode(inBranch)] })
	if n.array != nil && n.array.contains != nil && n.array.contains.fills[composite] {
		found = true
	}
	return found || len(n.fillers(inBranch)) > 0 || len(n.lateFillers(inBranch)) > 0
}

// filler is a subschema that fills the same value.
type fillStep struct {
	sub      *node
	inBranch bool
	// cond, when it is there, is the condition that the value must meet (or must not).
	cond *node
	met  bool
	// property is the name that an object must have, for a dependent schema; -1 for none.
	property int
}

// fillers lists what fills the same value before n's own properties do, in Ajv's order.
func (n *node) fillers(inBranch bool) []fillStep {
	var steps []fillStep
	add := func(s fillStep) {
		if s.sub != nil && s.sub.fills[mode(s.inBranch)] {
			s.property = -1
			steps = append(steps, s)
		}
	}
	for _, ref := range [...]*reference{n.dynamic, n.ref} {
		if ref != nil {
			add(fillStep{sub: ref.target, inBranch: inBranch && ref.inlined})
		}
	}
	add(fillStep{sub: n.not, inBranch: true})
	for _, list := range [...][]*node{n.anyOf, n.oneOf} {
		for _, sub := range list {
			add(fillStep{sub: sub, inBranch: true})
		}
	}
	for _, sub := range n.allOf {
		add(fillStep{sub: sub, inBranch: inBranch})
	}
	if n.cond != nil {
		add(fillStep{sub: n.cond, inBranch: true})
		add(fillStep{sub: n.then, inBranch: inBranch, cond: n.cond, met: true})
		add(fillStep{sub: n.otherwise, inBranch: inBranch, cond: n.cond})
	}
	return steps
}

// lateFillers lists what fills the same value after n's own properties.
func (n *node) lateFillers(inBranch bool) []fillStep {
	if n.object == nil {
		return nil
	}
	var steps []fillStep
	for _, d := range n.object.dependentSchemas {
		if d.node.fills[mode(inBranch)] {
			steps = append(steps, fillStep{sub: d.node, inBranch: inBranch, property: d.property})
		}
	}
	return steps
}

// States of a default that is worked out.
const (
	untouched = iota
	working
	worked
)

// fill works the default out.
func (v *defaultValue) fill(p *program) {
	switch v.state {
	case working:
		v.err = errEndless
		return
	case worked:
		return
	}
	v.state = working
	f := &filler{program: p, budget: maxFilled}
	v.filled = v.raw
	for _, sub := range v.subs {
		var err error
		if v.filled, err = f.value(sub, v.filled, false); err != nil {
			v.err = err
			break
		}
	}
	if v.err == nil && len(v.filled) > maxFilled {
		v.err = errLarge
	}
	if v.err != nil {
		var at *DocumentError
		if !errors.As(v.err, &at) {
			v.err = &DocumentError{v.path.String(), v.err.Error()}
		}
	}
	v.state = worked
}
