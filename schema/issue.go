package schema

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
	"github.com/kindgi/kindgi-go/protocol"
)

// Bounds on what one value's issues may take.
const (
	maxIssues     = 100
	maxIssueBytes = 256 << 10

	// maxUnlisted is how many issues beyond those are counted.
	maxUnlisted = 1000
)

// unexplained is the message of an issue that no value is known to have.
const unexplained = "must be valid"

// explainer walks a value that was refused, in the order in which Ajv evaluates keywords, and collects
// its issues.
//
// It goes into a container only if the container is refused, which the machine remembers. Beyond the
// bounds it only counts, and that no further than to maxUnlisted: to count all would take time and
// memory for every one of the millions that a large value can have.
type explainer struct {
	*machine
	issues []protocol.Issue
	bytes  int
	total  int // issues, listed or not

	instance []byte // the instancePath
	schema   []byte // the schemaPath
	property string // the propertyName, within propertyNames
}

// explain gives the issues of a valid JSON text that the program refuses.
func (p *program) explain(text []byte) []protocol.Issue {
	if tooLong(text) {
		return []protocol.Issue{{Message: errTooLong.Error()}}
	}
	m, start := newMachine(p, text)
	defer m.release()
	if !m.indexed {
		m.index(len(p.nodes))
	}
	e := &explainer{machine: m, schema: []byte("#")}
	e.explain(p.root, start)
	if more := e.total - len(e.issues); more > 0 {
		e.issues = append(e.issues, moreIssues(more))
	}
	if len(e.issues) == 0 {
		// The two walks would disagree; what was refused stays refused.
		e.issues = append(e.issues, protocol.Issue{Message: unexplained})
	}
	return e.issues
}

// moreIssues says how many issues are not listed.
func moreIssues(n int) protocol.Issue {
	count := strconv.Itoa(n)
	if n > maxUnlisted {
		count = "more than " + strconv.Itoa(maxUnlisted)
	}
	return protocol.Issue{Message: "has " + count + " more issues than are listed here"}
}

// done ends the walk: any further issue would neither be listed nor counted.
func (e *explainer) done() bool { return e.total > len(e.issues)+maxUnlisted }

// add adds an issue of a keyword at the current place. params is what stands between the braces.
func (e *explainer) add(keyword string, params []byte, message string) {
	if e.done() {
		return
	}
	e.total++
	size := len(e.instance) + len(e.schema) + len(params) + len(message) + len(e.property)
	if e.bytes += size; e.total > maxIssues || e.bytes > maxIssueBytes {
		return
	}
	issue := protocol.Issue{
		InstancePath: string(e.instance),
		SchemaPath:   string(e.schema) + "/" + keyword,
		Keyword:      keyword,
		Message:      message,
		PropertyName: e.property,
	}
	issue.Params = make(jsontext.Value, 0, len(params)+2)
	issue.Params = append(append(append(issue.Params, '{'), params...), '}')
	e.issues = append(e.issues, issue)
}

// at explains a subschema on a value, with path appended to the schemaPath.
func (e *explainer) at(n *node, i int, path ...string) {
	before := len(e.schema)
	for _, segment := range path {
		e.schema = appendFragment(e.schema, segment)
	}
	e.explain(n, i)
	e.schema = e.schema[:before]
}

// member explains a subschema on the value of a member.
func (e *explainer) member(n *node, v memberSpan, path ...string) {
	before := len(e.instance)
	e.instance = appendPointer(e.instance, e.name(v))
	e.next = int(v.container)
	e.at(n, int(v.at), path...)
	e.instance = e.instance[:before]
}

// item explains a subschema on an item.
func (e *explainer) item(n *node, index int, v itemSpan, path ...string) {
	before := len(e.instance)
	e.instance = strconv.AppendInt(append(e.instance, '/'), int64(index), 10)
	e.next = v.container
	e.at(n, v.at, path...)
	e.instance = e.instance[:before]
}

// admits reports whether a subschema admits the value at text[i], a container of that number if it is
// one.
func (e *explainer) admits(n *node, i, container int) bool {
	e.next = container
	_, ok := e.check(n, i)
	return ok
}

// explain adds the issues of n on the value at text[i].
func (e *explainer) explain(n *node, i int) {
	if e.done() {
		return
	}
	container := e.next
	if !e.admits(n, i, container) {
		e.keywords(n, i, container)
	}
}

