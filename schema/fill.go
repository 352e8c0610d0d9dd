package schema

import (
	"slices"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// filler fills one text.
type filler struct {
	program *program
	text    []byte
	edits   []edit
	budget  int // of bytes that may yet be read or copied once more
	err     error
}

// charge takes bytes that are read or copied once more off the budget. What goes on when it is spent goes
// on in vain, so it must look at err.
func (f *filler) charge(n int) {
	if f.budget -= n; f.budget < 0 && f.err == nil {
		f.err = errWork
	}
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
	if f.budget -= len(text); f.budget < 0 { // what was inserted is charged already
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
	last := n.unevaluatedFiller(f.text[i], inBranch)
	switch {
	case len(before) == 0 && len(after) == 0 && last == nil:
		return f.own(n, i, inBranch)
	case len(before) == 1 && len(after) == 0 && last == nil && before[0].cond == nil && !n.ownFills(inBranch):
		return f.walk(before[0].sub, i, before[0].inBranch)
	}
	end := scan.Skip(f.text, i)
	f.charge(end - i)
	filled := f.steps(before, n, f.text[i:end])
	if f.err == nil && n.ownFills(inBranch) {
		inner := &filler{program: f.program, text: filled, budget: f.budget}
		inner.own(n, 0, inBranch)
		f.budget, f.err = inner.budget, inner.err
		if len(inner.edits) > 0 {
			f.charge(len(filled))
			filled = inner.apply()
		}
	}
	filled = f.steps(after, n, filled)
	if last != nil && f.err == nil {
		filled = f.unevaluated(n, last, filled, inBranch)
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
				f.charge(len(text))
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
		if f.charge(len(text)); f.err != nil {
			return text
		}
		text, f.err = f.value(s.sub, text, s.inBranch)
	}
	return text
}

// unevaluatedFiller gives the subschema that fills what nothing else of n evaluates of a value that begins
// with first, or nil.
func (n *node) unevaluatedFiller(first byte, inBranch bool) *node {
	var sub *node
	switch {
	case first == '{' && n.object != nil:
		sub = n.object.unevaluated
	case first == '[' && n.array != nil:
		sub = n.array.unevaluated
	}
	if sub == nil || !sub.fills[mode(inBranch)] {
		return nil
	}
	return sub
}

// unevaluated fills, by sub, the members or items that nothing else of n evaluates: the last that is done, as
// Ajv looks at them last.
func (f *filler) unevaluated(n, sub *node, text []byte, inBranch bool) []byte {
	if f.charge(len(text)); f.err != nil {
		return text
	}
	m, start := newMachine(f.program, text)
	at := m.unevaluatedAt(n, start)
	m.release()
	if len(at) == 0 {
		return text
	}
	inner := &filler{program: f.program, text: text, budget: f.budget}
	for _, i := range at {
		inner.walk(sub, i, inBranch)
	}
	if f.budget, f.err = inner.budget, inner.err; f.err != nil || len(inner.edits) == 0 {
		return text
	}
	f.charge(len(text))
	return inner.apply()
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
		if f.charge(len(d.filled)); f.err != nil {
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
	f.charge(end - i)
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
	if tooLong(text) {
		return nil, errTooLong
	}
	f := &filler{program: p, budget: fillFactor*len(text) + maxFilled}
	return f.value(p.root, text, false)
}
