package schema

import (
	"errors"
	"slices"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// Defaults are filled as Ajv's useDefaults does: where properties has a default for a name that an
// object lacks, at any depth, but not for the branches of a compound keyword (anyOf, oneOf, not, if,
// contains, propertyNames). A subschema that Ajv compiles to a function of its own, because it has a
// reference in it, starts anew: behind a reference to one, a branch does fill.

// maxFilled bounds what one default may grow to when its own defaults are filled in.
const maxFilled = 1 << 20

// fillFactor bounds the bytes that filling may copy, as a multiple of the value's. One pass copies them
// once; each subschema applied in place to an object copies what it changes there again.
const fillFactor = 64

var (
	errEndless = errors.New("the default contains itself without end")
	errLarge   = errors.New("the default is too large once its own defaults are filled in")
	errWork    = errors.New("filling in the defaults would copy too much")
)

// defaultValue is the default of a property.
type defaultValue struct {
	property int
	path     string
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
		for _, n := range p.nodes {
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
			v.err = &DocumentError{v.path, v.err.Error()}
		}
	}
	v.state = worked
}

// filler fills one text.
type filler struct {
	program *program
	text    []byte
	edits   []edit
	budget  int // of bytes that may yet be copied
	err     error
}

// edit replaces text[from:to], in order.
type edit struct {
	from, to int
	with     []byte
}

// value fills one value, and gives it back as it is when nothing is missing.
func (f *filler) value(n *node, text []byte, inBranch bool) ([]byte, error) {
	if !n.fills[mode(inBranch)] {
		return text, nil
	}
	inner := &filler{program: f.program, text: text, budget: f.budget}
	inner.walk(n, scan.Space(text, 0), inBranch)
	f.budget = inner.budget
	if inner.err != nil || len(inner.edits) == 0 {
		return text, inner.err
	}
	out := inner.apply()
	if f.budget -= len(out); f.budget < 0 {
		return text, errWork
	}
	return out, nil
}

