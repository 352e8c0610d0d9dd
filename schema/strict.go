package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// strictWalk goes through a document as Ajv's compiler does, and collects what its strict mode refuses.
// The order and the contexts are Ajv's: which subschemas it compiles at all, what types it takes for
// granted there, which properties it has met, and whether it is in a branch of a compound keyword.
type strictWalk struct {
	*library
	hasRef   func(*value) bool
	follow   func(*value, string) *value
	compiled map[*value]bool // compiled to functions of their own
	seen     map[string]bool
	reasons  []error
}

// strictContext is what Ajv knows where a subschema stands.
type strictContext struct {
	schema *value
	at     place
	types  []string // that the value may have
	// defined are the properties met so far. Contexts of one value share it, and Ajv forgets it when it
	// goes into a member or item.
	defined *map[string]bool
	branch  bool // in a branch of a compound keyword

	props, items evaluated
}

// evaluated is what Ajv's compiler knows of what is evaluated: nothing, some, what only the value tells,
// or all.
type evaluated uint8

const (
	evaluatedNone evaluated = iota
	evaluatedSome
	evaluatedDynamic
	evaluatedAll
)

// merge adds what a subschema evaluates; dynamic says that it counts only if the value is valid.
func (e *evaluated) merge(from evaluated, dynamic bool) {
	if *e == evaluatedAll || from == evaluatedNone {
		return
	}
	switch {
	case dynamic || *e == evaluatedDynamic || from == evaluatedDynamic && *e != evaluatedNone:
		*e = evaluatedDynamic
	default:
		*e = max(*e, from)
	}
}

// strict gives every reason.
func strict(root *value, documents map[string][]byte) error {
	l := &library{documents: documents, resources: map[string]*resource{}, places: map[*value]place{}}
	l.add(root, "")
	b := &builder{library: l, hasRefs: map[*value]bool{}}
	return b.strict(root)
}

// strict gives every reason, of a document whose places are known.
func (b *builder) strict(root *value) error {
	w := &strictWalk{library: b.library, hasRef: b.hasRef, follow: b.follow, compiled: map[*value]bool{}, seen: map[string]bool{}}
	w.function(root)
	return errors.Join(w.reasons...)
}

func (w *strictWalk) refuse(path *trail, format string, args ...any) {
	if len(w.reasons) >= maxProblems {
		return
	}
	e := &DocumentError{path.String(), fmt.Sprintf(format, args...)}
	if text := e.Error(); !w.seen[text] {
		w.seen[text] = true
		w.reasons = append(w.reasons, e)
	}
}

func (w *strictWalk) place(v *value) place { return w.places[v] }

// function compiles a schema to a function of its own, and gives what it evaluates.
func (w *strictWalk) function(v *value) (props, items evaluated) {
	if w.compiled[v] {
		// While it is being compiled, or when it was, Ajv asks the function itself: not always, but the
		// difference shows only in what is never refused.
		return evaluatedDynamic, evaluatedDynamic
	}
	w.compiled[v] = true
	c := &strictContext{schema: v, at: w.place(v), defined: &map[string]bool{}}
	if v.kind == kindObject {
		w.unknown(v)
		if hasRules(v) {
			if v.get("default") != nil {
				w.refuse(c.at.path.to("default"), "a default is ignored here, at the root of the schema; remove it")
			}
			w.keywords(c)
		}
	}
	return c.props, c.items
}

// subschema visits a subschema in a context made from c.
func (w *strictWalk) subschema(c *strictContext, v *value, change func(*strictContext)) *strictContext {
	sub := &strictContext{schema: v, at: w.place(v), types: c.types, defined: c.defined, branch: c.branch}
	if change != nil {
		change(sub)
	}
	if v.kind == kindObject {
		w.unknown(v)
		if hasRules(v) {
			w.keywords(sub)
		}
	}
	return sub
}

// below visits a subschema for a member or item.
func (w *strictWalk) below(c *strictContext, v *value, change func(*strictContext)) {
	c.defined = &map[string]bool{}
	w.subschema(c, v, func(sub *strictContext) {
		sub.types = nil
		if change != nil {
			change(sub)
		}
	})
}

