package schema

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// directWriter encodes one value.
type directWriter struct {
	b       []byte
	scratch []byte // where a value of unknown length is written first
	depth   int
	other   bool // part of it is json v2's
}

// keptScratch is the largest scratch that is kept for the next value, in bytes.
const keptScratch = 16 << 10

// directDepth is how deep a value may nest here. Beyond, json v2 looks for cycles.
const directDepth = 500

// encodeDirectly appends v; false when it gave up, and b is as it was.
func (c *direct) encodeDirectly(b []byte, v reflect.Value) ([]byte, bool) {
	w := directWriters.Get().(*directWriter)
	w.b, w.depth, w.other = b, 0, false
	if b == nil {
		w.b = w.scratch[:0]
	}
	ok := c.encode(w, v)
	out, other := w.b, w.other
	w.b = nil
	if b == nil {
		w.scratch = nil
		if cap(out) <= keptScratch {
			w.scratch, out = out, bytes.Clone(out)
		}
	}
	directWriters.Put(w)
	if !ok || other && tooDeep(out[len(b):]) {
		return b, false
	}
	return out, true
}

// tooDeep reports whether parts that json v2 let pass make a whole that it would not: each may
// nest almost as deep as a text may.
func tooDeep(text []byte) bool {
	if len(text) < 2*(scan.MaxDepth-directDepth) {
		return false
	}
	depth, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = scan.SkipString(text, i) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest > scan.MaxDepth
}

func (w *directWriter) deeper() bool {
	w.depth++
	return w.depth <= directDepth
}

func (w *directWriter) shallower() bool {
	w.depth--
	return true
}

// Write makes the writer one that json v2 can write to.
func (w *directWriter) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

func encodeOther(w *directWriter, v reflect.Value) bool {
	w.other = true
	if v.CanAddr() {
		v = v.Addr() // a method may be the pointer's, and is called on the value itself
	}
	return json.MarshalWrite(w, v.Interface(), planOf(v.Type()).encode()) == nil
}

func encodeBool(w *directWriter, v reflect.Value) bool {
	w.b = strconv.AppendBool(w.b, v.Bool())
	return true
}

func encodeInt(w *directWriter, v reflect.Value) bool {
	w.b = strconv.AppendInt(w.b, v.Int(), 10)
	return true
}

func encodeUint(w *directWriter, v reflect.Value) bool {
	w.b = strconv.AppendUint(w.b, v.Uint(), 10)
	return true
}

func encodeString(w *directWriter, v reflect.Value) bool { return w.string(v.String()) }

func (w *directWriter) string(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			b, err := jsontext.AppendQuote(w.b, s)
			w.b = b
			return err == nil // else it is not UTF-8
		}
	}
	w.b = append(append(append(w.b, '"'), s...), '"')
	return true
}

// float writes a number as ECMAScript does.
func (w *directWriter) float(f float64, bits int) bool {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return false
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 {
		small, large := abs < 1e-6, abs >= 1e21
		if bits == 32 {
			small, large = float32(abs) < 1e-6, float32(abs) >= 1e21
		}
		if small || large {
			format = 'e'
		}
	}
	w.b = strconv.AppendFloat(w.b, f, format, -1, bits)
	if n := len(w.b); format == 'e' && w.b[n-4] == 'e' && w.b[n-3] == '-' && w.b[n-2] == '0' {
		w.b = append(w.b[:n-2], w.b[n-1]) // 1e-07 is 1e-7
	}
	return true
}

func mapEncoder(keyType, elemType reflect.Type, elem *direct) func(*directWriter, reflect.Value) bool {
	return func(w *directWriter, v reflect.Value) bool {
		if !w.deeper() {
			return false
		}
		w.b = append(w.b, '{')
		if v.Len() > 0 && !encodeMembers(w, v, keyType, elemType, elem) {
			return false
		}
		w.b = append(w.b, '}')
		return w.shallower()
	}
}

// encodeMembers writes a map's members, sorted.
func encodeMembers(w *directWriter, v reflect.Value, keyType, elemType reflect.Type, elem *direct) bool {
	names := make([]string, 0, v.Len())
	for iter := v.MapRange(); iter.Next(); {
		names = append(names, iter.Key().String())
	}
	slices.Sort(names)
	key, value := reflect.New(keyType).Elem(), reflect.New(elemType).Elem()
	for i, name := range names {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if !w.string(name) {
			return false
		}
		w.b = append(w.b, ':')
		key.SetString(name)
		at := v.MapIndex(key)
		if !at.IsValid() {
			return false // the author changes the map meanwhile
		}
		value.Set(at)
		if !elem.encode(w, value) {
			return false
		}
	}
	return true
}

func (s *directStruct) encode(w *directWriter, v reflect.Value) bool {
	if !w.deeper() {
		return false
	}
	w.b = append(w.b, '{')
	first := true
	for i := range s.fields {
		f := &s.fields[i]
		value := v.Field(f.index)
		if f.omitZero && isZero(value) || f.omitEmpty && isEmpty(value) {
			continue
		}
		if !first {
			w.b = append(w.b, ',')
		}
		first = false
		w.b = append(w.b, f.label...)
		if !f.codec.encode(w, value) {
			return false
		}
	}
	w.b = append(w.b, '}')
	return w.shallower()
}

// isZero reports whether omitzero leaves a value out. Of the types with a method that says so,
// only time.Time comes here.
func isZero(v reflect.Value) bool {
	if v.Type() == timeType {
		return v.Interface().(time.Time).IsZero()
	}
	return v.IsZero()
}

// isEmpty reports what encoding/json calls empty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String, reflect.Map, reflect.Slice, reflect.Array:
		return v.Len() == 0
	case reflect.Float32, reflect.Float64:
		return v.Float() == 0 // also when it is -0, which is not the zero value
	case reflect.Bool, reflect.Pointer, reflect.Interface:
		return v.IsZero()
	}
	return isIntegerKind(v.Kind()) && v.IsZero()
}
