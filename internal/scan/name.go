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
	n.mark = mark(text)
	open := &s.frames[len(s.frames)-1]
	own := s.names[open.names:]
	if len(own) < few {
		for j := range own {
			if own[j].mark == n.mark && bytes.Equal(s.bytes(own[j]), text) {
				return 0, duplicate(i, text)
			}
		}
	} else {
		if open.table == nil {
			open.table = s.newTable()
			for j := range own {
				open.table.add(s, own, j)
			}
		}
		s.names = append(s.names, n)
		own = s.names[open.names:]
		if !open.table.add(s, own, len(own)-1) {
			return 0, duplicate(i, text)
		}
	}
	if len(own) < few {
		s.names = append(s.names, n)
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
// send names that collide.
type table struct {
	seed  maphash.Seed
	slots []slot // a power of two of them, at most half used
	used  int
}

type slot struct {
	hash  uint32
	index uint32 // of the name among the object's, plus one; 0 is free
}

func (s *scanner) newTable() *table {
	if n := len(s.tables); n > 0 {
		t := s.tables[n-1]
		s.tables = s.tables[:n-1]
		if len(t.slots) > 1024 {
			t.slots = make([]slot, 64)
		} else {
			clear(t.slots)
		}
		t.used = 0
		return t
	}
	return &table{seed: maphash.MakeSeed(), slots: make([]slot, 64)}
}

// add adds own[j], and reports false when a name equal to it is there.
func (t *table) add(s *scanner, own []name, j int) bool {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	text := s.bytes(own[j])
	hash := uint32(maphash.Bytes(t.seed, text))
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for ; t.slots[at].index != 0; at = (at + 1) & mask {
		if t.slots[at].hash == hash && bytes.Equal(s.bytes(own[t.slots[at].index-1]), text) {
			return false
		}
	}
	t.slots[at] = slot{hash, uint32(j + 1)}
	t.used++
	return true
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, e := range old {
		if e.index == 0 {
			continue
		}
		at := e.hash & mask
		for t.slots[at].index != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = e
	}
}
