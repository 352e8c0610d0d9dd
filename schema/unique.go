package schema

import (
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// fewItems is how many items are compared pair by pair; more are hashed, so that time stays linear.
const fewItems = 8

// hashes is what finding equal items among many needs.
type hashes struct {
	seed  maphash.Seed
	items []item   // one of each value
	most  int      // how many there can be
	slots []uint32 // index of an item plus one; 0 is free
	// known has the hashes of containers by number, 0 when not known yet: an array within an array
	// that must be unique too is hashed once.
	known []uint64
}

// item is a value of an array under check: its hash, and where and with which index it came last.
type item struct{ hash, at, index uint32 }

func (h *hashes) size() int { return max(cap(h.items), cap(h.slots), cap(h.known)) }

func (h *hashes) reset() {
	h.items = h.items[:0]
	h.known = h.known[:0]
}

// slot gives the first slot at which a value of that hash can be, and next the one after it.
func (h *hashes) slot(hash uint32) int { return int(hash) & (len(h.slots) - 1) }
func (h *hashes) next(slot int) int    { return (slot + 1) & (len(h.slots) - 1) }

// manyValues is how many values an array has when room is made for all of them: to grow to a large size
// takes several times as much.
const manyValues = 1 << 10

// add adds a value that is not there. A third of the slots at least stay free.
func (h *hashes) add(v item) {
	n := len(h.items) + 1
	if n == manyValues {
		n = max(n, h.most)
		h.items = slices.Grow(h.items, n-len(h.items))
	}
	if 3*n > 2*len(h.slots) {
		h.room(1 << bits.Len(uint(n+n/2)))
		for n := range h.items {
			h.take(h.items[n].hash, n)
		}
	}
	h.items = append(h.items, v)
	h.take(v.hash, len(h.items)-1)
}

// room makes so many slots, all free.
func (h *hashes) room(n int) {
	if n > cap(h.slots) {
		h.slots = make([]uint32, n)
		return
	}
	h.slots = h.slots[:n]
	clear(h.slots)
}

// take has a free slot refer to the item of index n.
func (h *hashes) take(hash uint32, n int) {
	at := h.slot(hash)
	for h.slots[at] != 0 {
		at = h.next(at)
	}
	h.slots[at] = uint32(n + 1)
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
	a, b := -1, -1
	m.eachEqual(start, count, nil, func(earlier, later int) bool {
		a, b = earlier, later
		return false
	})
	return a, b
}

// eachEqual goes through the array at text[start] of count items, whose number is m.next, and tells of each item that
// equals one before it, and of the last such one, as long as it is told to go on. It compares all items
// or those that compared, if any, wants, given where they stand. It remembers one of each value.
func (m *machine) eachEqual(start, count int, compared func(at int) bool, found func(earlier, later int) bool) {
	h := &m.hashes
	if h.seed == (maphash.Seed{}) {
		h.seed = maphash.MakeSeed()
	}
	if m.indexed && len(h.known) < len(m.extents) {
		h.known = make([]uint64, len(m.extents))
	}
	h.items = h.items[:0]
	// Different texts of two characters and a comma are few: of so many values most are longer.
	h.most = min(count, (len(m.text)-start)/6)
	h.room(64)
	m.next++
	n := -1
search:
	for i := scan.Space(m.text, start+1); m.text[i] != ']'; {
		n++
		at := i
		sum, end := m.hash(at)
		i = nextItem(m.text, end)
		if compared != nil && !compared(at) {
			continue
		}
		hash := uint32(sum>>32) ^ uint32(sum)
		for s := h.slot(hash); h.slots[s] != 0; s = h.next(s) {
			same := &h.items[h.slots[s]-1]
			if same.hash != hash {
				continue
			}
			if _, _, ok := m.equals(int(same.at), at); !ok {
				continue
			}
			if !found(int(same.index), n) {
				return
			}
			same.index = uint32(n)
			continue search
		}
		h.add(item{hash, uint32(at), uint32(n)})
	}
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
			m.next = int(m.extents[container].next)
			return h.known[container], int(m.extents[container].end)
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
