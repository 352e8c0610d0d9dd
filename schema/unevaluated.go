package schema

import (
	"slices"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// Whether a member or item is evaluated is asked only where unevaluatedProperties or unevaluatedItems
// stands: evaluators collects the subschemas that apply to the same value there and (where that is
// conditional) admit it, and each member or item is then held against them.

// evaluators appends n and the subschemas it applies in place to the value at text[i], those that admit
// it. own is the node whose unevaluated keyword asks. What applies unconditionally counts even when it
// refuses the value, as in Ajv: the value is invalid then anyway, and its issues are the same.
func (m *machine) evaluators(list []*node, n *node, i, container int) []*node {
	list = append(list, n)
	admits := func(sub *node) bool {
		m.next = container
		_, ok := m.check(sub, i)
		return ok
	}
	if n.ref != nil {
		list = m.evaluators(list, n.ref.target, i, container)
	}
	if n.dynamic != nil {
		list = m.evaluators(list, n.dynamic.target, i, container)
	}
	for _, sub := range n.allOf {
		list = m.evaluators(list, sub, i, container)
	}
	for _, subs := range [...][]*node{n.anyOf, n.oneOf} {
		for _, sub := range subs {
			if admits(sub) {
				list = m.evaluators(list, sub, i, container)
			}
		}
	}
	if n.cond != nil {
		branch := n.otherwise
		if admits(n.cond) {
			list = m.evaluators(list, n.cond, i, container)
			branch = n.then
		}
		if branch != nil && admits(branch) {
			list = m.evaluators(list, branch, i, container)
		}
	}
	if n.object != nil {
		for _, d := range n.object.dependentSchemas {
			if m.text[i] == '{' && m.hasMember(i, container, n.object.properties[d.property].name) && admits(d.node) {
				list = m.evaluators(list, d.node, i, container)
			}
		}
	}
	return list
}

// hasMember reports whether the object at text[i] has a member of that name.
func (m *machine) hasMember(i, container int, wanted string) bool {
	m.next = container + 1
	for i = scan.Space(m.text, i+1); m.text[i] != '}'; {
		name, at := memberAt(m.text, i)
		if string(m.unquote(name)) == wanted {
			return true
		}
		i = nextItem(m.text, m.skip(at))
	}
	return false
}

// evaluatesMember reports whether one of the evaluators evaluates the member with the quoted name. own's
// unevaluatedProperties does not count.
func (m *machine) evaluatesMember(list []*node, own *node, quoted []byte) bool {
	name := m.unquote(quoted)
	for _, n := range list {
		r := n.object
		if r == nil {
			continue
		}
		if r.openAdditional || r.unevaluated != nil && n != own {
			return true
		}
		if p := r.find(name); p >= 0 && r.properties[p].listed {
			return true
		}
		for j := range r.patterns {
			if r.patterns[j].pattern.match(name) {
				return true
			}
		}
	}
	return false
}

// checkUnevaluatedProperties checks the members of the object at text[i] that nothing else evaluates.
func (m *machine) checkUnevaluatedProperties(n *node, i, container int) bool {
	if n.object.unevaluated.always {
		return true
	}
	after := m.next
	list := m.borrow()
	list = m.evaluators(list, n, i, container)
	ok := true
	m.next = container + 1
	for i = scan.Space(m.text, i+1); m.text[i] != '}'; {
		name, at := memberAt(m.text, i)
		if m.evaluatesMember(list, n, name) {
			i = m.skip(at)
		} else if i, ok = m.check(n.object.unevaluated, at); !ok {
			break
		}
		i = nextItem(m.text, i)
	}
	m.giveBack(list)
	m.next = after
	return ok
}

// evaluatedItems gives how many items the evaluators evaluate from the first on; every may say all of
// them. The nodes whose contains can evaluate more are left in list.
func evaluatedItems(list []*node, own *node) (prefix int, every bool, containing []*node) {
	containing = list[:0]
	for _, n := range list {
		r := n.array
		if r == nil {
			continue
		}
		if r.openItems || r.unevaluated != nil && n != own {
			every = true
		}
		prefix = max(prefix, len(r.prefix))
		if r.contains != nil {
			containing = append(containing, n)
		}
	}
	return prefix, every, containing
}

// checkUnevaluatedItems checks the items of the array at text[i] that nothing else evaluates.
func (m *machine) checkUnevaluatedItems(n *node, i, container int) bool {
	if n.array.unevaluated.always {
		return true
	}
	after := m.next
	borrowed := m.evaluators(m.borrow(), n, i, container)
	prefix, every, containing := evaluatedItems(borrowed, n)
	ok := true
	if !every {
		m.next = container + 1
		index := 0
		for i = scan.Space(m.text, i+1); m.text[i] != ']'; index++ {
			if index < prefix || m.containedBy(containing, i) {
				i = m.skip(i)
			} else if i, ok = m.check(n.array.unevaluated, i); !ok {
				break
			}
			i = nextItem(m.text, i)
		}
	}
	m.giveBack(borrowed)
	m.next = after
	return ok
}

// unevaluatedAt gives where the members' values, or the items, are that nothing but n's own unevaluated keyword
// evaluates, of the container at text[i], the text's first.
func (m *machine) unevaluatedAt(n *node, i int) []int {
	list := m.evaluators(m.borrow(), n, i, 0)
	m.next = 1
	var at []int
	if m.text[i] == '{' {
		for i = scan.Space(m.text, i+1); m.text[i] != '}'; {
			name, value := memberAt(m.text, i)
			if !m.evaluatesMember(list, n, name) {
				at = append(at, value)
			}
			i = nextItem(m.text, m.skip(value))
		}
	} else if prefix, every, containing := evaluatedItems(list, n); !every {
		index := 0
		for i = scan.Space(m.text, i+1); m.text[i] != ']'; index++ {
			if index >= prefix && !m.containedBy(containing, i) {
				at = append(at, i)
			}
			i = nextItem(m.text, m.skip(i))
		}
	}
	m.giveBack(list)
	return at
}

// containedBy reports whether the contains of one of the nodes admits the item at text[i].
func (m *machine) containedBy(nodes []*node, i int) bool {
	start := m.next
	defer func() { m.next = start }()
	return slices.ContainsFunc(nodes, func(n *node) bool {
		m.next = start
		_, ok := m.check(n.array.contains, i)
		return ok
	})
}

// borrow gives an empty list of nodes, and giveBack takes it back for the next.
func (m *machine) borrow() []*node {
	if n := len(m.lists); n > 0 {
		list := m.lists[n-1]
		m.lists = m.lists[:n-1]
		return list[:0]
	}
	return make([]*node, 0, 16)
}

func (m *machine) giveBack(list []*node) {
	clear(list)
	m.lists = append(m.lists, list)
}
