package schema

import (
	"hash/maphash"
	"math/bits"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// fewItems is how many items are compared pair by pair; more are hashed, so that time stays linear.
const fewItems = 8

// hashes is what finding equal items among many needs.
type hashes struct {
	seed  maphash.Seed
	items []item
	slots []uint32 // index of an item plus one; 0 is free
	// known has the hashes of containers by number, 0 when not known yet: an array within an array
	// that must be unique too is hashed once.
	known []uint64
}

// item is one item of an array under check.
type item struct {
	at   int
	hash uint64
}

func (h *hashes) size() int { return max(cap(h.items), cap(h.slots), cap(h.known)) }

func (h *hashes) reset() {
	h.items = h.items[:0]
	h.known = h.known[:0]
}

// duplicates finds two equal items of the array at text[start] that has count items, and gives their
// indices, the lower first; -1 when there are none. m.next is the array's own number.
func (m *machine) duplicates(start, count int) (int, int) {
	text := m.text
	if count <= fewItems {
		var at [fewItems]int
		i := scan.Space(text, start+1)
		m.next++
		for n := range count {
			at[n] = i
			for j := range n {
				if _, _, ok := m.equals(at[j], i); ok {
					return j, n
				}
			}
			i = nextItem(text, m.skip(i))
		}
		return -1, -1
	}
	m.hashItems(start, count)
	h := &m.hashes
	mask := uint64(len(h.slots) - 1)
	for n := range h.items {
		at := h.items[n].hash & mask
		for ; h.slots[at] != 0; at = (at + 1) & mask {
			other := h.items[h.slots[at]-1]
			if other.hash == h.items[n].hash {
				if _, _, ok := m.equals(other.at, h.items[n].at); ok {
					return int(h.slots[at] - 1), n
				}
			}
		}
		h.slots[at] = uint32(n + 1)
	}
	return -1, -1
}

// hashItems fills m.hashes.items, and clears enough slots for them.
func (m *machine) hashItems(start, count int) {
	h := &m.hashes
	if h.seed == (maphash.Seed{}) {
		h.seed = maphash.MakeSeed()
	}
	if m.indexed && len(h.known) < len(m.extents) {
		h.known = make([]uint64, len(m.extents))
	}
	m.next++
	h.items = h.items[:0]
	for i := scan.Space(m.text, start+1); m.text[i] != ']'; {
		sum, end := m.hash(i)
		h.items = append(h.items, item{i, sum})
		i = nextItem(m.text, end)
	}
	size := 1 << bits.Len(uint(2*count))
	if cap(h.slots) < size {
		h.slots = make([]uint32, size)
	}
	h.slots = h.slots[:size]
	clear(h.slots)
}

// hash hashes the value at text[i] so that equal values have equal hashes, and gives its end.
func (m *machine) hash(i int) (uint64, int) {
	text, h := m.text, &m.hashes
	switch k := kinds[text[i]]; k {
	case kindString:
		end := scan.SkipString(text, i)
		return maphash.Bytes(h.seed, m.unquote(text[i:end])), end
	case kindNumber:
		end := scan.SkipScalar(text, i)
		d := readDecimal(text[i:end])
		sum := mix(d.mantissa, uint64(d.exponent))
		if d.digits != nil {
			sum = mix(sum, maphash.Bytes(h.seed, d.digits))
		}
		if d.negative {
			sum = ^sum
		}
		return mix(sum, m.secret()), end
	case kindArray, kindObject:
		container := m.next
		if m.indexed && h.known[container] != 0 {
			m.next = m.extents[container].next
			return h.known[container], m.extents[container].end
		}
		m.next++
		sum := mix(m.secret(), uint64(k))
		for i = scan.Space(text, i+1); text[i] != ']' && text[i] != '}'; {
			var item uint64
			if k == kindArray {
				item, i = m.hash(i)
				sum = mix(sum, item)
			} else {
				name, at := memberAt(text, i)
				names := maphash.Bytes(h.seed, m.unquote(name))
				item, i = m.hash(at)
				sum += mix(names, item)
			}
			i = nextItem(text, i)
		}
		sum = mix(sum, m.secret()) | 1
		if m.indexed {
			h.known[container] = sum
		}
		return sum, i + 1
	default:
		end := scan.SkipScalar(text, i)
		return mix(m.secret(), uint64(text[i])), end
	}
}

// secret is a number that callers cannot know.
func (m *machine) secret() uint64 { return maphash.Bytes(m.hashes.seed, nil) }

func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return high ^ low
}
