package schema

import (
	"errors"
	"fmt"
	"maps"
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

// compile compiles a parsed document.
func compile(root *value, documents map[string][]byte) (*program, error) {
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
	return b.program, nil
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
		n.never = v.isFalse()
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
			b.problem(pointer(at.path, "$ref"), "%v", err)
		} else {
			target = b.follow(target, ref.text)
			n.ref = &reference{target: b.node(target, s), text: ref.text, inlined: !b.hasRef(target)}
		}
	}
	if ref := v.get("$dynamicRef"); ref != nil {
		target, err := b.resolve(ref.text, at)
		if err != nil {
			b.problem(pointer(at.path, "$dynamicRef"), "%v", err)
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

// follow goes on from a subschema that is nothing but a reference itself, as Ajv does for pointers: the
// path in its issues is then that of the first reference.
func (b *builder) follow(target *value, text string) *value {
	for range 100 {
		_, fragment, _ := strings.Cut(text, "#")
		if !strings.HasPrefix(fragment, "/") || target.kind != kindObject {
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

func (b *builder) inPlace(n *node, v *value, s *scope) {
	n.allOf = b.list(v, "allOf", s)
	n.anyOf = b.list(v, "anyOf", s)
	n.oneOf = b.list(v, "oneOf", s)
	n.not = b.sub(v, "not", s)
	if n.cond = b.sub(v, "if", s); n.cond != nil {
		n.then = b.sub(v, "then", s)
		n.otherwise = b.sub(v, "else", s)
	}
}

func (b *builder) arrays(n *node, v *value, s *scope, at place) {
	r := &arrayRules{maxItems: -1, minContains: 1, maxContains: -1}
	used := false
	use := func(keyword string) *value {
		sub := v.get(keyword)
		used = used || sub != nil
		return sub
	}
	if use("prefixItems") != nil {
		r.prefix = b.list(v, "prefixItems", s)
	}
	if use("items") != nil {
		r.items = b.sub(v, "items", s)
		r.openItems = true
	}
	if use("contains") != nil {
		r.contains = b.sub(v, "contains", s)
	}
	if use("unevaluatedItems") != nil {
		r.unevaluated = b.sub(v, "unevaluatedItems", s)
	}
	if !at.resource.noValidation {
		if m := use("maxItems"); m != nil {
			r.maxItems = count(m)
		}
		if m := use("minItems"); m != nil {
			r.minItems = count(m)
		}
		if m := use("uniqueItems"); m != nil {
			r.unique = m.isTrue()
		}
		if m := v.get("minContains"); m != nil {
			r.minContains = count(m)
		}
		if m := v.get("maxContains"); m != nil {
			r.maxContains = count(m)
		}
	}
	if used {
		n.array = r
	}
}

func (b *builder) objects(n *node, v *value, s *scope, at place) {
	r := &objectRules{maxProperties: -1}
	used := false
	use := func(keyword string) *value {
		sub := v.get(keyword)
		used = used || sub != nil
		return sub
	}
	known := map[string]int{}
	index := func(name string) int {
		i, ok := known[name]
		if !ok {
			i = len(r.properties)
			known[name] = i
			r.properties = append(r.properties, property{name: name, quoted: string(appendQuoted(nil, name)) + ":"})
		}
		return i
	}
	if properties := use("properties"); properties != nil {
		for _, m := range properties.ordered() {
			p := index(m.name)
			r.properties[p].node, r.properties[p].listed = b.node(m.value, s), true
		}
	}
	if patterns := use("patternProperties"); patterns != nil {
		for _, m := range patterns.ordered() {
			p, err := newPattern(m.name)
			if err != nil {
				b.problem(pointer(pointer(at.path, "patternProperties"), m.name), "%v", err)
				continue
			}
			r.patterns = append(r.patterns, patternRule{p, b.node(m.value, s), m.name})
		}
	}
	if use("additionalProperties") != nil {
		r.additional = b.sub(v, "additionalProperties", s)
		r.openAdditional = true
	}
	if use("propertyNames") != nil {
		r.propertyNames = b.sub(v, "propertyNames", s)
	}
	if schemas := use("dependentSchemas"); schemas != nil {
		for _, m := range schemas.ordered() {
			r.dependentSchemas = append(r.dependentSchemas, dependentSchema{index(m.name), b.node(m.value, s), "dependentSchemas"})
		}
	}
	if both := use("dependencies"); both != nil {
		for _, m := range both.ordered() {
			if m.value.kind == kindArray {
				r.dependentRequired = append(r.dependentRequired, needs(m, index, "dependencies"))
			} else {
				r.dependentSchemas = append(r.dependentSchemas, dependentSchema{index(m.name), b.node(m.value, s), "dependencies"})
			}
		}
	}
	if use("unevaluatedProperties") != nil {
		r.unevaluated = b.sub(v, "unevaluatedProperties", s)
	}
	if !at.resource.noValidation {
		if m := use("maxProperties"); m != nil {
			r.maxProperties = count(m)
		}
		if m := use("minProperties"); m != nil {
			r.minProperties = count(m)
		}
		if required := use("required"); required != nil {
			for _, name := range required.items {
				p := index(name.text)
				r.properties[p].required = true
				r.required = append(r.required, p)
			}
		}
		if m := use("dependentRequired"); m != nil {
			for _, m := range m.ordered() {
				r.dependentRequired = append(r.dependentRequired, needs(m, index, "dependentRequired"))
			}
		}
	}
	if !used {
		return
	}
	if len(r.properties) <= 64 {
		for _, p := range r.required {
			r.requiredMask |= 1 << p
		}
	}
	r.index()
	n.object = r
}

func needs(m member, index func(string) int, keyword string) dependentRequired {
	d := dependentRequired{property: index(m.name), keyword: keyword}
	for _, name := range m.value.items {
		d.needs = append(d.needs, index(name.text))
	}
	return d
}

// values compiles what the validation vocabulary says about single values.
func (b *builder) values(n *node, v *value) {
	if t := v.get("type"); t != nil {
		n.setTypes(t, v.get("nullable"))
	}
	if c := v.get("const"); c != nil {
		n.constant = newEqualRules(c, []*value{c})
	}
	if e := v.get("enum"); e != nil {
		n.enum = newEqualRules(e, e.items)
	}
	bound := func(keyword string) *limit {
		m := v.get(keyword)
		if m == nil {
			return nil
		}
		if n.number == nil {
			n.number = &numberRules{}
		}
		return newLimit(m)
	}
	if l := bound("maximum"); l != nil {
		n.number.maximum = l
	}
	if l := bound("minimum"); l != nil {
		n.number.minimum = l
	}
	if l := bound("exclusiveMaximum"); l != nil {
		n.number.exclusiveMaximum = l
	}
	if l := bound("exclusiveMinimum"); l != nil {
		n.number.exclusiveMinimum = l
	}
	if l := bound("multipleOf"); l != nil {
		n.number.multipleOf = l
	}
	if m := v.get("maxLength"); m != nil {
		n.textRules().maxLength = count(m)
	}
	if m := v.get("minLength"); m != nil {
		n.textRules().minLength = count(m)
	}
	if m := v.get("pattern"); m != nil {
		p, err := newPattern(m.text)
		if err != nil {
			b.problem(pointer(n.path, "pattern"), "%v", err)
			return
		}
		n.textRules().pattern = p
	}
}

func (n *node) textRules() *textRules {
	if n.text == nil {
		n.text = &textRules{maxLength: -1}
	}
	return n.text
}

func (n *node) setTypes(t, nullable *value) {
	names := t.items
	if t.kind == kindString {
		names = []*value{t}
	}
	n.types = 0
	number := false
	for _, name := range names {
		switch name.text {
		case "null":
			n.types |= kindNull
		case "boolean":
			n.types |= kindBoolean
		case "string":
			n.types |= kindString
		case "array":
			n.types |= kindArray
		case "object":
			n.types |= kindObject
		case "number":
			n.types |= kindNumber
			number = true
		case "integer":
			n.types |= kindNumber
			n.integer = true
		}
	}
	n.integer = n.integer && !number
	if nullable != nil && nullable.isTrue() { // OpenAPI's, which Ajv reads too
		n.types |= kindNull
	}
}

func (b *builder) formats(n *node, v *value) {
	name := v.get("format")
	if name == nil {
		return
	}
	f := formats[name.text]
	switch {
	case f == nil: // an annotation
	case f.number != nil:
		if n.number == nil {
			n.number = &numberRules{}
		}
		n.number.format = f
	case f.text != nil:
		n.textRules().format = f
		for _, keyword := range formatLimits {
			if limit := v.get(keyword); limit != nil && limit.kind == kindString && f.compare != nil {
				n.text.formatLimits = append(n.text.formatLimits, formatLimit{keyword, limit.text, f, limit})
			}
		}
	}
}

// finish derives what checking needs from the whole program, and refuses endless ones.
func (p *program) finish() error {
	for _, n := range p.nodes {
		n.applies = n.ref != nil || n.dynamic != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil || n.cond != nil
		n.bare = n.types == kindAny && !n.never && n.number == nil && n.text == nil && n.array == nil && n.object == nil && n.constant == nil && n.enum == nil
		n.always = n.bare && !n.applies
	}
	if n := p.endless(); n != nil {
		return &DocumentError{n.path, "the schema applies itself to the same value without end"}
	}
	p.indexed = p.recursive() && slices.ContainsFunc(p.nodes, (*node).visitsTwice) || p.visits() > manyVisits
	return nil
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
	for _, start := range p.nodes {
		stack := []*node{start}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			if state[n.id] != fresh {
				stack = stack[:len(stack)-1]
				state[n.id] = done
				continue
			}
			state[n.id] = open
			var found *node
			edges(n, func(sub *node) {
				switch state[sub.id] {
				case open:
					found = sub
				case fresh:
					stack = append(stack, sub)
				}
			})
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
	if r := n.array; r != nil {
		if r.contains != nil && (r.items != nil || r.prefix != nil) || r.unique || r.unevaluated != nil {
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
func (p *program) visits() int {
	const most = 1 << 20
	if p.recursive() {
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