func inBranch(c *strictContext) { c.branch = true }

func hasRules(v *value) bool {
	return slices.ContainsFunc(v.members, func(m member) bool { return isRule(m.name) })
}

// always reports whether Ajv takes a subschema for one that admits everything. It looks at the names of
// its keywords on the way.
func (w *strictWalk) always(v *value) bool {
	if v.kind == kindBoolean {
		return v.isTrue()
	}
	if len(v.members) == 0 {
		return true
	}
	w.unknown(v)
	return !hasRules(v)
}

func (w *strictWalk) unknown(v *value) {
	for _, m := range v.members {
		if !isRule(m.name) && !contains(silentKeywords, m.name) {
			w.refuse(w.place(v).path.to(m.name), "unknown keyword %q; remove it, or say it in $comment", m.name)
		}
	}
}

// keywords visits the keywords of a schema object.
func (w *strictWalk) keywords(c *strictContext) {
	v := c.schema
	path := func(keyword string) *trail { return c.at.path.to(keyword) }
	types := typesOf(v)
	if nullable := v.get("nullable"); nullable != nil {
		switch {
		case nullable.kind != kindBoolean:
			w.refuse(path("nullable"), "nullable must be a boolean")
		case len(types) == 0:
			w.refuse(path("nullable"), "nullable needs a type beside it")
		case slices.Contains(types, "null") && nullable.isFalse():
			w.refuse(path("nullable"), `nullable: false contradicts the type "null"`)
		case !slices.Contains(types, "null") && nullable.isTrue():
			types = append(types, "null")
		}
	}
	if v.get("$async") != nil {
		w.refuse(path("$async"), "asynchronous schemas are not supported; remove $async")
	}
	if v.get("$ref") != nil && !slices.ContainsFunc(v.members, func(m member) bool { return m.name != "$ref" && isRule(m.name) }) {
		w.reference(c)
		return
	}
	w.strictTypes(c, types)
	w.ungrouped(c)
	w.scalars(c)
	w.array(c)
	w.object(c)
}

func typesOf(v *value) []string {
	t := v.get("type")
	if t == nil {
		return nil
	}
	if t.kind == kindString {
		return []string{t.text}
	}
	var types []string
	for _, item := range t.items {
		types = append(types, item.text)
	}
	return types
}

func (w *strictWalk) strictTypes(c *strictContext, types []string) {
	path := func() *trail { return c.at.path.to("type") }
	includes := func(list []string, t string) bool {
		return slices.Contains(list, t) || t == "integer" && slices.Contains(list, "number")
	}
	if len(types) > 0 {
		if len(c.types) == 0 {
			c.types = types
		} else {
			for _, t := range types {
				if !includes(c.types, t) {
					w.refuse(path(), "type %q is not among those of the schema around it, %s", t, strings.Join(c.types, ", "))
				}
			}
			var narrowed []string
			for _, t := range c.types {
				if includes(types, t) {
					narrowed = append(narrowed, t)
				} else if t == "number" && slices.Contains(types, "integer") {
					narrowed = append(narrowed, "integer")
				}
			}
			c.types = narrowed
		}
	}
	if len(types) > 1 && (len(types) != 2 || !slices.Contains(types, "null")) {
		w.refuse(path(), `a union of types, %s, is not allowed except [T, "null"]; use anyOf with one type each`, strings.Join(types, ", "))
	}
	for _, m := range c.schema.members {
		some, fits := false, false
		for _, t := range typesWithRules {
			if groupOf(m.name, t) {
				some = true
				fits = fits || slices.Contains(c.types, t) || t == "number" && slices.Contains(c.types, "integer")
			}
		}
		if some && !fits {
			w.refuse(c.at.path.to(m.name), "%s needs the type %s in the same schema", m.name, strings.Join(typesFor(m.name), " or "))
		}
	}
}

// typesWithRules are the types that have keywords of their own.
var typesWithRules = [...]string{"number", "string", "array", "object"}

