package schema

import (
	"slices"
	"strconv"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// itemSpan is where an item begins, and the number of the next container there.
type itemSpan struct{ at, container int }

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
