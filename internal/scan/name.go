package scan

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// few is how many names of an object are compared one by one before a hash table takes over.
const few = 16

// name is one member name of an open object, in scanner.text or, unescaped, in scanner.unescaped.
type name struct {
	mark       uint64 // differs for most names that differ; equal for equal names
	at         int    // of its opening quote in scanner.text
	start, end int
	escaped    bool
}

// name reads the member name at text[i] and the colon after it, and gives the index after that. It
// refuses a name that the innermost object has already.
func (s *scanner) name(i int) (int, *Error) {
	text := s.text
	if i >= len(text) || text[i] != '"' {
		return 0, unexpected(text, i, "a member name")
	}
	end, escaped, err := quoted(text, i)
	if err != nil {
		return 0, err
	}
	n := name{start: i + 1, end: end - 1, escaped: escaped}
	if escaped {
		n.start = len(s.unescaped)
		s.unescaped = AppendUnescaped(s.unescaped, text[i+1:end-1])
		n.end = len(s.unescaped)
	}
	text = s.bytes(n)
	open := &s.frames[len(s.frames)-1]
	own := s.names[open.names:]
	switch {
	case open.table != nil:
		if !open.table.add(s.text, text, i) {
			return 0, duplicate(i, text)
		}
		if escaped {
			s.unescaped = s.unescaped[:n.start] // the table does without
		}
	case len(own) < few:
		n.mark = mark(text)
		for j := range own {
			if own[j].mark == n.mark && bytes.Equal(s.bytes(own[j]), text) {
				return 0, duplicate(i, text)
			}
		}
		n.at = i
		s.names = append(s.names, n)
	default:
		open.table = s.newTable()
		for j := range own {
			open.table.add(s.text, s.bytes(own[j]), own[j].at)
		}
		if !open.table.add(s.text, text, i) {
			return 0, duplicate(i, text)
		}
	}
	text = s.text
	end = Space(text, end)
	if end >= len(text) || text[end] != ':' {
		return 0, unexpected(text, end, "':'")
	}
	return end + 1, nil
}

func (s *scanner) bytes(n name) []byte {
	if n.escaped {
		return s.unescaped[n.start:n.end]
	}
	return s.text[n.start:n.end]
}

// mark sums a name up in one word: the whole name when it is short, else its length and both ends.
func mark(b []byte) uint64 {
	switch n := len(b); {
	case n >= 8:
		first := binary.LittleEndian.Uint64(b)
		last := binary.LittleEndian.Uint64(b[n-8:])
		return first ^ bits.RotateLeft64(last, 23) ^ uint64(n)<<56
	case n >= 4:
		first := uint64(binary.LittleEndian.Uint32(b))
		last := uint64(binary.LittleEndian.Uint32(b[n-4:]))
		return first | last<<(8*(n-4)) | uint64(n)<<56
	default:
		m := uint64(n) << 56
		for i, c := range b {
			m |= uint64(c) << (8 * i)
		}
		return m
	}
}

func duplicate(i int, name []byte) *Error {
	return &Error{i, "duplicate member name " + quote(name)}
}

// table finds the names of one object with many. Its hash is seeded at random, so that nobody can
// send names that collide. There may be millions, so it keeps no more of each than where it stands.
type table struct {
	seed  maphash.Seed
	slots []slot // at most three quarters used
	used  int
}

type slot struct {
	hash uint32
	at   uint32 // of the name's opening quote in the text, plus one; 0 is free
}

// usualSlots is how many slots a table begins with.
const usualSlots = 64

func (s *scanner) newTable() *table {
	if n := len(s.tables); n > 0 {
		t := s.tables[n-1]
		s.tables = s.tables[:n-1]
		if len(t.slots) > 1024 {
			t.slots = make([]slot, usualSlots)
		} else {
			clear(t.slots)
		}
		t.used = 0
		return t
	}
	return &table{seed: maphash.MakeSeed(), slots: make([]slot, usualSlots)}
}

// first gives the first slot at which a name of that hash can be, and next the one after a slot.
func (t *table) first(hash uint32) int {
	return int(uint64(hash) * uint64(len(t.slots)) >> 32)
}

func (t *table) next(at int) int {
	if at++; at < len(t.slots) {
		return at
	}
	return 0
}

// add adds the name whose quote is at text[i], and reports false when a name equal to it is there.
func (t *table) add(text, name []byte, i int) bool {
	if 4*t.used >= 3*len(t.slots) {
		t.grow()
	}
	hash := uint32(maphash.Bytes(t.seed, name))
	at := t.first(hash)
	for ; t.slots[at].at != 0; at = t.next(at) {
		if other := &t.slots[at]; other.hash == hash && bytes.Equal(Unquote(nameAt(text, int(other.at-1))), name) {
			return false
		}
	}
	t.slots[at] = slot{hash, uint32(i + 1)}
	t.used++
	return true
}

// nameAt gives the name at text[i] with its quotes.
func nameAt(text []byte, i int) []byte { return text[i:SkipString(text, i)] }

// grow makes the table half as large again: to double would take much more than the largest object needs.
func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, len(old)+len(old)/2)
	for _, e := range old {
		if e.at == 0 {
			continue
		}
		at := t.first(e.hash)
		for t.slots[at].at != 0 {
			at = t.next(at)
		}
		t.slots[at] = e
	}
}
