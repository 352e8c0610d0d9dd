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
)

// explainer walks a value that was refused, in the order in which Ajv evaluates keywords, and collects
// its issues.
//
// It goes into a container only if the container is refused, which the machine remembers, and it ends
// at the first issue beyond the bounds: to count the others would take time and memory for every one of
// the millions that a large value can have.
type explainer struct {
	*machine
	issues []protocol.Issue
	bytes  int
	total  int // issues, listed or not; one more than are listed ends the walk

	instance []byte // the instancePath
	schema   []byte // the schemaPath
	property string // the propertyName, within propertyNames
}

// explain gives the issues of a valid JSON text that the program refuses.
func (p *program) explain(text []byte) []protocol.Issue {
	m, start := newMachine(p, text)
	defer m.release()
	if !m.indexed {
		if n := countContainers(text); n > cap(m.extents) {
			m.extents = make([]extent, 0, n) // to grow to a large size takes several times as much
		}
		m.index()
	}
	e := &explainer{machine: m, schema: []byte("#")}
	e.explain(p.root, start)
	if e.done() {
		e.issues = append(e.issues, protocol.Issue{Message: "has more issues than are listed here"})
	}
	return e.issues
}

// done tells that an issue was left out: any further one would be, too.
func (e *explainer) done() bool { return e.total > len(e.issues) }

