package schema

import (
	"fmt"
	"slices"
)

// finish derives what checking needs from the whole program, and refuses endless ones.
func (p *program) finish() error {
	for _, n := range p.nodes {
		n.applies = n.ref != nil || n.dynamic != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil || n.cond != nil
		n.bare = n.types == kindAny && !n.never && n.number == nil && n.text == nil && n.array == nil && n.object == nil && n.constant == nil && n.enum == nil
		n.always = n.bare && !n.applies
	}
	// Without references it is a tree.
	if !slices.ContainsFunc(p.nodes, func(n *node) bool { return n.ref != nil || n.dynamic != nil }) {
		if slices.ContainsFunc(p.nodes, func(n *node) bool { return n.applies || n.visitsTwice() }) {
			p.indexed = p.visits(false) > manyVisits
		}
		return nil
	}
	if n := p.endless(); n != nil {
		return &DocumentError{n.path.String(), "the schema applies itself to the same value without end"}
	}
	recursive := p.recursive()
	if recursive {
		if n, long := p.longest(); long > maxInPlace {
			return &DocumentError{n.path.String(), fmt.Sprintf("a schema that contains itself has a chain of %d subschemas that apply each other to the same value: have at most %d", long, maxInPlace)}
		}
	}
	p.indexed = recursive && slices.ContainsFunc(p.nodes, (*node).visitsTwice) || p.visits(recursive) > manyVisits
	return nil
}

// maxInPlace is how many subschemas may apply each other to one value in a schema that contains itself. They stand
// on the stack, all of them for each of the ten thousand levels that a value may have.
const maxInPlace = 64

// longest gives the length of the longest chain of subschemas that apply each other to one value, and its
// first.
func (p *program) longest() (first *node, length int) {
	known := make([]int, len(p.nodes))
	var count func(n *node) int
	count = func(n *node) int {
		if known[n.id] == 0 {
			below := 0
			n.inPlace(func(sub *node) { below = max(below, count(sub)) })
			known[n.id] = below + 1
		}
		return known[n.id]
	}
	for _, n := range p.nodes {
		if c := count(n); c > length {
			first, length = n, c
		}
	}
	return first, length
}

// inPlace calls f for every subschema applied to the same value.
func (n *node) inPlace(f func(*node)) {
	for _, ref := range [...]*reference{n.ref, n.dynamic} {
		if ref != nil {
			f(ref.target)
		}
	}
	for _, list := range [...][]*node{n.allOf, n.anyOf, n.oneOf, {n.not, n.cond, n.then, n.otherwise}} {
		for _, sub := range list {
			if sub != nil {
				f(sub)
			}
		}
	}
	if n.object != nil {
		for _, d := range n.object.dependentSchemas {
			f(d.node)
		}
	}
}

// below calls f for every subschema applied to members and items.
func (n *node) below(f func(*node)) {
	call := func(sub *node) {
		if sub != nil {
			f(sub)
		}
	}
	if r := n.array; r != nil {
		for _, sub := range r.prefix {
			f(sub)
		}
		call(r.items)
		call(r.contains)
		call(r.unevaluated)
	}
	if r := n.object; r != nil {
		for _, p := range r.properties {
			call(p.node)
		}
		for _, p := range r.patterns {
			f(p.node)
		}
		call(r.additional)
		call(r.unevaluated)
	}
}

// endless gives a node that applies itself in place, or nil.
func (p *program) endless() *node {
	return p.cycle((*node).inPlace)
}

// recursive reports whether a node applies itself at all.
func (p *program) recursive() bool {
	return p.cycle(func(n *node, f func(*node)) { n.inPlace(f); n.below(f) }) != nil
}

// cycle gives a node on a cycle of edges, or nil. The walk keeps its own stack: documents may be deep.
func (p *program) cycle(edges func(*node, func(*node))) *node {
	const (
		fresh = iota
		open
		done
	)
	state := make([]uint8, len(p.nodes))
	var stack []*node
	var found *node
	visit := func(sub *node) {
		switch state[sub.id] {
		case open:
			found = sub
		case fresh:
			stack = append(stack, sub)
		}
	}
	for _, start := range p.nodes {
		stack = append(stack, start)
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			if state[n.id] != fresh {
				stack = stack[:len(stack)-1]
				state[n.id] = done
				continue
			}
			state[n.id] = open
			edges(n, visit)
			if found != nil {
				return found
			}
		}
	}
	return nil
}

// manyVisits is how often a program that is not recursive may visit one value before it is indexed.
const manyVisits = 64

// visitsTwice reports whether checking one value may look into a container within it more than once.
func (n *node) visitsTwice() bool {
	visits := 0
	if !n.bare && n.types&(kindArray|kindObject) != 0 {
		visits++
	}
	n.inPlace(func(*node) { visits++ })
	if n.not != nil {
		visits++ // where it ends is not known from what refuses it
	}
	if r := n.array; r != nil {
		if r.contains != nil || r.unique || r.unevaluated != nil {
			visits += 2
		}
	}
	if r := n.object; r != nil {
		if r.unevaluated != nil || len(r.patterns) > 1 || len(r.patterns) == 1 && len(r.properties) > 0 || r.dependentSchemas != nil {
			visits += 2
		}
	}
	return visits > 1
}

// visits bounds how often a program that is not recursive visits one value.
func (p *program) visits(recursive bool) int {
	const most = 1 << 20
	if recursive {
		return 0
	}
	known := make([]int, len(p.nodes))
	var count func(n *node) int
	count = func(n *node) int {
		if known[n.id] > 0 {
			return known[n.id]
		}
		total, deepest := 1, 0
		n.inPlace(func(sub *node) { total = min(most, total+count(sub)) })
		n.below(func(sub *node) { deepest = max(deepest, count(sub)) })
		if n.visitsTwice() {
			deepest *= 2
		}
		known[n.id] = min(most, max(total, deepest))
		return known[n.id]
	}
	return count(p.root)
}
