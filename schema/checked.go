package schema

import (
	"reflect"

	"github.com/kindgi/kindgi-go/internal/scan"
	"github.com/kindgi/kindgi-go/protocol"
)

// Decode decodes data into what v points to, as the function [Decode] does, once s admits it: one
// step for what a handler is given. The issues are those of [Schema.Check]; with issues or an error, what v
// points to is not to be used. Data must be valid JSON, as for Check.
//
// For plain types whose values are described member by member, as [For] describes them, checking and
// decoding are one pass over data.
func (s *Schema) Decode(data []byte, v any) ([]protocol.Issue, error) {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		if c := s.checkedCodec(p.Type().Elem()); c != nil && c.decodeChecked(s.program, data, p.Elem()) {
			return nil, nil
		}
	}
	if issues := s.Check(data); len(issues) > 0 {
		return issues, nil
	}
	return nil, Decode(data, v)
}

// checkedType is a codec that checks, and the type that it is for.
type checkedType struct {
	of    reflect.Type
	codec *direct // nil when there is none
}

// checkedCodec gives the codec that decodes what s admits into a t, nil when there is none. A schema is
// nearly always asked for one type, and remembers the one it was asked for first.
func (s *Schema) checkedCodec(t reflect.Type) *direct {
	known := s.checked.Load()
	if known == nil {
		known = &checkedType{of: t}
		if planOf(t).direct != nil && !s.program.indexed {
			all := checkedCodecs{made: map[checkedKey]*direct{}, plain: directs{}}
			known.codec = all.of(t, s.program.root)
		}
		s.checked.Store(known)
	}
	if known.of != t {
		return nil
	}
	return known.codec
}

// decodeChecked decodes valid JSON into v; false when the program does not admit it, or the codec gave
// up. Which of them it was is for others to find out.
func (c *direct) decodeChecked(p *program, text []byte, v reflect.Value) bool {
	v.SetZero()
	if tooLong(text) {
		return false
	}
	d := directReaders.Get().(*directReader)
	m, start := newMachine(p, text)
	d.text, d.machine = text, m
	end := c.decode(d, start, v)
	d.machine = nil
	m.release()
	d.release()
	return end != gaveUp
}

// checkedCodecs makes decoders that check what they decode: a [direct] for each type and the schema of its
// values. They give up where a schema does not admit a value. Recursive types are why a decoder is in the
// map before it is made.
type checkedCodecs struct {
	made  map[checkedKey]*direct
	plain directs // the same without checks
}

type checkedKey struct {
	t reflect.Type
	n *node
}

func (all checkedCodecs) of(t reflect.Type, n *node) *direct {
	for range 8 { // a chain that is longer, or has no end, is checked apart
		if !n.appliesReferenceOnly() {
			break
		}
		n = n.ref.target
	}
	key := checkedKey{t, n}
	if c := all.made[key]; c != nil {
		return c
	}
	c := new(direct)
	all.made[key] = c
	plain := all.plain.of(t)
	c.flat = plain.flat
	if n.always {
		c.decode = plain.decode
		return c
	}
	c.decode = all.decoder(t, n, plain)
	return c
}

// appliesReferenceOnly reports whether the node is a $ref and nothing else.
func (n *node) appliesReferenceOnly() bool {
	return n.bare && n.ref != nil && n.dynamic == nil && n.allOf == nil && n.anyOf == nil && n.oneOf == nil &&
		n.not == nil && n.cond == nil && n.then == nil && n.otherwise == nil
}

// decoder gives the decoder for values of t that n describes.
func (all checkedCodecs) decoder(t reflect.Type, n *node, plain *direct) func(*directReader, int, reflect.Value) int {
	var decode func(*directReader, int, reflect.Value) int
	if !asksOther(t) && !n.applies && !n.never && n.constant == nil && n.enum == nil {
		switch k := t.Kind(); k {
		case reflect.Pointer:
			decode, _ = pointerCodec(t, all.of(t.Elem(), n))
		case reflect.Bool:
			decode = decodeBool
		case reflect.String:
			decode = checkedString(n.text)
		case reflect.Slice:
			decode = all.slice(t, n.array)
		case reflect.Map:
			decode = all.object(t, n.object)
		case reflect.Struct:
			decode = all.structure(t, n.object)
		default:
			if isIntegerKind(k) && n.integer {
				decode = checkedInteger(k <= reflect.Int64, n.number)
			}
		}
	}
	if decode == nil { // the value is checked and then decoded
		return func(d *directReader, i int, v reflect.Value) int {
			if _, ok := d.machine.check(n, i); !ok {
				return gaveUp
			}
			return plain.decode(d, i, v)
		}
	}
	types := n.types
	return func(d *directReader, i int, v reflect.Value) int {
		if types&kinds[d.text[i]] == 0 {
			return gaveUp
		}
		return decode(d, i, v)
	}
}

// checkedString decodes strings that the rules, if any, admit.
func checkedString(r *textRules) func(*directReader, int, reflect.Value) int {
	if r == nil {
		return decodeString
	}
	return func(d *directReader, i int, v reflect.Value) int {
		if d.text[i] != '"' {
			return decodeString(d, i, v)
		}
		inside, end := d.quoted(i)
		if !r.admit(inside) {
			return gaveUp
		}
		v.SetString(d.string(inside, i))
		return end
	}
}

