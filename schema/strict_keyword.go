package schema

import "strconv"

// scalars visits the keywords for numbers and strings.
func (w *strictWalk) scalars(c *strictContext) {
	v := c.schema
	name := v.get("format")
	if name != nil && formatOf(name.text) == nil {
		w.refuse(c.at.path.to("format"), "unknown format %q; remove it, or use a pattern", name.text)
	}
	for _, keyword := range formatLimits {
		limit := v.get(keyword)
		switch {
		case limit == nil:
		case limit.kind != kindString:
			w.refuse(c.at.path.to(keyword), "%s must be a string", keyword)
		case name == nil:
			w.refuse(c.at.path.to(keyword), "%s needs a format beside it", keyword)
		case formatOf(name.text) != nil && (formatOf(name.text).text != nil || formatOf(name.text).number != nil) && formatOf(name.text).compare == nil:
			w.refuse(c.at.path.to(keyword), "%s cannot compare values of the format %q", keyword, name.text)
		}
	}
}

func (w *strictWalk) array(c *strictContext) {
	v := c.schema
	path := func(keyword string) *trail { return c.at.path.to(keyword) }
	items := v.get("items")
	if prefix := v.get("prefixItems"); prefix != nil {
		n := len(prefix.items)
		is := func(keyword string) bool {
			m := v.get(keyword)
			return m != nil && compareNumbers(m.raw, []byte(strconv.Itoa(n))) == 0
		}
		if !is("minItems") || !is("maxItems") && (items == nil || !items.isFalse()) {
			w.refuse(path("prefixItems"), "a tuple of %d needs minItems: %d, and items: false or maxItems: %d", n, n, n)
		}
		c.items.merge(evaluatedSome, false)
		for _, item := range prefix.items {
			if !w.always(item) {
				w.below(c, item, nil)
			}
		}
	}
	if items != nil {
		c.items = evaluatedAll
		if !w.always(items) && (v.get("prefixItems") == nil || items.kind == kindObject) {
			w.below(c, items, nil)
		}
	}
	w.contains(c)
	if unevaluated := v.get("unevaluatedItems"); unevaluated != nil && c.items != evaluatedAll {
		if unevaluated.kind == kindObject && !w.always(unevaluated) {
			w.below(c, unevaluated, nil)
		}
		c.items = evaluatedAll
	}
}

func (w *strictWalk) contains(c *strictContext) {
	v := c.schema
	path := func(keyword string) *trail { return c.at.path.to(keyword) }
	least, most, sub := v.get("minContains"), v.get("maxContains"), v.get("contains")
	if sub == nil {
		for _, keyword := range [...]string{"minContains", "maxContains"} {
			if v.get(keyword) != nil {
				w.refuse(path(keyword), "%s is ignored without contains", keyword)
			}
		}
		return
	}
	low := 1
	if least != nil {
		low = count(least)
	}
	switch {
	case most == nil && low == 0:
		w.refuse(path("minContains"), "minContains: 0 without maxContains means that contains is ignored")
		return
	case most != nil && low > count(most):
		w.refuse(path("minContains"), "minContains is above maxContains (1 and more without minContains), so nothing is valid")
		return
	}
	if !w.always(sub) {
		c.items = evaluatedAll
		w.below(c, sub, inBranch)
	}
}

func (w *strictWalk) object(c *strictContext) {
	v := c.schema
	path := func(keyword string) *trail { return c.at.path.to(keyword) }
	properties := v.get("properties")
	if properties != nil && c.branch {
		for _, m := range properties.members {
			if d := m.value.get("default"); d != nil {
				w.refuse(w.place(m.value).path.to("default"), "a default is ignored here, in a branch of a compound keyword; remove it")
			}
		}
	}
	if required := v.get("required"); required != nil {
		for _, name := range required.items {
			if (properties == nil || properties.get(name.text) == nil) && !(*c.defined)[name.text] {
				w.refuse(path("required"), "required names %q, which properties of the same schema lacks; add it there", name.text)
			}
		}
	}
	if names := v.get("propertyNames"); names != nil && !w.always(names) {
		w.below(c, names, func(sub *strictContext) { sub.types, sub.branch = []string{"string"}, true })
	}
	if additional := v.get("additionalProperties"); additional != nil {
		c.props = evaluatedAll
		if !w.always(additional) && additional.kind == kindObject {
			w.below(c, additional, nil)
		}
	}
	w.dependents(c, "dependencies")
	if properties != nil {
		w.properties(c, properties)
	}
	if patterns := v.get("patternProperties"); patterns != nil {
		w.patterns(c, patterns, properties)
	}
	w.dependents(c, "dependentSchemas")
	if unevaluated := v.get("unevaluatedProperties"); unevaluated != nil {
		if c.props != evaluatedAll && unevaluated.kind == kindObject && !w.always(unevaluated) {
			w.below(c, unevaluated, nil)
		}
		c.props = evaluatedAll
	}
}

func (w *strictWalk) properties(c *strictContext, properties *value) {
	for _, m := range properties.members {
		(*c.defined)[m.name] = true
	}
	if len(properties.members) > 0 {
		c.props.merge(evaluatedSome, false)
	}
	for _, m := range properties.ordered() {
		if !w.always(m.value) {
			w.below(c, m.value, nil)
			(*c.defined)[m.name] = true
		}
	}
}

func (w *strictWalk) patterns(c *strictContext, patterns, properties *value) {
	always := 0
	for _, m := range patterns.members {
		if w.always(m.value) {
			always++
		}
	}
	if len(patterns.members) == 0 || always == len(patterns.members) && c.props == evaluatedAll {
		return
	}
	if c.props != evaluatedAll {
		c.props = evaluatedDynamic
	}
	for _, m := range patterns.ordered() {
		// Ajv leaves the u flag out where it looks for properties that match.
		if properties != nil && len(properties.members) > 0 && !isRegExp(m.name) {
			w.refuse(c.at.path.to("patternProperties").to(m.name), "beside properties, the pattern must be one without the flag u too; list the characters in another way")
		}
		p, err := compilePattern(m.name, false)
		if err == nil && properties != nil {
			for _, property := range properties.members {
				if p.match([]byte(property.name)) {
					w.refuse(c.at.path.to("patternProperties").to(m.name), "the pattern matches the property %q too; make them distinct", property.name)
				}
			}
		}
		if !w.always(m.value) {
			w.below(c, m.value, nil)
		}
	}
}

func (w *strictWalk) dependents(c *strictContext, keyword string) {
	schemas := c.schema.get(keyword)
	if schemas == nil {
		return
	}
	for _, m := range schemas.ordered() {
		if m.value.kind == kindArray || w.always(m.value) {
			continue
		}
		sub := w.subschema(c, m.value, nil)
		c.props.merge(sub.props, true)
		c.items.merge(sub.items, true)
	}
}
