package schema

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// resource is a schema with a URI of its own: a document, or a part of one with an $id.
type resource struct {
	base    *url.URL
	root    *value
	path    *trail // of the root in its document
	anchors map[string]*value
	// dynamic has those of the anchors that are dynamic, and names lists them in the document's order.
	dynamic map[string]*value
	names   []string

	// noValidation says that the resource's metaschema leaves the validation vocabulary out.
	noValidation bool
}

// place is where a subschema stands.
type place struct {
	resource *resource
	path     *trail
}

// library holds every resource that references can reach.
type library struct {
	documents map[string][]byte // by URI, not read yet
	resources map[string]*resource
	places    map[*value]place
	problems  []error
}

// maxProblems is how many things wrong with a document are named.
const maxProblems = 100

// How keywords hold subschemas.
var (
	oneSchema    = []string{"additionalProperties", "propertyNames", "items", "contains", "unevaluatedItems", "unevaluatedProperties", "not", "if", "then", "else", "contentSchema"}
	schemaLists  = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaTables = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"}
)

func (l *library) problem(path *trail, format string, args ...any) {
	if len(l.problems) >= maxProblems {
		return
	}
	l.problems = append(l.problems, &DocumentError{path.String(), fmt.Sprintf(format, args...)})
}

// add reads a document and everything within it that has a URI.
func (l *library) add(root *value, uri string) *resource {
	base, err := url.Parse(strings.TrimSuffix(uri, "#"))
	if err != nil {
		l.problem(nil, "its URI %q is not one", uri)
		base = &url.URL{}
	}
	r := l.resource(root, base, nil)
	l.walk(root, r, nil)
	return r
}

func (l *library) resource(root *value, base *url.URL, path *trail) *resource {
	r := &resource{base: base, root: root, path: path}
	if id := root.get("$id"); id != nil && id.kind == kindString {
		own, err := resolveURI(base, strings.TrimSuffix(id.text, "#"))
		if err != nil || own.Fragment != "" {
			l.problem(path.to("$id"), "%q is not a URI without a fragment", id.text)
		} else {
			r.base = own
		}
	}
	key := r.base.String()
	if other := l.resources[key]; other != nil && other.root != root {
		l.problem(path, "two schemas have the URI %q", key)
	} else {
		l.resources[key] = r
	}
	if dialect := root.get("$schema"); dialect != nil && dialect.kind == kindString {
		r.noValidation = l.lacksValidation(dialect.text, path)
	}
	return r
}

func resolveURI(base *url.URL, reference string) (*url.URL, error) {
	u, err := url.Parse(reference)
	if err != nil {
		return nil, err
	}
	if *base == (url.URL{}) {
		return u, nil
	}
	return base.ResolveReference(u), nil
}

// lacksValidation reports whether the metaschema named by $schema leaves out the validation vocabulary.
func (l *library) lacksValidation(dialect string, path *trail) bool {
	const draft = "https://json-schema.org/draft/2020-12/schema"
	uri := strings.TrimSuffix(dialect, "#")
	if uri == draft {
		return false
	}
	meta := l.find(uri)
	if meta == nil {
		l.problem(path.to("$schema"), "%q is not Draft 2020-12 (%s)", dialect, draft)
		return false
	}
	vocabulary := meta.root.get("$vocabulary")
	return vocabulary != nil && vocabulary.get("https://json-schema.org/draft/2020-12/vocab/validation") == nil
}

// walk notes the place of every subschema, and the anchors.
func (l *library) walk(v *value, r *resource, path *trail) {
	if _, seen := l.places[v]; seen {
		return
	}
	if v.kind == kindObject && v != r.root {
		if id := v.get("$id"); id != nil && id.kind == kindString {
			r = l.resource(v, r.base, path)
		}
	}
	l.places[v] = place{r, path}
	l.checkKeywords(v, path)
	if v.kind != kindObject {
		return
	}
	l.anchor(v, r, path, "$anchor")
	l.anchor(v, r, path, "$dynamicAnchor")
	for _, m := range v.members {
		l.walkKeyword(m, r, path)
	}
}

