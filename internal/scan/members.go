package scan

// Members checks text as [Valid] does and lists the members of the object that it is, in one pass where
// Valid and a walk over the members would be two. A text that is no object has none.
func Members(text []byte, list *MemberList) error {
	s := scanners.Get().(*scanner)
	defer s.release()
	if err := s.scan(text, list); err != nil {
		return err
	}
	return nil
}

// Member says where a member of an object is in its text: the name with its quotes and the value.
type Member struct{ Name, NameEnd, Value, ValueEnd uint32 }

// MemberList holds the members of one object. The zero list is empty. It is a struct with an array so
// that a list of ordinary length needs no allocation.
type MemberList struct {
	first [12]Member
	more  []Member
	n     int
}

// Len gives the number of members.
func (l *MemberList) Len() int { return l.n }

// At gives member number i.
func (l *MemberList) At(i int) *Member {
	if i < len(l.first) {
		return &l.first[i]
	}
	return &l.more[i-len(l.first)]
}

// begin adds a member whose name is at start and whose value is at or after i.
func (l *MemberList) begin(text []byte, start, i int) {
	l.n++
	if l.n > len(l.first) {
		l.more = append(l.more, Member{})
	}
	*l.At(l.n - 1) = Member{Name: uint32(start), NameEnd: uint32(SkipString(text, start)), Value: uint32(Space(text, i))}
}
