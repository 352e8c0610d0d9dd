package pack

import "strings"

// diffContext is how many equal lines a difference shows around what differs.
const diffContext = 3

// lineDiff shows how two texts differ: lines of a alone begin with -, of b alone with +,
// equal ones near them with a space. The shortest edit is found in time and memory that
// grow with the lines between the texts' common beginning and end.
func lineDiff(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	edits := edit(x[head:len(x)-tail], y[head:len(y)-tail])

	var out strings.Builder
	line := func(mark byte, text string) {
		out.WriteByte(mark)
		out.WriteString(strings.TrimSuffix(text, "\n"))
		out.WriteByte('\n')
	}
	for _, text := range x[max(0, head-diffContext):head] {
		line(' ', text)
	}
	for i, e := range edits {
		if e.mark != ' ' || nearChange(edits, i) {
			line(e.mark, e.text)
		} else if i > 0 && nearChange(edits, i-1) {
			out.WriteString(" ...\n")
		}
	}
	end := len(x) - tail
	for _, text := range x[end:min(len(x), end+diffContext)] {
		if text != "" {
			line(' ', text)
		}
	}
	return out.String()
}

type lineEdit struct {
	mark byte
	text string
}

func nearChange(edits []lineEdit, i int) bool {
	for j := max(0, i-diffContext); j <= min(len(edits)-1, i+diffContext); j++ {
		if edits[j].mark != ' ' {
			return true
		}
	}
	return false
}

// maxDiffCells bounds the table of the longest common subsequence; past it everything of
// a is shown as gone and everything of b as new.
const maxDiffCells = 16 << 20

// edit turns x into y by the longest common subsequence of their lines.
func edit(x, y []string) []lineEdit {
	var edits []lineEdit
	if len(x)*len(y) > maxDiffCells {
		for _, text := range x {
			edits = append(edits, lineEdit{'-', text})
		}
		for _, text := range y {
			edits = append(edits, lineEdit{'+', text})
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
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			edits = append(edits, lineEdit{' ', x[i]})
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || common[i+1][j] >= common[i][j+1]):
			edits = append(edits, lineEdit{'-', x[i]})
			i++
		default:
			edits = append(edits, lineEdit{'+', y[j]})
			j++
		}
	}
	return edits
}
