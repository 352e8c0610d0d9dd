package schema

import (
	"slices"
	"strconv"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// memberSpan is a member of an object.
type memberSpan struct {
	start         int // of the name, a JSON string
	quoted        []byte
	name          []byte // unescaped
	at, container int
}

// members lists the members of an object in JavaScript's order.
func (e *explainer) members(i, container int) []memberSpan {
	var spans []memberSpan
	e.next = container + 1
	indices := false
	for i = scan.Space(e.text, i+1); e.text[i] != '}'; {
		quoted, at := memberAt(e.text, i)
		m := memberSpan{i, quoted, scan.Unquote(quoted), at, e.next}
		if _, ok := arrayIndex(m.name); ok {
			indices = true
		}
		spans = append(spans, m)
		i = nextItem(e.text, e.skip(at))
	}
	if indices {
		slices.SortStableFunc(spans, func(a, b memberSpan) int { return compareNames(a.name, b.name) })
	}
	return spans
}

func (e *explainer) objectIssues(n *node, i, container int) {
	r := n.object
	members := e.members(i, container)
	if r.maxProperties >= 0 && len(members) > r.maxProperties {
		e.limitIssue(n, "maxProperties", "more", "properties")
	}
	if len(members) < r.minProperties {
		e.limitIssue(n, "minProperties", "fewer", "properties")
	}
	found := make([]int, len(r.properties)) // index of the member plus one
	for j, m := range members {
		if p := r.find(m.name); p >= 0 {
			found[p] = j + 1
		}
	}
	for _, p := range r.required {
		if found[p] == 0 {
			name := r.properties[p].name
			e.add("required", appendQuoted([]byte(`"missingProperty":`), name), "must have required property '"+name+"'")
		}
	}
	if r.propertyNames != nil {
		e.nameIssues(n, members)
	}
	if r.additional != nil && !r.additional.always {
		e.additionalIssues(n, members)
	}
	e.dependencyIssues(n, i, container, found, "dependencies")
	for p := range r.properties {
		if sub := r.properties[p].node; sub != nil && found[p] > 0 {
			e.member(sub, members[found[p]-1], "properties", r.properties[p].name)
		}
	}
	for _, p := range r.patterns {
		for _, m := range members {
			if p.pattern.match(m.name) {
				e.member(p.node, m, "patternProperties", p.source)
			}
		}
	}
	e.dependencyIssues(n, i, container, found, "dependentRequired")
	e.dependencyIssues(n, i, container, found, "dependentSchemas")
	if r.unevaluated != nil && !r.unevaluated.always {
		e.unevaluatedPropertyIssues(n, i, container, members)
	}
}

func (e *explainer) nameIssues(n *node, members []memberSpan) {
	sub := n.object.propertyNames
	for _, m := range members {
		if e.admits(sub, m.start, 0) {
			continue
		}
		property := e.property
		e.property = string(m.name)
		e.at(sub, m.start, "propertyNames")
		e.property = property
		e.add("propertyNames", appendQuoted([]byte(`"propertyName":`), m.name), "property name must be valid")
	}
}

func (e *explainer) additionalIssues(n *node, members []memberSpan) {
	r := n.object
	for _, m := range members {
		if p := r.find(m.name); p >= 0 && r.properties[p].listed {
			continue
		}
		if slices.ContainsFunc(r.patterns, func(p patternRule) bool { return p.pattern.match(m.name) }) {
			continue
		}
		if r.additional.source.isFalse() {
			e.add("additionalProperties", appendQuoted([]byte(`"additionalProperty":`), m.name), "must NOT have additional properties")
			continue
		}
		e.member(r.additional, m, "additionalProperties")
	}
}

// dependencyIssues explains the dependencies that stand under the keyword: names first, then schemas.
func (e *explainer) dependencyIssues(n *node, i, container int, found []int, keyword string) {
	r := n.object
	for _, d := range r.dependentRequired {
		if d.keyword != keyword || found[d.property] == 0 {
			continue
		}
		for _, p := range d.needs {
			if found[p] == 0 {
				e.dependencyIssue(r, d, p)
			}
		}
	}
	for _, d := range r.dependentSchemas {
		if d.keyword == keyword && found[d.property] > 0 {
			e.next = container
			e.at(d.node, i, keyword, r.properties[d.property].name)
		}
	}
}

func (e *explainer) dependencyIssue(r *objectRules, d dependentRequired, missing int) {
	name := r.properties[d.property].name
	deps, noun := "", "properties"
	for j, p := range d.needs {
		if j > 0 {
			deps += ", "
		}
		deps += r.properties[p].name
	}
	if len(d.needs) == 1 {
		noun = "property"
	}
	params := appendQuoted([]byte(`"property":`), name)
	params = appendQuoted(append(params, `,"missingProperty":`...), r.properties[missing].name)
	params = append(params, `,"depsCount":`+strconv.Itoa(len(d.needs))+`,"deps":`...)
	e.add(d.keyword, appendQuoted(params, deps), "must have "+noun+" "+deps+" when property "+name+" is present")
}

func (e *explainer) unevaluatedPropertyIssues(n *node, i, container int, members []memberSpan) {
	list := e.evaluators(e.borrow(), n, i, container)
	defer e.giveBack(list)
	for _, m := range members {
		if e.evaluatesMember(list, n, m.quoted) {
			continue
		}
		if n.object.unevaluated.source.isFalse() {
			e.add("unevaluatedProperties", appendQuoted([]byte(`"unevaluatedProperty":`), m.name), "must NOT have unevaluated properties")
			continue
		}
		e.member(n.object.unevaluated, m, "unevaluatedProperties")
	}
}