// checkedInteger decodes integers that the rules, if any, admit.
func checkedInteger(signed bool, r *numberRules) func(*directReader, int, reflect.Value) int {
	decode := decodeUint
	if signed {
		decode = decodeInt
	}
	if r == nil {
		return decode
	}
	return func(d *directReader, i int, v reflect.Value) int {
		end := decode(d, i, v)
		if end == gaveUp || isNull(d.text[i]) {
			return end
		}
		n := decimal{negative: d.text[i] == '-'}
		switch {
		case !signed:
			n.mantissa = v.Uint()
		case n.negative:
			n.mantissa = -uint64(v.Int())
		default:
			n.mantissa = uint64(v.Int())
		}
		if !r.admit(&n) {
			return gaveUp
		}
		return end
	}
}

// slice decodes arrays into a slice type; nil when the rules ask for more than their items and their
// number.
func (all checkedCodecs) slice(t reflect.Type, r *arrayRules) func(*directReader, int, reflect.Value) int {
	if r == nil {
		decode, _ := sliceCodec(t, all.plain.of(t.Elem()))
		return decode
	}
	if len(r.prefix) > 0 || r.contains != nil || r.unique || r.unevaluated != nil {
		return nil
	}
	var elem *direct
	if r.items != nil {
		elem = all.of(t.Elem(), r.items)
	} else {
		elem = all.plain.of(t.Elem())
	}
	decode, _ := sliceCodec(t, elem)
	if r.minItems <= 0 && r.maxItems < 0 {
		return decode
	}
	return func(d *directReader, i int, v reflect.Value) int {
		end := decode(d, i, v)
		if n := v.Len(); end == gaveUp || !isNull(d.text[i]) && (n < r.minItems || r.maxItems >= 0 && n > r.maxItems) {
			return gaveUp
		}
		return end
	}
}

// simple reports whether the rules are about single members, by name, and their number.
func (o *objectRules) simple() bool {
	return len(o.patterns) == 0 && o.propertyNames == nil && o.dependentRequired == nil && o.dependentSchemas == nil &&
		o.unevaluated == nil && len(o.properties) <= 64
}

// object decodes objects into a map type; nil when the rules name members, or ask for more.
func (all checkedCodecs) object(t reflect.Type, r *objectRules) func(*directReader, int, reflect.Value) int {
	if r == nil || !r.simple() || len(r.properties) > 0 || r.additional == nil || r.minProperties > 0 || r.maxProperties >= 0 {
		return nil
	}
	decode, _ := mapCodec(t, all.of(t.Elem(), r.additional))
	return decode
}

// structure decodes objects into a struct type; nil when the rules ask for more than single members.
func (all checkedCodecs) structure(t reflect.Type, r *objectRules) func(*directReader, int, reflect.Value) int {
	if r == nil || !r.simple() || r.minProperties > 0 || r.maxProperties >= 0 {
		return nil
	}
	fields, _ := directFields(t)
	s := &checkedStruct{rules: r, members: make([]checkedMember, len(r.properties))}
	for i := range r.properties {
		p := &r.properties[i]
		m := &s.members[i]
		m.field, m.label, m.node = -1, p.quoted, p.node
		if !p.listed {
			m.node = r.additional
		}
		for _, f := range fields {
			if f.name == p.name {
				m.field = f.index
				if m.node == nil {
					m.codec = all.plain.of(t.Field(f.index).Type)
				} else {
					m.codec = all.of(t.Field(f.index).Type, m.node)
				}
			}
		}
	}
	for _, f := range fields {
		if r.find([]byte(f.name)) < 0 {
			return nil // a field that only additionalProperties describes
		}
	}
	return s.decode
}

// checkedStruct decodes a struct and checks its members on the way.
type checkedStruct struct {
	rules   *objectRules
	members []checkedMember // by the index of the property
}

type checkedMember struct {
	label string // the name as most texts have it
	field int    // -1: the struct has none
	codec *direct
	node  *node // nil: anything
}

func (s *checkedStruct) decode(d *directReader, i int, v reflect.Value) int {
	text := d.text
	switch {
	case isNull(text[i]):
		return i + nullLength
	case text[i] != '{': // which the schema admits, but no struct holds
		return gaveUp
	}
	var seen uint64
	i = scan.Space(text, i+1)
	for next := 0; text[i] != '}'; {
		at := next
		// Members mostly come in the order of the schema, without white space.
		if next < len(s.members) && hasPrefix(text[i:], s.members[next].label) {
			i = scan.Space(text, i+len(s.members[next].label))
		} else {
			name, end := d.quoted(i)
			at = s.rules.find(name)
			i = scan.Space(text, scan.Space(text, end)+1)
		}
		if at >= 0 {
			seen |= 1 << at
			next = at + 1
			m := &s.members[at]
			if m.field >= 0 {
				if i = m.codec.decode(d, i, v.Field(m.field)); i == gaveUp {
					return gaveUp
				}
			} else if i = d.skip(m.node, i); i == gaveUp {
				return gaveUp
			}
		} else if i = d.skip(s.rules.additional, i); i == gaveUp {
			return gaveUp
		}
		if i = scan.Space(text, i); text[i] == ',' {
			i = scan.Space(text, i+1)
		}
	}
	if seen&s.rules.requiredMask != s.rules.requiredMask {
		return gaveUp
	}
	return i + 1
}

// skip checks a value that is not decoded, and gives its end.
func (d *directReader) skip(n *node, i int) int {
	if n == nil {
		return scan.Skip(d.text, i)
	}
	end, ok := d.machine.check(n, i)
	if !ok {
		return gaveUp
	}
	return end
}
