package schema

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// directReader decodes one text.
type directReader struct {
	text      []byte
	strings   strings.Builder // the short strings, several to an allocation
	unescaped []byte
	machine   *machine // checks values of text, for the codecs that check
}

// release gives the reader back. The strings belong to whoever has the value now: the next text gets
// others.
func (d *directReader) release() {
	d.text = nil
	d.strings.Reset()
	if cap(d.unescaped) <= 1<<10 {
		directReaders.Put(d)
	}
}

// decodeDirectly decodes valid JSON into v, which is zero; false when it gave up, and v is to be
// zeroed again.
func (c *direct) decodeDirectly(text []byte, v reflect.Value) bool {
	d := directReaders.Get().(*directReader)
	d.text = text
	end := c.decode(d, scan.Space(text, 0), v)
	d.release()
	return end != gaveUp
}

// stringBlock is how many bytes short strings share at most, in one allocation: as many as one of them
// can keep from being freed.
const stringBlock = 512

// string makes a string of bytes that are not ours to keep.
func (d *directReader) string(b []byte, at int) string {
	if len(b) > stringBlock/4 {
		return string(b)
	}
	if d.strings.Cap()-d.strings.Len() < len(b) {
		d.strings.Reset()
		d.strings.Grow(max(len(b), min(stringBlock, len(d.text)-at)))
	}
	start := d.strings.Len()
	d.strings.Write(b)
	return d.strings.String()[start:]
}

// quoted reads the string at text[i]: what it says, until the next call, and its end.
func (d *directReader) quoted(i int) (inside []byte, end int) {
	end, escaped := scan.String(d.text, i)
	inside = d.text[i+1 : end-1]
	if escaped {
		d.unescaped = scan.AppendUnescaped(d.unescaped[:0], inside)
		inside = d.unescaped
	}
	return inside, end
}

// isNull reports whether a value that begins with c is null: what it is read into stays zero.
func isNull(c byte) bool { return c == 'n' }

const nullLength = len("null")

func decodeOther(d *directReader, i int, v reflect.Value) int {
	end := scan.Skip(d.text, i)
	p := v.Addr()
	if json.Unmarshal(d.text[i:end:end], p.Interface(), planOf(p.Type()).decode()) != nil {
		return gaveUp
	}
	return end
}

func decodeBool(d *directReader, i int, v reflect.Value) int {
	switch d.text[i] {
	case 't':
		v.SetBool(true)
		return i + len("true")
	case 'f':
		return i + len("false")
	case 'n':
		return i + nullLength
	}
	return gaveUp
}

func decodeString(d *directReader, i int, v reflect.Value) int {
	switch d.text[i] {
	case '"':
		inside, end := d.quoted(i)
		v.SetString(d.string(inside, i))
		return end
	case 'n':
		return i + nullLength
	}
	return gaveUp
}

// digits reads the whole number without a sign at text[i], and gives its end; gaveUp when it is not
// plain digits, or may not fit into an int64.
func (d *directReader) digits(i int) (n int64, end int) {
	text := d.text
	for end = i; end < len(text); end++ {
		c := text[end] - '0'
		if c > 9 {
			break
		}
		n = n*10 + int64(c)
	}
	if end == i || end-i > 18 || end < len(text) && (text[end] == '.' || text[end]|0x20 == 'e') {
		return 0, gaveUp
	}
	return n, end
}

func decodeInt(d *directReader, i int, v reflect.Value) int {
	c := d.text[i]
	if isNull(c) {
		return i + nullLength
	}
	if c == '-' {
		i++
	}
	n, end := d.digits(i)
	if c == '-' {
		n = -n
	}
	if end == gaveUp || v.OverflowInt(n) {
		return gaveUp
	}
	v.SetInt(n)
	return end
}

func decodeUint(d *directReader, i int, v reflect.Value) int {
	if isNull(d.text[i]) {
		return i + nullLength
	}
	n, end := d.digits(i)
	if end == gaveUp || v.OverflowUint(uint64(n)) {
		return gaveUp
	}
	v.SetUint(uint64(n))
	return end
}

func floatCodec(bits int) (func(*directReader, int, reflect.Value) int, func(*directWriter, reflect.Value) bool) {
	decode := func(d *directReader, i int, v reflect.Value) int {
		end := scan.SkipScalar(d.text, i)
		switch c := d.text[i]; {
		case isNull(c):
			return end
		case c != '-' && (c < '0' || c > '9'):
			return gaveUp
		}
		f, err := strconv.ParseFloat(string(d.text[i:end]), bits)
		if err != nil || math.IsInf(f, 0) {
			return gaveUp
		}
		v.SetFloat(f)
		return end
	}
	return decode, func(w *directWriter, v reflect.Value) bool { return w.float(v.Float(), bits) }
}

func pointerCodec(t reflect.Type, elem *direct) (func(*directReader, int, reflect.Value) int, func(*directWriter, reflect.Value) bool) {
	of := t.Elem()
	decode := func(d *directReader, i int, v reflect.Value) int {
		if isNull(d.text[i]) {
			return i + nullLength
		}
		p := reflect.New(of)
		end := elem.decode(d, i, p.Elem())
		v.Set(p)
		return end
	}
	encode := func(w *directWriter, v reflect.Value) bool {
		if v.IsNil() {
			w.b = append(w.b, "null"...)
			return true
		}
		return w.deeper() && elem.encode(w, v.Elem()) && w.shallower()
	}
	return decode, encode
}

