package schema

import (
	"slices"
	"strconv"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// memberSpan is a member of an object: where its name stands, where its value begins, and the number of
// the next container there. There may be millions, so they are kept small.
type memberSpan struct{ name, nameEnd, at, container uint32 }

// quoted gives a member's name as it stands in the text, name without escapes.
func (e *explainer) quoted(m memberSpan) []byte { return e.text[m.name:m.nameEnd] }
func (e *explainer) name(m memberSpan) []byte   { return scan.Unquote(e.quoted(m)) }

// members lists the members of an object in JavaScript's order.
func (e *explainer) members(i, container int) []memberSpan {
	spans := make([]memberSpan, 0, e.countMembers(i, container))
	e.next = container + 1
	indices := false
	for i = scan.Space(e.text, i+1); e.text[i] != '}'; {
		quoted, at := memberAt(e.text, i)
		m := memberSpan{uint32(i), uint32(i + len(quoted)), uint32(at), uint32(e.next)}
		if _, ok := arrayIndex(e.name(m)); ok {
			indices = true
		}
		spans = append(spans, m)
		i = nextItem(e.text, e.skip(at))
	}
	if indices {
		slices.SortStableFunc(spans, func(a, b memberSpan) int { return compareNames(e.name(a), e.name(b)) })
	}
	return spans
}

func (e *explainer) countMembers(i, container int) int {
	n := 0
	e.next = container + 1
	for i = scan.Space(e.text, i+1); e.text[i] != '}'; n++ {
		_, at := memberAt(e.text, i)
		i = nextItem(e.text, e.skip(at))
	}
	return n
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
		if p := r.find(e.name(m)); p >= 0 {
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
			if !e.done() && p.pattern.match(e.name(m)) {
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
		if e.done() {
			return
		}
		if e.admits(sub, int(m.name), 0) {
			continue
		}
		property := e.property
		e.property = string(e.name(m))
		e.at(sub, int(m.name), "propertyNames")
		e.property = property
		e.add("propertyNames", appendQuoted([]byte(`"propertyName":`), e.name(m)), "property name must be valid")
	}
}

func (e *explainer) additionalIssues(n *node, members []memberSpan) {
	r := n.object
	for _, m := range members {
		if e.done() {
			return
		}
		if p := r.find(e.name(m)); p >= 0 && r.properties[p].listed {
			continue
		}
		if slices.ContainsFunc(r.patterns, func(p patternRule) bool { return p.pattern.match(e.name(m)) }) {
			continue
		}
		if r.additional.source.isFalse() {
			e.add("additionalProperties", appendQuoted([]byte(`"additionalProperty":`), e.name(m)), "must NOT have additional properties")
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
		if e.done() {
			return
		}
		if e.evaluatesMember(list, n, e.quoted(m)) {
			continue
		}
		if n.object.unevaluated.source.isFalse() {
			e.add("unevaluatedProperties", appendQuoted([]byte(`"unevaluatedProperty":`), e.name(m)), "must NOT have unevaluated properties")
			continue
		}
		e.member(n.object.unevaluated, m, "unevaluatedProperties")
	}
}
