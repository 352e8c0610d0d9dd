package schema

import (
	"slices"
	"strconv"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// itemSpan is where an item begins, and the number of the next container there.
type itemSpan struct{ at, container int }

func (e *explainer) countItems(i, container int) int {
	n := 0
	e.next = container + 1
	for i = scan.Space(e.text, i+1); e.text[i] != ']'; n++ {
		i = nextItem(e.text, e.skip(i))
	}
	return n
}

// eachItem visits the items of an array from the one of index first on, as long as it is told to. There is
// no list of them: there may be millions.
func (e *explainer) eachItem(i, container, first int, visit func(index int, v itemSpan) bool) {
	next := container + 1
	i = scan.Space(e.text, i+1)
	for j := 0; e.text[i] != ']' && !e.done(); j++ {
		if j >= first && !visit(j, itemSpan{i, next}) {
			return
		}
		e.next = next
		i = nextItem(e.text, e.skip(i))
		next = e.next
	}
}

// itemIssues explains a subschema on every item from the one of index first on.
func (e *explainer) itemIssues(n *node, i, container, first int) {
	e.eachItem(i, container, first, func(j int, v itemSpan) bool {
		e.item(n, j, v, "items")
		return true
	})
}

// arrayIssues adds the issues of the keywords for arrays. refused says that subschemas applied to the same
// value refused it.
func (e *explainer) arrayIssues(n *node, i, container int, refused bool) {
	r := n.array
	count := 0
	if r.maxItems >= 0 || r.minItems > 0 || r.prefix != nil || r.unique || r.unevaluated != nil {
		count = e.countItems(i, container)
	}
	if r.maxItems >= 0 && count > r.maxItems {
		e.limitIssue(n, "maxItems", "more", "items")
	}
	if count < r.minItems {
		e.limitIssue(n, "minItems", "fewer", "items")
	}
	if r.prefix != nil {
		e.eachItem(i, container, 0, func(j int, v itemSpan) bool {
			if j == len(r.prefix) {
				return false
			}
			e.item(r.prefix[j], j, v, "prefixItems", strconv.Itoa(j))
			return true
		})
	}
	if r.items != nil && !r.items.always {
		if r.prefix == nil || !r.items.source.isFalse() {
			e.itemIssues(r.items, i, container, len(r.prefix))
		} else if count > len(r.prefix) {
			e.tooMany("items", len(r.prefix))
		}
	}
	if r.contains != nil {
		e.containsIssues(n, i, container)
	}
	if r.unique && count > 1 {
		e.uniqueIssue(n, i, container, count)
	}
	if r.unevaluated != nil && !r.unevaluated.always {
		e.unevaluatedItemIssues(n, i, container, count, refused)
	}
}

func (e *explainer) tooMany(keyword string, limit int) {
	n := strconv.Itoa(limit)
	e.add(keyword, []byte(`"limit":`+n), "must NOT have more than "+n+" items")
}

func (e *explainer) containsIssues(n *node, i, container int) {
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
	contained, end := 0, -1
	e.eachItem(i, container, 0, func(j int, v itemSpan) bool {
		if e.admits(r.contains, v.at, v.container) {
			contained++
			if r.maxContains >= 0 && contained > r.maxContains {
				end = j
				return false
			}
		}
		return true
	})
	if contained >= r.minContains && end < 0 {
		return
	}
	if !r.contains.always {
		e.eachItem(i, container, 0, func(j int, v itemSpan) bool {
			if j == end {
				return false
			}
			e.item(r.contains, j, v, "contains")
			return true
		})
	}
	e.add("contains", []byte(params), message)
}

// uniqueIssue names the pair of equal items that Ajv names.
func (e *explainer) uniqueIssue(n *node, start, container, count int) {
	i, j := e.pair(n, start, container, count)
	if i < 0 {
		return
	}
	a, b := strconv.Itoa(i), strconv.Itoa(j)
	e.add("uniqueItems", []byte(`"i":`+a+`,"j":`+b), "must NOT have duplicate items (items ## "+b+" and "+a+" are identical)")
}

// pair finds the pair. Ajv goes from the last item back, to one that has an equal: for items of scalar
// types the nearest behind it, else the nearest in front.
func (e *explainer) pair(n *node, start, container, count int) (i, j int) {
	types, integer, scalars := n.scalarItems()
	i, j = -1, -1
	e.next = container
	e.eachEqual(start, count, func(at int) bool {
		// What items refuses Ajv does not compare, for scalars.
		return !scalars || e.hasType(at, types, integer)
	}, func(earlier, later int) bool {
		switch {
		case !scalars:
			i, j = later, earlier
		case earlier > i:
			i, j = earlier, later
		}
		return true
	})
	return i, j
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

func (e *explainer) unevaluatedItemIssues(n *node, i, container, count int, refused bool) {
	borrowed := e.evaluators(e.borrow(), n, i, container)
	defer e.giveBack(borrowed)
	prefix, every, containing := evaluatedItems(borrowed, n)
	if every || refused && prefix == 0 && n.branchesEvaluateItems() {
		return // Ajv says nothing when a branch could have evaluated items and none did
	}
	if prefix >= count {
		return
	}
	e.eachItem(i, container, prefix, func(j int, v itemSpan) bool {
		e.next = v.container
		if e.containedBy(containing, v.at) {
			return true
		}
		if n.array.unevaluated.source.isFalse() {
			e.tooMany("unevaluatedItems", prefix)
			return false
		}
		e.item(n.array.unevaluated, j, v, "unevaluatedItems")
		return true
	})
}
