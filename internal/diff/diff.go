// Package diff shows how two texts differ, line by line.
package diff

import (
	"fmt"
	"slices"
	"strings"
)

// diffContext is how many equal lines a difference shows around what differs.
const diffContext = 3

// Lines shows how two texts differ, as diff -u does: lines of a alone begin with -, of b
// alone with +, equal ones near them with a space. Each part that differs has a line above
// it with the numbers of its lines and, in an index, the entry it is in. It takes time and
// memory that grow with the product of the lines between the texts' common beginning and
// end; past a bound, all of them are shown as changed.
func Lines(a, b string) string {
	x, y := lines(a), lines(b)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	var edits []lineEdit
	for i, text := range x[:head] {
		edits = append(edits, lineEdit{' ', text, i, i})
	}
	edits = append(edits, edit(x[head:len(x)-tail], y[head:len(y)-tail], head)...)
	for i, text := range x[len(x)-tail:] {
		edits = append(edits, lineEdit{' ', text, len(x) - tail + i, len(y) - tail + i})
	}
	var out strings.Builder
	for _, h := range hunks(edits) {
		h.write(&out, x, y)
	}
	return out.String()
}

// lines splits a text; a last line without a line break says so, as it differs from one
// that has it.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	list := strings.Split(text, "\n")
	last := len(list) - 1
	if list[last] == "" {
		return list[:last]
	}
	list[last] += "\n\\ No newline at end of file"
	return list
}

// lineEdit is a line of a difference, with the places in both texts where it is or would be.
type lineEdit struct {
	mark byte // ' ', '-' or '+'
	text string
	x, y int
}

// hunk is a part of a difference.
type hunk []lineEdit

// hunks cuts out the parts that differ, with the equal lines around them.
func hunks(edits []lineEdit) []hunk {
	var parts []hunk
	for i := 0; i < len(edits); i++ {
		if edits[i].mark == ' ' {
			continue
		}
		from, end := max(0, i-diffContext), i+1
		for j := i; j < len(edits) && j <= end+2*diffContext; j++ {
			if edits[j].mark != ' ' {
				end = j + 1
			}
		}
		parts = append(parts, edits[from:min(len(edits), end+diffContext)])
		i = end - 1
	}
	return parts
}

func (h hunk) write(out *strings.Builder, x, y []string) {
	var inX, inY int
	for _, e := range h {
		if e.mark != '+' {
			inX++
		}
		if e.mark != '-' {
			inY++
		}
	}
	first := slices.IndexFunc(h, func(e lineEdit) bool { return e.mark != ' ' })
	entry := entryAt(y, h[first].y)
	if h[first].mark == '-' {
		entry = entryAt(x, h[first].x)
	}
	fmt.Fprintf(out, "@@ -%s +%s @@%s\n", lineRange(h[0].x, inX), lineRange(h[0].y, inY), entry)
	for _, e := range h {
		out.WriteByte(e.mark)
		out.WriteString(e.text)
		out.WriteByte('\n')
	}
}

// lineRange writes a place and a number of lines as diff -u does.
func lineRange(from, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

// entryAt names the entry of an index that a line is in, as " tools acme.orders.lookup
// 1.2.0"; "" for one outside the entries. Canonical bytes give each line's place by its
// indent.
func entryAt(list []string, at int) string {
	begin := min(at, len(list)-1)
	for begin >= 0 && list[begin] != "    {" {
		if strings.HasPrefix(list[begin], `  "`) {
			return ""
		}
		begin--
	}
	if begin < 0 {
		return ""
	}
	var id, version, kind string
	for _, text := range list[begin:] {
		if text == "    }" || text == "    }," {
			break
		}
		if v, ok := strings.CutPrefix(text, `      "id": `); ok {
			id = " " + strings.Trim(v, `",`)
		}
		if v, ok := strings.CutPrefix(text, `      "version": `); ok {
			version = " " + strings.Trim(v, `",`)
		}
	}
	for i := begin; i >= 0; i-- {
		if v, ok := strings.CutPrefix(list[i], `  "`); ok {
			kind, _, _ = strings.Cut(v, `"`)
			break
		}
	}
	return " " + kind + id + version
}

// maxDiffCells bounds the table of the longest common subsequence; past it everything of
// a is shown as gone and everything of b as new.
const maxDiffCells = 16 << 20

// edit turns x into y by the longest common subsequence of their lines, which begin at the
// line head of their texts.
func edit(x, y []string, head int) []lineEdit {
	var edits []lineEdit
	i, j := 0, 0
	gone := func() {
		edits = append(edits, lineEdit{'-', x[i], head + i, head + j})
		i++
	}
	added := func() {
		edits = append(edits, lineEdit{'+', y[j], head + i, head + j})
		j++
	}
	if len(x)*len(y) > maxDiffCells {
		for i < len(x) {
			gone()
		}
		for j < len(y) {
			added()
		}
		return edits
	}
	common := make([][]int32, len(x)+1)
	for i := range common {
		common[i] = make([]int32, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			edits = append(edits, lineEdit{' ', x[i], head + i, head + j})
			i++
			j++
		case i < len(x) && (j == len(y) || common[i+1][j] >= common[i][j+1]):
			gone()
		default:
			added()
		}
	}
	return edits
}