func sliceCodec(t reflect.Type, elem *direct) (func(*directReader, int, reflect.Value) int, func(*directWriter, reflect.Value) bool) {
	empty, size := reflect.MakeSlice(t, 0, 0), int(t.Elem().Size())
	decode := func(d *directReader, i int, v reflect.Value) int {
		text := d.text
		switch text[i] {
		case '[':
		case 'n':
			return i + nullLength
		default:
			return gaveUp
		}
		i = scan.Space(text, i+1)
		if text[i] == ']' {
			v.Set(empty)
			return i + 1
		}
		room := 1
		if elem.flat {
			room = firstRoom(text, i, size)
		}
		v.Grow(room)
		for n := 0; ; n++ {
			if n == v.Cap() {
				more := 1 // or what append grows by
				if elem.flat && n <= uncounted {
					more = countItems(text, i)
				}
				v.Grow(more)
			}
			v.SetLen(n + 1)
			if i = elem.decode(d, i, v.Index(n)); i == gaveUp {
				return gaveUp
			}
			i = scan.Space(text, i)
			if text[i] == ']' {
				return i + 1
			}
			i = scan.Space(text, i+1)
		}
	}
	encode := func(w *directWriter, v reflect.Value) bool {
		if !w.deeper() {
			return false
		}
		w.b = append(w.b, '[')
		for i := range v.Len() {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			if !elem.encode(w, v.Index(i)) {
				return false
			}
		}
		w.b = append(w.b, ']')
		return w.shallower()
	}
	return decode, encode
}

// uncounted is for how many items room is made without counting them.
const uncounted = 8

// firstRoom guesses how many items an array has, whose first is at text[i]: as many as fit into the rest of
// the text, if they are like the first, but few, and fewer when they are large. Like countItems it is for
// arrays without arrays in them: where arrays nest, the innermost would be looked at once for each around it.
func firstRoom(text []byte, i, size int) int {
	end := scan.Skip(text, i)
	return max(1, min(uncounted, (len(text)-i)/(end-i+1), 1024/max(size, 1)))
}

// countItems counts the items of an array from the one at text[i] on.
func countItems(text []byte, i int) int {
	for n := 1; ; n++ {
		if i = scan.Space(text, scan.Skip(text, i)); text[i] == ']' {
			return n
		}
		i = scan.Space(text, i+1)
	}
}

func mapCodec(t reflect.Type, elem *direct) (func(*directReader, int, reflect.Value) int, func(*directWriter, reflect.Value) bool) {
	keyType, elemType := t.Key(), t.Elem()
	decode := func(d *directReader, i int, v reflect.Value) int {
		text := d.text
		switch text[i] {
		case '{':
		case 'n':
			return i + nullLength
		default:
			return gaveUp
		}
		v.Set(reflect.MakeMap(t))
		i = scan.Space(text, i+1)
		if text[i] == '}' {
			return i + 1
		}
		key, value := reflect.New(keyType).Elem(), reflect.New(elemType).Elem()
		for {
			name, end := d.quoted(i)
			key.SetString(d.string(name, i))
			i = scan.Space(text, scan.Space(text, end)+1)
			value.SetZero()
			if i = elem.decode(d, i, value); i == gaveUp {
				return gaveUp
			}
			v.SetMapIndex(key, value)
			i = scan.Space(text, i)
			if text[i] == '}' {
				return i + 1
			}
			i = scan.Space(text, i+1)
		}
	}
	return decode, mapEncoder(keyType, elemType, elem)
}

// directStruct decodes and encodes structs.
type directStruct struct {
	fields []directField
	byName map[string]int // when there are many
}

func newDirectStruct(fields []directField) *directStruct {
	s := &directStruct{fields: fields}
	if len(fields) > 8 {
		s.byName = make(map[string]int, len(fields))
		for i := range fields {
			s.byName[fields[i].name] = i
		}
	}
	return s
}

// find gives the field of that name, or -1.
func (s *directStruct) find(name []byte) int {
	if s.byName != nil {
		if i, ok := s.byName[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range s.fields {
		if string(name) == s.fields[i].name {
			return i
		}
	}
	return -1
}

// label is how the name of field i is written; nothing is written so when there is no such field.
func (s *directStruct) label(i int) string {
	if i < len(s.fields) {
		return s.fields[i].label
	}
	return "\x00"
}

func (s *directStruct) decode(d *directReader, i int, v reflect.Value) int {
	text := d.text
	switch text[i] {
	case '{':
	case 'n':
		return i + nullLength
	default:
		return gaveUp
	}
	i = scan.Space(text, i+1)
	if text[i] == '}' {
		return i + 1
	}
	for next := 0; ; {
		// Members mostly come in the order of the fields, without white space.
		at := next
		if label := s.label(next); len(text)-i > len(label) && string(text[i:i+len(label)]) == label {
			i = scan.Space(text, i+len(label))
		} else {
			name, end := d.quoted(i)
			at = s.find(name)
			i = scan.Space(text, scan.Space(text, end)+1)
		}
		if at < 0 {
			i = scan.Skip(text, i)
		} else {
			f := &s.fields[at]
			if i = f.codec.decode(d, i, v.Field(f.index)); i == gaveUp {
				return gaveUp
			}
			next = at + 1
		}
		i = scan.Space(text, i)
		if text[i] == '}' {
			return i + 1
		}
		i = scan.Space(text, i+1)
	}
}
