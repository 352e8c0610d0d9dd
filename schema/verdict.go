package schema

import (
	"errors"
	"math"
	"math/bits"
	"strconv"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// extent is where a container ends, and the number of the container that opens after it. There may be
// millions, so they are kept small; maxText is what follows from that.
type extent struct{ end, next uint32 }

// maxText bounds the texts that a machine runs over, in bytes.
const maxText = math.MaxUint32

func tooLong(text []byte) bool { return uint64(len(text)) > maxText }

var errTooLong = errors.New("the value has more than " + strconv.Itoa(maxText>>30) + " GiB")

// index notes the extents of the text's containers, in one pass, and makes ready to remember the verdicts
// of so many nodes on them.
func (m *machine) index(nodes int) {
	text := m.text
	if m.extents == nil {
		m.extents = make([]extent, 0, 64)
	}
	if n := len(text) / 16; n > 1<<12 && n > cap(m.extents) {
		// To grow to a large size takes several times as much.
		if n = countContainers(text); n > cap(m.extents) {
			m.extents = make([]extent, 0, n)
		}
	}
	m.extents, m.next, m.indexed = m.extents[:0], 0, true
	const none = math.MaxUint32
	open := uint32(none) // the innermost open container; its extent's end holds the one around it
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i)
			continue
		case '{', '[':
			m.extents = append(m.extents, extent{end: open})
			open = uint32(len(m.extents) - 1)
		case '}', ']':
			e := &m.extents[open]
			open = e.end
			*e = extent{end: uint32(i + 1), next: uint32(len(m.extents))}
		}
		i++
	}
	m.verdicts.begin(nodes, len(m.extents), len(text))
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

// verdicts remembers which node admits which container: in a table that has a place for each pair, where
// that is not much larger than the text, else in a hash table of those that were asked for.
type verdicts struct {
	table []uint64 // two bits a pair: whether it is known, and the verdict
	nodes int      // in the table; 0: it is not used

	slots []verdict
	used  int
}

// verdict has the container's number and the node's in its key, plus one so that 0 is free, and the
// verdict in the lowest bit.
type verdict uint64

func (v *verdicts) size() int { return 2 * max(len(v.slots), cap(v.table)) }

func (v *verdicts) reset() {
	clear(v.slots)
	v.used, v.nodes = 0, 0
}

// begin makes ready for so many nodes and containers of a text of so many bytes.
func (v *verdicts) begin(nodes, containers, size int) {
	const perWord = 32
	words := nodes*containers/perWord + 1
	if words*8 > 2*size+64 {
		return
	}
	v.nodes = nodes
	if words > cap(v.table) {
		v.table = make([]uint64, words)
		return
	}
	v.table = v.table[:words]
	clear(v.table)
}

// pair gives the word that has the bits of a pair, and where they begin in it.
func (v *verdicts) pair(node, container int) (word *uint64, shift int) {
	n := 2 * (container*v.nodes + node)
	return &v.table[n/64], n % 64
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
	if v.nodes > 0 {
		word, shift := v.pair(node, container)
		return *word>>shift&1 != 0, *word>>shift&2 != 0
	}
	if len(v.slots) == 0 {
		return false, false
	}
	s := *v.at(verdictKey(node, container))
	return s != 0, s&1 != 0
}

func (v *verdicts) put(node, container int, ok bool) {
	if v.nodes > 0 {
		word, shift := v.pair(node, container)
		*word |= 1 << shift
		if ok {
			*word |= 2 << shift
		}
		return
	}
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