// keywords evaluates the keywords of n as Ajv orders them.
func (e *explainer) keywords(n *node, i, container int) {
	if n.never {
		e.add("false schema", nil, "boolean schema is false")
		return
	}
	k := kinds[e.text[i]]
	wrong := n.types&k == 0 || n.integer && k == kindNumber && !e.isInteger(i)
	late := n.typeWithGroup()
	if wrong && !late {
		e.typeIssue(n)
	}
	before := e.total
	e.inPlaceIssues(n, i, container)
	refused := e.total > before
	if wrong && late {
		e.typeIssue(n)
	}
	switch k {
	case kindNumber:
		if n.number != nil {
			e.numberIssues(n, i)
		}
	case kindString:
		if n.text != nil {
			e.textIssues(n, e.text[i:scan.SkipString(e.text, i)])
		}
	case kindArray:
		if n.array != nil {
			e.arrayIssues(n, i, container, refused)
		}
	case kindObject:
		if n.object != nil {
			e.objectIssues(n, i, container)
		}
	}
}

// typeWithGroup reports whether Ajv checks the type together with the keywords for that type, after
// those for any type: it does so for a single type that has keywords.
func (n *node) typeWithGroup() bool {
	t := n.source.get("type")
	if t == nil {
		return false
	}
	name := t
	if t.kind == kindArray {
		if len(t.items) != 1 {
			return false
		}
		name = t.items[0]
	}
	if nullable := n.source.get("nullable"); nullable != nil && nullable.isTrue() && name.text != "null" {
		return false
	}
	return slices.ContainsFunc(n.source.members, func(m member) bool { return groupOf(m.name, name.text) })
}

func (e *explainer) typeIssue(n *node) {
	t := n.source.get("type")
	message := "must be " + t.text
	if t.kind == kindArray {
		for j, name := range t.items {
			if j > 0 {
				message += ","
			} else {
				message = "must be "
			}
			message += name.text
		}
	}
	e.add("type", t.appendJSON([]byte(`"type":`)), message)
}

func (e *explainer) inPlaceIssues(n *node, i, container int) {
	if n.dynamic != nil {
		e.refIssues(n.dynamic, i, container)
	}
	if n.ref != nil {
		e.refIssues(n.ref, i, container)
	}
	if n.constant != nil || n.enum != nil {
		k := kinds[e.text[i]]
		e.next = container
		end := e.skip(i)
		if n.constant != nil && !n.constant.admit(e.machine, i, end, k) {
			e.add("const", n.constant.source.appendJSON([]byte(`"allowedValue":`)), "must be equal to constant")
		}
		if n.enum != nil && !n.enum.admit(e.machine, i, end, k) {
			e.add("enum", n.enum.source.appendJSON([]byte(`"allowedValues":`)), "must be equal to one of the allowed values")
		}
	}
	if n.not != nil && e.admits(n.not, i, container) {
		e.add("not", nil, "must NOT be valid")
	}
	if n.anyOf != nil && !slices.ContainsFunc(n.anyOf, func(sub *node) bool { return e.admits(sub, i, container) }) {
		for j, sub := range n.anyOf {
			e.next = container
			e.at(sub, i, "anyOf", strconv.Itoa(j))
		}
		e.add("anyOf", nil, "must match a schema in anyOf")
	}
	if n.oneOf != nil {
		e.oneOfIssues(n, i, container)
	}
	for j, sub := range n.allOf {
		e.next = container
		e.at(sub, i, "allOf", strconv.Itoa(j))
	}
	if n.then != nil || n.otherwise != nil {
		clause, branch := "else", n.otherwise
		if e.admits(n.cond, i, container) {
			clause, branch = "then", n.then
		}
		if branch != nil && !e.admits(branch, i, container) {
			e.next = container
			e.at(branch, i, clause)
			e.add("if", []byte(`"failingKeyword":"`+clause+`"`), `must match "`+clause+`" schema`)
		}
	}
}

// refIssues explains what a reference leads to. The schemaPath begins anew there.
func (e *explainer) refIssues(r *reference, i, container int) {
	schema, property := e.schema, e.property
	e.schema = []byte("#")
	if r.inlined {
		e.schema = []byte(r.text)
	} else {
		e.property = ""
	}
	e.next = container
	e.explain(r.target, i)
	e.schema, e.property = schema, property
}

func (e *explainer) oneOfIssues(n *node, i, container int) {
	var passing []int
	for j, sub := range n.oneOf {
		if e.admits(sub, i, container) {
			if passing = append(passing, j); len(passing) == 2 {
				break
			}
		}
	}
	if len(passing) == 1 {
		return
	}
	params := `"passingSchemas":null`
	end := len(n.oneOf)
	if len(passing) == 2 {
		end = passing[1]
		params = `"passingSchemas":[` + strconv.Itoa(passing[0]) + `,` + strconv.Itoa(passing[1]) + `]`
	}
	for j, sub := range n.oneOf[:end] {
		e.next = container
		e.at(sub, i, "oneOf", strconv.Itoa(j))
	}
	e.add("oneOf", []byte(params), "must match exactly one schema in oneOf")
}