// apply makes the edits.
func (f *filler) apply() []byte {
	size := len(f.text)
	for _, e := range f.edits {
		size += len(e.with)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range f.edits {
		out = append(append(out, f.text[at:e.from]...), e.with...)
		at = e.to
	}
	return append(out, f.text[at:]...)
}

// walk fills the value at text[i], and gives its end.
func (f *filler) walk(n *node, i int, inBranch bool) int {
	if f.err != nil || !n.fills[mode(inBranch)] || kinds[f.text[i]] < kindArray {
		return scan.Skip(f.text, i)
	}
	before, after := n.fillers(inBranch), n.lateFillers(inBranch)
	switch {
	case len(before) == 0 && len(after) == 0:
		return f.own(n, i, inBranch)
	case len(before) == 1 && len(after) == 0 && before[0].cond == nil && !n.ownFills(inBranch):
		return f.walk(before[0].sub, i, before[0].inBranch)
	}
	end := scan.Skip(f.text, i)
	filled := f.steps(before, n, f.text[i:end])
	if f.err == nil && n.ownFills(inBranch) {
		inner := &filler{program: f.program, text: filled, budget: f.budget}
		inner.own(n, 0, inBranch)
		f.budget, f.err = inner.budget, inner.err
		if len(inner.edits) > 0 {
			filled = inner.apply()
			f.budget -= len(filled)
		}
	}
	filled = f.steps(after, n, filled)
	if f.err == nil && f.budget < 0 {
		f.err = errWork
	}
	if len(filled) != end-i {
		f.edits = append(f.edits, edit{i, end, filled})
	}
	return end
}

// steps fills a value by what applies to it in place, one after the other.
func (f *filler) steps(steps []fillStep, n *node, text []byte) []byte {
	met, asked := false, false
	for _, s := range steps {
		if s.cond != nil {
			if !asked {
				// The value of the branches' condition is asked once, before either fills.
				f.budget -= len(text)
				asked, met = true, f.program.nodeAdmits(s.cond, text)
			}
			if met != s.met {
				continue
			}
		}
		if s.property >= 0 {
			m := machine{text: text}
			if text[0] != '{' || !m.hasMember(0, 0, n.object.properties[s.property].name) {
				continue
			}
		}
		if f.err != nil {
			return text
		}
		if f.budget < 0 {
			f.err = errWork
			return text
		}
		text, f.err = f.value(s.sub, text, s.inBranch)
	}
	return text
}

// nodeAdmits reports whether a node admits a valid text.
func (p *program) nodeAdmits(n *node, text []byte) bool {
	m, start := newMachine(p, text)
	_, ok := m.check(n, start)
	m.release()
	return ok
}

// ownFills reports whether n fills by its own properties or items.
func (n *node) ownFills(inBranch bool) bool {
	if !inBranch && n.object != nil && len(n.object.defaults) > 0 {
		return true
	}
	found := false
	n.below(func(sub *node) { found = found || sub.fills[mode(inBranch)] })
	return found || n.array != nil && n.array.contains != nil && n.array.contains.fills[composite]
}

// own fills by n's own keywords.
func (f *filler) own(n *node, i int, inBranch bool) int {
	switch {
	case f.text[i] == '{' && n.object != nil:
		return f.object(n.object, i, inBranch)
	case f.text[i] == '[' && n.array != nil:
		return f.array(n.array, i, inBranch)
	}
	return scan.Skip(f.text, i)
}

func (f *filler) array(r *arrayRules, i int, inBranch bool) int {
	text := f.text
	index := 0
	for i = scan.Space(text, i+1); text[i] != ']'; index++ {
		sub := r.items
		if index < len(r.prefix) {
			sub = r.prefix[index]
		}
		var subs []fillStep
		if sub != nil {
			subs = append(subs, fillStep{sub: sub, inBranch: inBranch, property: -1})
		}
		if r.contains != nil && r.contains.fills[composite] {
			subs = append(subs, fillStep{sub: r.contains, inBranch: true, property: -1})
		}
		i = nextItem(text, f.each(subs, i))
	}
	return i + 1
}

func (f *filler) object(r *objectRules, i int, inBranch bool) int {
	text := f.text
	count := 0
	var present []bool
	if !inBranch && len(r.defaults) > 0 {
		present = make([]bool, len(r.properties))
	}
	var m machine
	for i = scan.Space(text, i+1); text[i] != '}'; count++ {
		quoted, at := memberAt(text, i)
		name := m.unquote(quoted)
		var subs []fillStep
		covered := false
		add := func(sub *node) {
			if sub != nil && sub.fills[mode(inBranch)] {
				subs = append(subs, fillStep{sub: sub, inBranch: inBranch, property: -1})
			}
		}
		if p := r.find(name); p >= 0 {
			if present != nil {
				present[p] = true
			}
			covered = r.properties[p].listed
			add(r.properties[p].node)
		}
		for _, p := range r.patterns {
			if p.pattern.match(name) {
				covered = true
				add(p.node)
			}
		}
		if !covered {
			add(r.additional)
		}
		i = nextItem(text, f.each(subs, at))
	}
	if present == nil {
		return i + 1
	}
	var missing []byte
	for _, d := range r.defaults {
		if present[d.property] {
			continue
		}
		d.fill(f.program)
		if d.err != nil {
			f.err = d.err
			return i + 1
		}
		if count++; count > 1 {
			missing = append(missing, ',')
		}
		missing = append(appendQuoted(missing, r.properties[d.property].name), ':')
		missing = append(missing, d.filled...)
	}
	if missing != nil {
		f.edits = append(f.edits, edit{i, i, missing})
	}
	return i + 1
}

// each fills one member or item by the subschemas that apply to it.
func (f *filler) each(subs []fillStep, i int) int {
	switch len(subs) {
	case 0:
		return scan.Skip(f.text, i)
	case 1:
		return f.walk(subs[0].sub, i, subs[0].inBranch)
	}
	end := scan.Skip(f.text, i)
	filled := f.steps(subs, nil, f.text[i:end])
	if len(filled) != end-i {
		f.edits = append(f.edits, edit{i, end, filled})
	}
	return end
}

// fill gives a valid text with its defaults filled in.
func (p *program) fill(text []byte) ([]byte, error) {
	if !slices.Contains(p.root.fills[:], true) {
		return text, nil
	}
	f := &filler{program: p, budget: fillFactor*len(text) + maxFilled}
	return f.value(p.root, text, false)
}
