package schema

import (
	"reflect"
	"strings"
	"sync"
)

// direct decodes and encodes the values of one type without json v2, which spends most of its time on
// what plain types do not use. It knows booleans, numbers and strings, and the pointers, slices, maps with
// string keys and structs made of them; for everything else it asks json v2, value by value.
//
// It never decides that something is wrong. Where a value does not fit it gives up, and the
// whole is left to json v2, whose errors say why. So the two can only differ in what they accept, and
// the tests compare them there.
type direct struct {
	// decode sets v, which is zero, from the valid value at text[i], and gives the value's end, or
	// gaveUp.
	decode func(d *directReader, i int, v reflect.Value) int
	// encode appends v, and reports false when it gives up.
	encode func(w *directWriter, v reflect.Value) bool

	// flat: the type has no slices and maps in it.
	flat bool
	// quietIn and quietOut: decoding and encoding run no code but ours and json v2's.
	quietIn, quietOut bool
	// sound: what is encoded is valid for [scan.Valid] too, which refuses numbers that no float64 holds.
	sound bool
}

const gaveUp = -1

// directs makes the codecs of a type and of the types in it. Recursive types are why a codec is in the
// map before it is made.
type directs map[reflect.Type]*direct

// directOf makes the codec of t; nil when it would be no faster than json v2.
func directOf(t reflect.Type) *direct {
	all := directs{}
	root := all.of(t)
	quietIn, quietOut, sound, some := true, true, true, false
	for t, c := range all {
		if !c.own(t) {
			quietIn = quietIn && quietDecoding(t)
			quietOut = quietOut && quietEncoding(t)
			sound = sound && (t == timeType || t == durationType)
		} else if t.Kind() != reflect.Pointer {
			some = true
		}
	}
	if !some {
		return nil
	}
	root.quietIn, root.quietOut, root.sound = quietIn, quietOut, sound
	return root
}

// own reports whether the codec does t by itself.
func (c *direct) own(t reflect.Type) bool { return c.decode != nil && !asksOther(t) }

// asksOther reports whether the values of t, as a whole, are left to json v2.
func asksOther(t reflect.Type) bool {
	if hasMethods(t, jsonMethods) || hasMethods(t, textMethods) {
		return true
	}
	switch t {
	case durationType, rawValueType, numberType:
		return true
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64, reflect.Pointer:
		return false
	case reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8
	case reflect.Map:
		k := t.Key()
		return k.Kind() != reflect.String || hasMethods(k, jsonMethods) || hasMethods(k, textMethods)
	case reflect.Struct:
		_, ok := directFields(t)
		return !ok
	}
	return !isIntegerKind(t.Kind())
}

// quietDecoding reports whether json v2 runs no method of an author when it decodes a t.
func quietDecoding(t reflect.Type) bool {
	switch t {
	case durationType, timeType, rawValueType, numberType:
		return true
	}
	return t.Kind() == reflect.Slice && t.Elem() == byteType ||
		t.Kind() == reflect.Interface && t.NumMethod() == 0
}

// quietEncoding reports whether json v2 runs no method of an author when it encodes a t. An any may
// hold a type that has one.
func quietEncoding(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && quietDecoding(t)
}

func (all directs) of(t reflect.Type) *direct {
	if c := all[t]; c != nil {
		return c
	}
	c := new(direct)
	all[t] = c
	if asksOther(t) {
		c.decode, c.encode = decodeOther, encodeOther
		return c
	}
	c.flat = true
	switch k := t.Kind(); k {
	case reflect.Bool:
		c.decode, c.encode = decodeBool, encodeBool
	case reflect.String:
		c.decode, c.encode = decodeString, encodeString
	case reflect.Float32, reflect.Float64:
		c.decode, c.encode = floatCodec(t.Bits())
	case reflect.Pointer:
		elem := all.of(t.Elem())
		c.flat = elem.flat
		c.decode, c.encode = pointerCodec(t, elem)
	case reflect.Slice:
		c.flat = false
		c.decode, c.encode = sliceCodec(t, all.of(t.Elem()))
	case reflect.Map:
		c.flat = false
		c.decode, c.encode = mapCodec(t, all.of(t.Elem()))
	case reflect.Struct:
		c.flat = false // as long as it is being made: a type with itself in it is not flat
		fields, _ := directFields(t)
		flat := true
		for i := range fields {
			f := &fields[i]
			f.codec = all.of(t.Field(f.index).Type)
			flat = flat && f.codec.flat
		}
		c.flat = flat
		s := newDirectStruct(fields)
		c.decode, c.encode = s.decode, s.encode
	default:
		switch {
		case k <= reflect.Int64:
			c.decode, c.encode = decodeInt, encodeInt
		default:
			c.decode, c.encode = decodeUint, encodeUint
		}
	}
	return c
}

// directField is a member of a struct.
type directField struct {
	name      string
	label     string // the name as it is written: "name":
	index     int
	omitEmpty bool
	omitZero  bool
	codec     *direct
}

// directFields lists the members of a struct as json v2 sees them; false when it has an embedded field or
// a tag with more than omitempty and omitzero, or is one that json v2 refuses.
func directFields(t reflect.Type) ([]directField, bool) {
	var fields []directField
	names := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		switch {
		case f.Anonymous:
			return nil, false
		case tag == "-":
			continue
		case !f.IsExported():
			if tagged {
				return nil, false
			}
			continue
		}
		name, rest, more := strings.Cut(tag, ",")
		d := directField{name: name, index: i}
		if name == "" {
			d.name = f.Name
		}
		for more {
			var option string
			option, rest, more = strings.Cut(rest, ",")
			switch {
			case option == "omitempty" && !d.omitEmpty:
				d.omitEmpty = true
			case option == "omitzero" && !d.omitZero:
				d.omitZero = true
			default:
				return nil, false
			}
		}
		if !isPlainName(d.name) || names[d.name] || d.omitZero && f.Type != timeType && hasIsZero(f.Type) {
			return nil, false
		}
		names[d.name] = true
		d.label = `"` + d.name + `":`
		fields = append(fields, d)
	}
	return fields, len(fields) > 0 || t.NumField() == 0
}

// isPlainName reports whether a name means itself in a tag and in JSON.
func isPlainName(name string) bool {
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '$':
		case c == '-' && name != "-":
		default:
			return false
		}
	}
	return name != ""
}

var isZeroerType = reflect.TypeFor[interface{ IsZero() bool }]()

func hasIsZero(t reflect.Type) bool {
	return t.Implements(isZeroerType) || reflect.PointerTo(t).Implements(isZeroerType)
}

// directReaders and directWriters hold what one call needs, for the next to use again. Nothing of a
// value stays in them.
var (
	directReaders = sync.Pool{New: func() any { return new(directReader) }}
	directWriters = sync.Pool{New: func() any { return new(directWriter) }}
)
