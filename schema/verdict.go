package schema

import (
	"math/bits"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// extent is where a container ends, and the number of the container that opens after it.
type extent struct{ end, next int }

// index notes the extents of the text's containers, in one pass.
func (m *machine) index() {
	text := m.text
	if m.extents == nil {
		m.extents = make([]extent, 0, 64)
	}
	m.extents, m.next, m.indexed = m.extents[:0], 0, true
	open := -1 // the innermost open container; its extent's end holds the one around it
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i)
			continue
		case '{', '[':
			m.extents = append(m.extents, extent{end: open})
			open = len(m.extents) - 1
		case '}', ']':
			e := &m.extents[open]
			open = e.end
			*e = extent{end: i + 1, next: len(m.extents)}
		}
		i++
	}
}

// countContainers counts the objects and arrays in a valid JSON text.
func countContainers(text []byte) int {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i) - 1
		case '{', '[':
			n++
		}
	}
	return n
}

// verdicts remembers which node admits which container.
type verdicts struct {
	slots []verdict
	used  int
}

// verdict has the container's number and the node's in its key, plus one so that 0 is free, and the
// verdict in the lowest bit.
type verdict uint64

func (v *verdicts) size() int { return 2 * len(v.slots) }

func (v *verdicts) reset() {
	clear(v.slots)
	v.used = 0
}

func verdictKey(node, container int) uint64 {
	return (uint64(container+1)<<24 | uint64(node&(1<<24-1))) << 1
}

func (v *verdicts) at(key uint64) *verdict {
	mask := uint64(len(v.slots) - 1)
	for at := key * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask)); ; at++ {
		if s := &v.slots[at&mask]; *s == 0 || uint64(*s)&^1 == key {
			return s
		}
	}
}

func (v *verdicts) get(node, container int) (known, ok bool) {
	if len(v.slots) == 0 {
		return false, false
	}
	s := *v.at(verdictKey(node, container))
	return s != 0, s&1 != 0
}

func (v *verdicts) put(node, container int, ok bool) {
	if 2*v.used >= len(v.slots) {
		old := v.slots
		v.slots = make([]verdict, max(64, 2*len(old)))
		for _, s := range old {
			if s != 0 {
				*v.at(uint64(s) &^ 1) = s
			}
		}
	}
	key := verdictKey(node, container)
	s := v.at(key)
	if *s == 0 {
		v.used++
	}
	*s = verdict(key)
	if ok {
		*s |= 1
	}
}