func (l *library) anchor(v *value, r *resource, path *trail, keyword string) {
	name := v.get(keyword)
	if name == nil || name.kind != kindString {
		return
	}
	if other := r.anchors[name.text]; other != nil && other != v {
		l.problem(path.to(keyword), "two subschemas have the anchor %q", name.text)
		return
	}
	if r.anchors == nil {
		r.anchors = map[string]*value{}
	}
	r.anchors[name.text] = v
	if keyword == "$dynamicAnchor" {
		if r.dynamic == nil {
			r.dynamic = map[string]*value{}
		}
		r.dynamic[name.text] = v
		r.names = append(r.names, name.text)
	}
}

func (l *library) walkKeyword(m member, r *resource, path *trail) {
	switch {
	case contains(oneSchema, m.name):
		l.walk(m.value, r, path.to(m.name))
	case contains(schemaLists, m.name):
		path = path.to(m.name)
		for i, item := range m.value.items {
			l.walk(item, r, path.to(strconv.Itoa(i)))
		}
	case contains(schemaTables, m.name):
		path = path.to(m.name)
		for _, entry := range m.value.members {
			if m.name == "dependencies" && entry.value.kind == kindArray {
				continue
			}
			l.walk(entry.value, r, path.to(entry.name))
		}
	}
}

func contains(list []string, s string) bool {
	for _, t := range list {
		if s == t {
			return true
		}
	}
	return false
}

// find gives the resource with the URI, reading its document if need be; nil when there is none.
func (l *library) find(uri string) *resource {
	if r := l.resources[uri]; r != nil {
		return r
	}
	document, ok := l.documents[uri]
	if !ok {
		if document, ok = l.documents[uri+"#"]; !ok {
			if document = metaschema(uri); document == nil {
				return nil
			}
		}
	}
	r := l.add(parse(document), uri)
	l.resources[uri] = r // also when its $id says another
	return r
}

// resolve gives the subschema that a reference within the place names, and whether the reference is a
// pointer and not an anchor.
func (l *library) resolve(reference string, from place) (*value, error) {
	before, fragment, _ := strings.Cut(reference, "#")
	r := from.resource
	if before != "" {
		uri, err := resolveURI(r.base, before)
		if err != nil {
			return nil, fmt.Errorf("%q is not a URI reference", reference)
		}
		if r = l.find(uri.String()); r == nil {
			return nil, fmt.Errorf("%q cannot be resolved: there is no schema %q, and none is ever fetched", reference, uri)
		}
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URI reference", reference)
	}
	if fragment == "" {
		return r.root, nil
	}
	if fragment[0] != '/' {
		if v := r.anchors[fragment]; v != nil {
			return v, nil
		}
		return nil, fmt.Errorf("%q cannot be resolved: no anchor %q", reference, fragment)
	}
	v, path := r.root, r.path
	for segment := range strings.SplitSeq(fragment[1:], "/") {
		segment = strings.ReplaceAll(strings.ReplaceAll(segment, "~1", "/"), "~0", "~")
		if known, ok := l.places[v]; ok {
			r = known.resource
		}
		var next *value
		switch v.kind {
		case kindObject:
			next = v.get(segment)
		case kindArray:
			if i, ok := arrayIndex(segment); ok && i < uint64(len(v.items)) {
				next = v.items[i]
			}
		}
		if next == nil {
			return nil, fmt.Errorf("%q cannot be resolved: nothing at %q", reference, path.to(segment))
		}
		v, path = next, path.to(segment)
	}
	if v.kind != kindObject && v.kind != kindBoolean {
		return nil, fmt.Errorf("%q does not lead to a schema", reference)
	}
	l.walk(v, r, path)
	return v, nil
}
