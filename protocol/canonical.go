package protocol

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// AppendCanonical appends the canonical form of a JSON document to b: one text for one value, the text
// that ECMA-262's JSON.stringify writes once every object's members are sorted by their names' UTF-16
// code units. That is RFC 8785, and with an indent its pretty form.
//
// Numbers are written as the shortest that gives the same float64 (1.0 is 1, 1e21 is 1e+21, -0 is 0,
// 9007199254740993 is 9007199254740992, as JavaScript reads it); strings are escaped only where
// JSON.stringify escapes. With an indent every member and element has its own line, indented by one
// indent a level; empty objects and lists stay {} and []. There is no trailing newline.
//
// A document without a canonical form is an error, and nothing is appended: what is no JSON, has a
// member twice, is not UTF-8, holds a lone surrogate, or a number that a float64 cannot hold (too
// large, or so small that it would be 0), or is nested more than 10,000 levels deep. The document may
// not overlap the free part of b.
//
// It takes time linear in what it writes, sorting aside. jsontext's Value.Canonicalize writes the same
// compact form; with an indent the time it takes grows with the cube of the depth.
func AppendCanonical(b []byte, document []byte, indent string) ([]byte, error) {
	if err := scan.Valid(document); err != nil {
		return b, fmt.Errorf("no canonical form: %w", err)
	}
	for i := range len(indent) {
		if indent[i] != ' ' && indent[i] != '\t' {
			return b, fmt.Errorf("no canonical form: the indent %q is not only spaces and tabs", indent)
		}
	}
	w := canonicalizer{b: b, text: document, indent: indent, nodes: findNodes(document)}
	w.value(scan.Space(document, 0), 0)
	return w.b, nil
}

// canonicalizer writes the canonical form of valid JSON.
type canonicalizer struct {
	b       []byte
	text    []byte
	indent  string
	pad     []byte // the indents of the deepest line so far
	depth   int
	nodes   []node
	members []canonicalMember // of all open objects, the innermost last
}

// node is an object or a list of the text. Sorting visits the members out of order and each twice, so
// where each ends is found once, beforehand: otherwise a deep text would be scanned once a level.
type node struct {
	end  int // the index after it
	next int // how many nodes begin before that
}

// findNodes gives the nodes of a valid text in the order they begin.
func findNodes(text []byte) []node {
	var nodes []node
	var open []int
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i)
			continue
		case '{', '[':
			open = append(open, len(nodes))
			nodes = append(nodes, node{})
		case '}', ']':
			n := len(open) - 1
			nodes[open[n]] = node{end: i + 1, next: len(nodes)}
			open = open[:n]
		}
		i++
	}
	return nodes
}

type canonicalMember struct {
	name        []byte // without quotes and escapes, to sort by
	quoted      []byte
	value, node int // where the value begins; how many nodes begin before it
}

// skip gives the index after the value that begins at i, and how many nodes begin before that.
func (w *canonicalizer) skip(i, node int) (int, int) {
	switch w.text[i] {
	case '{', '[':
		return w.nodes[node].end, w.nodes[node].next
	case '"':
		return scan.SkipString(w.text, i), node
	}
	return scan.SkipScalar(w.text, i), node
}

// value writes the value that begins at i, the node of that number if it is an object or a list.
func (w *canonicalizer) value(i, node int) {
	switch c := w.text[i]; {
	case c == '{':
		w.object(i, node)
	case c == '[':
		w.array(i, node)
	case c == '"':
		w.string(w.text[i:scan.SkipString(w.text, i)])
	case isNumber(w.text[i:]):
		w.number(w.text[i:scan.SkipScalar(w.text, i)])
	default:
		w.b = append(w.b, w.text[i:scan.SkipScalar(w.text, i)]...)
	}
}

func (w *canonicalizer) object(i, node int) {
	text, first := w.text, len(w.members)
	node++
	for i = scan.Space(text, i+1); text[i] != '}'; {
		end := scan.SkipString(text, i)
		m := canonicalMember{quoted: text[i:end], name: scan.Unquote(text[i:end]), node: node}
		m.value = scan.Space(text, scan.Space(text, end)+1) // after ':'
		w.members = append(w.members, m)
		i, node = w.skip(m.value, node)
		i = w.comma(i)
	}
	members := w.members[first:]
	if len(members) == 0 {
		w.b = append(w.b, "{}"...)
		return
	}
	slices.SortFunc(members, func(a, b canonicalMember) int { return compareUTF16(a.name, b.name) })
	w.b = append(w.b, '{')
	w.depth++
	for i, m := range members {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.line()
		w.string(m.quoted)
		w.b = append(w.b, ':')
		if w.indent != "" {
			w.b = append(w.b, ' ')
		}
		w.value(m.value, m.node)
	}
	w.depth--
	w.line()
	w.b = append(w.b, '}')
	w.members = w.members[:first]
}

func (w *canonicalizer) array(i, node int) {
	i = scan.Space(w.text, i+1)
	if w.text[i] == ']' {
		w.b = append(w.b, "[]"...)
		return
	}
	w.b = append(w.b, '[')
	w.depth++
	node++
	for first := true; w.text[i] != ']'; first = false {
		if !first {
			w.b = append(w.b, ',')
		}
		w.line()
		w.value(i, node)
		i, node = w.skip(i, node)
		i = w.comma(i)
	}
	w.depth--
	w.line()
	w.b = append(w.b, ']')
}

// comma gives the index of what follows the value before i: the next one or a closing bracket.
func (w *canonicalizer) comma(i int) int {
	i = scan.Space(w.text, i)
	if w.text[i] == ',' {
		i = scan.Space(w.text, i+1)
	}
	return i
}

// line begins a line when the form has lines.
func (w *canonicalizer) line() {
	if w.indent == "" {
		return
	}
	for n := w.depth * len(w.indent); len(w.pad) < n; {
		w.pad = append(w.pad, w.indent...)
	}
	w.b = append(w.b, '\n')
	w.b = append(w.b, w.pad[:w.depth*len(w.indent)]...)
}

// string writes a string. What may stand unescaped in JSON is what JSON.stringify does not escape, so
// only a string with a backslash can change.
func (w *canonicalizer) string(quoted []byte) {
	if !bytes.Contains(quoted, []byte{'\\'}) {
		w.b = append(w.b, quoted...)
		return
	}
	w.b = appendText(w.b, scan.Unquote(quoted))
}

func (w *canonicalizer) number(text []byte) {
	// Fifteen digits are exact in a float64 and written as they are.
	if len(text) <= 15 && !bytes.ContainsAny(text, ".eE") && string(text) != "-0" {
		w.b = append(w.b, text...)
		return
	}
	f, _ := strconv.ParseFloat(string(text), 64) // in range: scan.Valid has seen it
	w.b = appendNumber(w.b, f)
}

// compareUTF16 compares two texts by UTF-16 code units. That is the order of their UTF-8 bytes, except
// that a character beyond U+FFFF, four bytes from 0xF0 on, is two surrogates and so comes before U+E000
// to U+FFFF, three bytes from 0xEE on.
func compareUTF16[T ~string | ~[]byte](a, b T) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			x, y = y, x
		}
		if x < y {
			return -1
		}
		return 1
	}
	return len(a) - len(b)
}
