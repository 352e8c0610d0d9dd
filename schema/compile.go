package schema

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// builder makes nodes of subschemas.
type builder struct {
	*library
	program *program
	built   map[builtKey]*node
	scopes  map[string]*scope
	hasRefs map[*value]bool
}

// builtKey is what decides a node: the subschema, and what dynamic references within it mean.
type builtKey struct {
	schema *value
	scope  *scope
}

// scope is what every dynamic anchor means: the subschema of the outermost resource entered that has it
// (JSON Schema Core, section 8.2.3.2). Resolving dynamic references once for each scope makes them
// ordinary ones.
type scope struct {
	key   string
	binds map[string]*value
}

// compile compiles a parsed document, into the program of the builder it gives.
func compile(root *value, documents map[string][]byte) (*builder, error) {
	l := &library{documents: documents, resources: map[string]*resource{}, places: map[*value]place{}}
	b := &builder{library: l, program: &program{}, built: map[builtKey]*node{}, scopes: map[string]*scope{}, hasRefs: map[*value]bool{}}
	l.add(root, "")
	if len(l.problems) > 0 {
		return nil, errors.Join(l.problems...)
	}
	b.program.root = b.node(root, b.scope(nil))
	if len(l.problems) > 0 {
		return nil, errors.Join(l.problems...)
	}
	if err := b.program.finish(); err != nil {
		return nil, err
	}
	b.program.prepareDefaults()
	return b, nil
}

func (b *builder) scope(binds map[string]*value) *scope {
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(binds)) {
		fmt.Fprintf(&key, "%s=%p;", name, binds[name])
	}
	s := b.scopes[key.String()]
	if s == nil {
		s = &scope{key.String(), binds}
		b.scopes[s.key] = s
	}
	return s
}

// enter gives the scope within a resource.
func (b *builder) enter(s *scope, r *resource) *scope {
	var binds map[string]*value
	for _, name := range r.names {
		if s.binds[name] != nil {
			continue
		}
		if binds == nil {
			if binds = maps.Clone(s.binds); binds == nil {
				binds = map[string]*value{}
			}
		}
		binds[name] = r.dynamic[name]
	}
	if binds == nil {
		return s
	}
	return b.scope(binds)
}

// node gives the node of a subschema that is entered in the scope.
func (b *builder) node(v *value, s *scope) *node {
	at := b.places[v]
	s = b.enter(s, at.resource)
	key := builtKey{v, s}
	if n := b.built[key]; n != nil {
		return n
	}
	n := &node{id: len(b.program.nodes), source: v, path: at.path, types: kindAny}
	b.program.nodes = append(b.program.nodes, n)
	b.built[key] = n
	if v.kind == kindBoolean {
		if n.never = v.isFalse(); n.never {
			n.types = 0
		}
		return n
	}
	b.references(n, v, s, at)
	b.inPlace(n, v, s)
	b.arrays(n, v, s, at)
	b.objects(n, v, s, at)
	if !at.resource.noValidation {
		b.values(n, v)
	}
	b.formats(n, v)
	return n
}

func (b *builder) sub(v *value, keyword string, s *scope) *node {
	if sub := v.get(keyword); sub != nil {
		return b.node(sub, s)
	}
	return nil
}

func (b *builder) list(v *value, keyword string, s *scope) []*node {
	sub := v.get(keyword)
	if sub == nil {
		return nil
	}
	var nodes []*node
	for _, item := range sub.items {
		nodes = append(nodes, b.node(item, s))
	}
	return nodes
}

func (b *builder) references(n *node, v *value, s *scope, at place) {
	if ref := v.get("$ref"); ref != nil {
		target, err := b.resolve(ref.text, at)
		if err != nil {
			b.problem(at.path.to("$ref"), "%v", err)
		} else {
			target = b.follow(target, ref.text)
			n.ref = &reference{target: b.node(target, s), text: ref.text, inlined: !b.hasRef(target)}
		}
	}
	if ref := v.get("$dynamicRef"); ref != nil {
		target, err := b.resolve(ref.text, at)
		if err != nil {
			b.problem(at.path.to("$dynamicRef"), "%v", err)
			return
		}
		_, fragment, _ := strings.Cut(ref.text, "#")
		if b.places[target].resource.dynamic[fragment] == target {
			if bound := s.binds[fragment]; bound != nil {
				target = bound
			}
		}
		n.dynamic = &reference{target: b.node(target, s), text: ref.text}
	}
}

// follow goes on from a subschema that is nothing but a reference itself, as Ajv does for pointers and for
// what it knows by a URI: the path in its issues is then that of the first reference.
func (b *builder) follow(target *value, text string) *value {
	for step := range 100 {
		_, fragment, _ := strings.Cut(text, "#")
		if target.kind != kindObject || !strings.HasPrefix(fragment, "/") && (step > 0 || !b.hasURI(target, fragment)) {
			return target
		}
		ref := target.get("$ref")
		if ref == nil || ref.kind != kindString || slices.ContainsFunc(target.members, func(m member) bool { return m.name != "$ref" && isRule(m.name) }) {
			return target
		}
		next, err := b.resolve(ref.text, b.places[target])
		if err != nil || next == b.places[next].resource.root {
			return target
		}
		if _, fragment, _ := strings.Cut(ref.text, "#"); fragment != "" && fragment[0] != '/' {
			return target
		}
		target, text = next, ref.text
	}
	return target
}

// hasURI reports whether Ajv knows the target of a reference with that fragment, which is no pointer, by a URI:
// a resource within a document, or an anchor where there is a base. It knows other anchors by their names.
func (b *builder) hasURI(target *value, fragment string) bool {
	r := b.places[target].resource
	if fragment == "" {
		return r.root == target && r.path != nil
	}
	return *r.base != url.URL{}
}

// hasRef reports whether Ajv compiles the schema to a function of its own when it is referred to: one
// with a reference or a dynamic anchor anywhere in it, even where it means nothing.
func (b *builder) hasRef(v *value) bool {
	if known, ok := b.hasRefs[v]; ok {
		return known
	}
	found := slices.ContainsFunc(v.items, b.hasRef) || slices.ContainsFunc(v.members, func(m member) bool {
		switch m.name {
		case "$ref", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor":
			return true
		}
		return b.hasRef(m.value)
	})
	b.hasRefs[v] = found
	return found
}
