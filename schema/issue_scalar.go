package schema

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
