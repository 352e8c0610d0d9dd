package schema

import "slices"

// manyNames is how many names of an object are found without a map.
const manyNames = 16

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
	if !slices.ContainsFunc(v.members, func(m member) bool { return groupOf(m.name, "array") }) {
		return
	}
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
	if !slices.ContainsFunc(v.members, func(m member) bool { return groupOf(m.name, "object") }) {
		return
	}
	r := &objectRules{maxProperties: -1}
	used := false
	use := func(keyword string) *value {
		sub := v.get(keyword)
		used = used || sub != nil
		return sub
	}
	var known map[string]int // once there are many
	index := func(name string) int {
		i, ok := known[name]
		if known == nil {
			i = slices.IndexFunc(r.properties, func(p property) bool { return p.name == name })
			ok = i >= 0
		}
		if !ok {
			i = len(r.properties)
			if i == manyNames {
				known = make(map[string]int)
				for j := range r.properties {
					known[r.properties[j].name] = j
				}
			}
			if known != nil {
				known[name] = i
			}
			r.properties = append(r.properties, property{name: name, quoted: string(appendQuoted(nil, name)) + ":"})
		}
		return i
	}
	if properties := use("properties"); properties != nil {
		r.properties = make([]property, 0, len(properties.members))
		for _, m := range properties.ordered() {
			p := index(m.name)
			r.properties[p].node, r.properties[p].listed = b.node(m.value, s), true
		}
	}
	if patterns := use("patternProperties"); patterns != nil {
		for _, m := range patterns.ordered() {
			p, err := newPattern(m.name)
			if err != nil {
				b.problem(at.path.to("patternProperties").to(m.name), "%v", err)
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
			b.problem(n.path.to("pattern"), "%v", err)
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
	f := formatOf(name.text)
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