// typesFor gives the types that a keyword is for, nil for any.
func typesFor(keyword string) []string {
	var types []string
	for _, t := range typesWithRules {
		if groupOf(keyword, t) {
			types = append(types, t)
		}
	}
	return types
}

// reference visits $ref.
func (w *strictWalk) reference(c *strictContext) {
	ref := c.schema.get("$ref")
	target, err := w.resolve(ref.text, c.at)
	if err != nil {
		return // Compile has said so
	}
	target = w.follow(target, ref.text)
	switch {
	case w.place(target).resource != nil && metaschema(w.place(target).resource.base.String()) != nil:
		// The draft's own schemas are exempt.
		c.props.merge(evaluatedDynamic, true)
		c.items.merge(evaluatedDynamic, true)
	case w.hasRef(target):
		props, items := w.function(target)
		c.props.merge(props, false)
		c.items.merge(items, false)
	default:
		sub := w.subschema(c, target, func(sub *strictContext) { sub.types = nil })
		c.props.merge(sub.props, false)
		c.items.merge(sub.items, false)
	}
}

// ungrouped visits the keywords for any type.
func (w *strictWalk) ungrouped(c *strictContext) {
	v := c.schema
	path := func(keyword string) *trail { return c.at.path.to(keyword) }
	if v.get("$dynamicAnchor") != nil {
		w.function(v)
	}
	if ref := v.get("$dynamicRef"); ref != nil {
		if !strings.HasPrefix(ref.text, "#") {
			w.refuse(path("$dynamicRef"), "$dynamicRef must be a fragment, like #name")
		}
		c.props.merge(evaluatedDynamic, true)
		c.items.merge(evaluatedDynamic, true)
	}
	for _, keyword := range [...]string{"$recursiveAnchor", "$recursiveRef"} {
		if v.get(keyword) != nil {
			w.refuse(path(keyword), "%s is of Draft 2019-09; use $dynamicAnchor and $dynamicRef", keyword)
		}
	}
	if v.get("id") != nil {
		w.refuse(path("id"), "id is of Draft 4; use $id")
	}
	if v.get("$ref") != nil {
		w.reference(c)
	}
	if enum := v.get("enum"); enum != nil && len(enum.items) == 0 {
		w.refuse(path("enum"), "enum must have at least one value")
	}
	if not := v.get("not"); not != nil && !w.always(not) {
		w.subschema(c, not, inBranch)
	}
	w.alternatives(c, "anyOf")
	w.alternatives(c, "oneOf")
	if all := v.get("allOf"); all != nil {
		for _, item := range all.items {
			if !w.always(item) {
				sub := w.subschema(c, item, nil)
				c.props.merge(sub.props, false)
				c.items.merge(sub.items, false)
			}
		}
	}
	w.conditional(c)
}

func (w *strictWalk) alternatives(c *strictContext, keyword string) {
	list := c.schema.get(keyword)
	if list == nil {
		return
	}
	for _, item := range list.items {
		if keyword == "oneOf" && w.always(item) {
			continue
		}
		sub := w.subschema(c, item, inBranch)
		c.props.merge(sub.props, true)
		c.items.merge(sub.items, true)
	}
}

func (w *strictWalk) conditional(c *strictContext) {
	v := c.schema
	cond := v.get("if")
	has := func(keyword string) bool {
		sub := v.get(keyword)
		if sub == nil {
			return false
		}
		if cond == nil {
			w.refuse(c.at.path.to(keyword), "%s is ignored without if", keyword)
			return false
		}
		return !w.always(sub)
	}
	then, otherwise := has("then"), has("else")
	if cond == nil {
		return
	}
	if v.get("then") == nil && v.get("else") == nil {
		w.refuse(c.at.path.to("if"), "if is ignored without then or else")
	}
	if !then && !otherwise {
		return
	}
	sub := w.subschema(c, cond, inBranch)
	c.props.merge(sub.props, false)
	c.items.merge(sub.items, false)
	clause := func(keyword string) {
		sub := w.subschema(c, v.get(keyword), nil)
		c.props.merge(sub.props, true)
		c.items.merge(sub.items, true)
	}
	if then {
		clause("then")
	}
	if otherwise {
		clause("else")
	}
}