// add adds an issue of a keyword at the current place. params is what stands between the braces.
func (e *explainer) add(keyword string, params []byte, message string) {
	if e.done() {
		return
	}
	e.total++
	size := len(e.instance) + len(e.schema) + len(params) + len(message) + len(e.property)
	if e.bytes += size; len(e.issues) == maxIssues || e.bytes > maxIssueBytes {
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
	e.instance = appendPointer(e.instance, v.name)
	e.next = v.container
	e.at(n, v.at, path...)
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

// isInteger reports whether the number at text[i] is an integer, however it is written.
func (e *explainer) isInteger(i int) bool {
	d, _ := numberAt(e.text, i)
	return d.isInteger()
}

func (e *explainer) numberIssues(n *node, i int) {
	r := n.number
	d, _ := numberAt(e.text, i)
	bound := func(l *limit, keyword, comparison string, ok func(c int) bool) {
		if l == nil || ok(d.compare(&l.exact)) {
			return
		}
		limit := string(l.raw.appendJSON(nil))
		e.add(keyword, []byte(`"comparison":"`+comparison+`","limit":`+limit), "must be "+comparison+" "+limit)
	}
	bound(r.maximum, "maximum", "<=", func(c int) bool { return c <= 0 })
	bound(r.minimum, "minimum", ">=", func(c int) bool { return c >= 0 })
	bound(r.exclusiveMaximum, "exclusiveMaximum", "<", func(c int) bool { return c < 0 })
	bound(r.exclusiveMinimum, "exclusiveMinimum", ">", func(c int) bool { return c > 0 })
	if r.multipleOf != nil && !d.multipleOf(&r.multipleOf.exact) {
		divisor := string(r.multipleOf.raw.appendJSON(nil))
		e.add("multipleOf", []byte(`"multipleOf":`+divisor), "must be multiple of "+divisor)
	}
	if r.format != nil && !r.format.number(d) {
		e.formatIssue(r.format)
	}
}

func (e *explainer) formatIssue(f *format) {
	e.add("format", []byte(`"format":"`+f.name+`"`), `must match format "`+f.name+`"`)
}

func (e *explainer) textIssues(n *node, quoted []byte) {
	r, text := n.text, e.unquote(quoted)
	length := runes(text)
	if r.maxLength >= 0 && length > r.maxLength {
		e.limitIssue(n, "maxLength", "more", "characters")
	}
	if length < r.minLength {
		e.limitIssue(n, "minLength", "fewer", "characters")
	}
	if r.pattern != nil && !r.pattern.match(text) {
		e.add("pattern", appendQuoted([]byte(`"pattern":`), r.pattern.source), `must match pattern "`+r.pattern.source+`"`)
	}
	if r.format != nil && !r.format.text(text) {
		e.formatIssue(r.format)
	}
	for j := range r.formatLimits {
		if l := &r.formatLimits[j]; !l.admits(text) {
			params := append([]byte(`"comparison":"`+l.comparison()+`",`), `"limit":`...)
			e.add(l.keyword, appendQuoted(params, l.limit), "should be "+l.comparison()+" "+l.limit)
		}
	}
}

// limitIssue adds an issue of a keyword that counts.
func (e *explainer) limitIssue(n *node, keyword, than, what string) {
	limit := string(n.source.get(keyword).appendJSON(nil))
	e.add(keyword, []byte(`"limit":`+limit), "must NOT have "+than+" than "+limit+" "+what)
}

// itemSpan is where an item begins, and the number of the next container there.
type itemSpan struct{ at, container int }

// memberSpan is a member of an object.
type memberSpan struct {
	start         int // of the name, a JSON string
	quoted        []byte
	name          []byte // unescaped
	at, container int
}

func (e *explainer) items(i, container int) []itemSpan {
	spans := make([]itemSpan, 0, e.countItems(i, container))
	e.next = container + 1
	for i = scan.Space(e.text, i+1); e.text[i] != ']'; {
		spans = append(spans, itemSpan{i, e.next})
		i = nextItem(e.text, e.skip(i))
	}
	return spans
}

func (e *explainer) countItems(i, container int) int {
	n := 0
	e.next = container + 1
	for i = scan.Space(e.text, i+1); e.text[i] != ']'; n++ {
		i = nextItem(e.text, e.skip(i))
	}
	return n
}

// eachItem explains a subschema on every item of an array, without a list of them: there may be millions.
func (e *explainer) eachItem(n *node, i, container int) {
	next := container + 1
	i = scan.Space(e.text, i+1)
	for j := 0; e.text[i] != ']' && !e.done(); j++ {
		e.item(n, j, itemSpan{i, next}, "items")
		e.next = next
		i = nextItem(e.text, e.skip(i))
		next = e.next
	}
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

// arrayIssues adds the issues of the keywords for arrays. refused says that subschemas applied to the same
// value refused it.
func (e *explainer) arrayIssues(n *node, i, container int, refused bool) {
	r := n.array
	if r.prefix == nil && r.items != nil && r.maxItems < 0 && r.minItems <= 0 && r.contains == nil && !r.unique && r.unevaluated == nil {
		if !r.items.always {
			e.eachItem(r.items, i, container)
		}
		return
	}
	items := e.items(i, container)
	if r.maxItems >= 0 && len(items) > r.maxItems {
		e.limitIssue(n, "maxItems", "more", "items")
	}
	if len(items) < r.minItems {
		e.limitIssue(n, "minItems", "fewer", "items")
	}
	for j, sub := range r.prefix {
		if j < len(items) {
			e.item(sub, j, items[j], "prefixItems", strconv.Itoa(j))
		}
	}
	if r.items != nil && !r.items.always {
		switch {
		case r.prefix != nil && r.items.source.isFalse():
			if len(items) > len(r.prefix) {
				e.tooMany("items", len(r.prefix))
			}
		default:
			for j := len(r.prefix); j < len(items); j++ {
				e.item(r.items, j, items[j], "items")
			}
		}
	}
	if r.contains != nil {
		e.containsIssues(n, items)
	}
	if r.unique && len(items) > 1 {
		e.uniqueIssue(n, i, container, items)
	}
	if r.unevaluated != nil && !r.unevaluated.always {
		e.unevaluatedItemIssues(n, i, container, items, refused)
	}
}

func (e *explainer) tooMany(keyword string, limit int) {
	n := strconv.Itoa(limit)
	e.add(keyword, []byte(`"limit":`+n), "must NOT have more than "+n+" items")
}

func (e *explainer) containsIssues(n *node, items []itemSpan) {
	r := n.array
	if r.maxContains < 0 && r.minContains == 0 {
		return
	}
	min := strconv.Itoa(r.minContains)
	params, message := `"minContains":`+min, "must contain at least "+min+" valid item(s)"
	if r.maxContains >= 0 {
		max := strconv.Itoa(r.maxContains)
		params += `,"maxContains":` + max
		message = "must contain at least " + min + " and no more than " + max + " valid item(s)"
	}
	if r.maxContains >= 0 && r.minContains > r.maxContains {
		e.add("contains", []byte(params), message)
		return
	}
	contained, end := 0, len(items)
	for j, v := range items {
		if e.admits(r.contains, v.at, v.container) {
			contained++
			if r.maxContains >= 0 && contained > r.maxContains {
				end = j
				break
			}
		}
	}
	if contained >= r.minContains && end == len(items) {
		return
	}
	if !r.contains.always {
		for j, v := range items[:end] {
			e.item(r.contains, j, v, "contains")
		}
	}
	e.add("contains", []byte(params), message)
}

// uniqueIssue names the pair of equal items that Ajv names.
func (e *explainer) uniqueIssue(n *node, start, container int, items []itemSpan) {
	e.next = container
	if a, _ := e.duplicates(start, len(items)); a < 0 {
		return
	}
	i, j := e.pair(n, start, container, items)
	if i < 0 {
		return
	}
	a, b := strconv.Itoa(i), strconv.Itoa(j)
	e.add("uniqueItems", []byte(`"i":`+a+`,"j":`+b), "must NOT have duplicate items (items ## "+b+" and "+a+" are identical)")
}

// pair finds the pair. Ajv goes from the last item back; for items of scalar types it looks for the
// nearest equal one behind, else for the nearest in front.
func (e *explainer) pair(n *node, start, container int, items []itemSpan) (i, j int) {
	e.next = container
	e.hashItems(start, len(items))
	byHash := make(map[uint64][]int, len(items)) // indices, ascending
	for k, item := range e.hashes.items {
		byHash[item.hash] = append(byHash[item.hash], k)
	}
	types, integer, scalars := n.scalarItems()
	for k := len(items) - 1; k >= 0; k-- {
		if scalars && !e.hasType(items[k].at, types, integer) {
			continue // refused by items; Ajv does not compare it
		}
		same := byHash[e.hashes.items[k].hash]
		for o := len(same) - 1; o >= 0; o-- {
			other := same[o]
			if scalars {
				other = same[len(same)-1-o] // ascending
			}
			if scalars != (other > k) || other == k {
				continue
			}
			if _, _, ok := e.equals(items[k].at, items[other].at); ok {
				return k, other
			}
		}
	}
	return -1, -1
}

// scalarItems gives the types that items admits, if they are of scalars only.
func (n *node) scalarItems() (types kind, integer, ok bool) {
	items := n.source.get("items")
	if items == nil || items.get("type") == nil {
		return 0, false, false
	}
	var typed node
	typed.setTypes(items.get("type"), items.get("nullable"))
	return typed.types, typed.integer, typed.types&(kindArray|kindObject) == 0
}

// branchesEvaluateItems reports whether a branch of anyOf and the like evaluates items when it is valid.
func (n *node) branchesEvaluateItems() bool {
	evaluates := func(sub *node) bool {
		return sub != nil && (sub.array != nil && sub.array.prefix != nil || sub.branchesEvaluateItems())
	}
	return slices.ContainsFunc(n.anyOf, evaluates) || slices.ContainsFunc(n.oneOf, evaluates) ||
		slices.ContainsFunc(n.allOf, (*node).branchesEvaluateItems) || evaluates(n.then) || evaluates(n.otherwise) || evaluates(n.cond)
}

func (e *explainer) hasType(i int, types kind, integer bool) bool {
	k := kinds[e.text[i]]
	return types&k != 0 && (!integer || k != kindNumber || e.isInteger(i))
}

func (e *explainer) unevaluatedItemIssues(n *node, i, container int, items []itemSpan, refused bool) {
	borrowed := e.evaluators(e.borrow(), n, i, container)
	defer e.giveBack(borrowed)
	prefix, every, containing := evaluatedItems(borrowed, n)
	if every || refused && prefix == 0 && n.branchesEvaluateItems() {
		return // Ajv says nothing when a branch could have evaluated items and none did
	}
	for j := prefix; j < len(items); j++ {
		e.next = items[j].container
		if e.containedBy(containing, items[j].at) {
			continue
		}
		if n.array.unevaluated.source.isFalse() {
			e.tooMany("unevaluatedItems", prefix)
			return
		}
		e.item(n.array.unevaluated, j, items[j], "unevaluatedItems")
	}
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
