package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// object is a type of this package whose JSON is an object. Its one method visits every member in the
// order they are written; the visitor reads into the fields or writes them out. So the two directions
// cannot drift apart, and what a visit did not claim is kept.
type object interface{ visit(v *visitor) }

// zeros remembers, one bit a member, where a parsed object's zero fields differ from what they are in
// a literal: an optional member that was there although its value is zero (an empty text, 0, false), or
// one that is always written but was not there. So both are written as they were read.
type zeros uint32

// rule says when a member is written, and what is wrong with one that is missing or of another type.
type rule uint8

const (
	// optional members are written unless zero. One of another type is an error in strict mode.
	optional rule = iota
	// loose members are optional ones whose type the sources leave open: another type is never an
	// error, it is kept in Unknown.
	loose
	// always members are written even when zero.
	always
	// required members are written even when zero, and it is an error in strict mode to lack one.
	required
	// vital members are required in every mode.
	vital
)

// A visitor reads or writes one object.
type visitor struct {
	// Both ways.
	bit     uint // how many members were visited
	zeros   *zeros
	unknown *map[string]jsontext.Value

	// Reading.
	reading bool
	strict  bool
	members []member
	parent  *visitor
	place   string // this object's place below its parent, or its list's
	element int    // its place in a list, counted from 1; 0 when it is in none
	faults  *[]error

	// Writing.
	b       []byte
	start   int
	written []string
}

type member struct {
	name, value []byte
	taken       bool
}

// maxFaults bounds the list of errors of one document.
const maxFaults = 100

// marshalObject is the MarshalJSON of every object.
func marshalObject(o object) ([]byte, error) {
	var b []byte
	if large, ok := o.(interface{ size() int }); ok {
		b = make([]byte, 0, large.size())
	}
	b = appendObject(b, o)
	if err := scan.Valid(b); err != nil {
		return nil, fmt.Errorf("a %T holds what is not JSON: %w", o, err)
	}
	return b, nil
}

// unmarshalObject is the UnmarshalJSON of every object. It replaces *o; data is copied, not kept.
func unmarshalObject[T any, P interface {
	*T
	object
}](data []byte, o P, strict bool) error {
	if err := scan.Valid(data); err != nil {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	var faults []error
	value, ok := readObject[T, P](slices.Clone(data), nil, "", strict, &faults)
	if !ok && len(faults) == 0 {
		faults = append(faults, fmt.Errorf("must be an object, not %s", show(data[scan.Space(data, 0):])))
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	*o = value
	return nil
}

// readObject reads a valid value; it is false when it is not an object or lacks a vital member.
func readObject[T any, P interface {
	*T
	object
}](value []byte, parent *visitor, place string, strict bool, faults *[]error) (T, bool) {
	var out T
	if _, ok := openObject(value); !ok {
		return out, false
	}
	v := visitor{reading: true, strict: strict, parent: parent, place: place, faults: faults}
	before := len(*faults)
	v.readMembers(P(&out), value)
	return out, len(*faults) == before
}

// readMembers reads value, which is an object, into o.
func (v *visitor) readMembers(o object, value []byte) {
	v.bit, v.zeros, v.unknown, v.members = 0, nil, nil, v.members[:0]
	c, ok := openObject(value)
	for ok {
		var name, value []byte
		if name, value, ok = c.next(); ok {
			v.members = append(v.members, member{name: name, value: value})
		}
	}
	o.visit(v)
	v.keepRest()
}

func (v *visitor) keepRest() {
	if v.unknown == nil {
		return
	}
	for _, m := range v.members {
		if m.taken {
			continue
		}
		if *v.unknown == nil {
			*v.unknown = make(map[string]jsontext.Value)
		}
		(*v.unknown)[string(m.name)] = m.value
	}
}

// appendObject appends o's JSON.
func appendObject(b []byte, o object) []byte {
	v := visitor{b: append(b, '{'), start: len(b) + 1}
	o.visit(&v)
	if v.unknown != nil {
		names := make([]string, 0, len(*v.unknown))
		for name := range *v.unknown {
			if !slices.Contains(v.written, name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			v.comma()
			v.b = append(appendText(v.b, name), ':')
			v.b = appendRaw(v.b, (*v.unknown)[name])
		}
	}
	return append(v.b, '}')
}

func appendRaw(b []byte, value jsontext.Value) []byte {
	if len(value) == 0 {
		return append(b, "null"...)
	}
	return append(b, value...)
}

// open says where members without a field go. Every visit of an open object begins with it.
func (v *visitor) open(unknown *map[string]jsontext.Value, z *zeros) {
	v.unknown, v.zeros = unknown, z
}

func (v *visitor) comma() {
	if len(v.b) > v.start {
		v.b = append(v.b, ',')
	}
}

// write begins a member, unless it is to be left out: a zero that is optional or was not there when the
// object was read, and any zero in whose place Unknown has a value.
func (v *visitor) write(name string, zero bool, r rule) bool {
	v.bit++
	if zero && r != vital {
		if v.unknown != nil {
			if _, ok := (*v.unknown)[name]; ok {
				return false
			}
		}
		if (r <= loose) != v.marked() {
			return false
		}
	}
	if v.unknown != nil && len(*v.unknown) > 0 {
		v.written = append(v.written, name)
	}
	v.comma()
	v.b = append(appendText(v.b, name), ':')
	return true
}

// mark sets the bit of the member that is being visited, marked tells whether it is set.
func (v *visitor) mark() {
	if v.zeros != nil {
		*v.zeros |= 1 << (v.bit - 1)
	}
}

func (v *visitor) marked() bool { return v.zeros != nil && *v.zeros&(1<<(v.bit-1)) != 0 }

// read finds a member and hands its value to decode, which returns what it wants ("" when it took
// the value) and whether the field is now zero.
func (v *visitor) read(name string, r rule, decode func(value []byte) (want string, zero bool)) {
	v.bit++
	for i := range v.members {
		m := &v.members[i]
		if m.taken || string(m.name) != name {
			continue
		}
		want, zero := decode(m.value)
		if want != "" {
			v.wrong("/"+escapePointer(name), want, m.value, r)
			return
		}
		m.taken = true
		if zero && r <= loose {
			v.mark()
		}
		return
	}
	if r > loose {
		v.mark()
	}
	if r == vital || v.strict && r == required {
		v.fault("/"+escapePointer(name), "is required")
	}
}

// refuses reports whether another type is an error in a member of that rule.
func (v *visitor) refuses(r rule) bool { return r == vital || v.strict && r != loose }

// fault records what is wrong at a place below the object being read. Places are JSON Pointers
// (RFC 6901).
func (v *visitor) fault(place, what string) {
	if len(*v.faults) == maxFaults {
		return
	}
	for u := v; u != nil; u = u.parent {
		if u.element > 0 {
			place = "/" + strconv.Itoa(u.element-1) + place
		}
		place = u.place + place
	}
	*v.faults = append(*v.faults, fmt.Errorf("%s %s", place, what))
}

func escapePointer(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

func element(name string, i int) string {
	return "/" + escapePointer(name) + "/" + strconv.Itoa(i)
}
