package record

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// visit is a reference that a value being written is inside of.
type visit struct {
	t    reflect.Type
	at   uintptr
	size int
}

// maxPath bounds the references a value is inside of, which pointers to pointers could make endless.
const maxPath = 64

// enter notes a reference before what it refers to is written. When it tells false, that is already
// being written, and something else stands in its place.
func (e *encoder) enter(v reflect.Value) bool {
	here := visit{t: v.Type(), at: v.Pointer()}
	if v.Kind() == reflect.Slice {
		here.size = v.Len()
	}
	if slices.Contains(e.path, here) {
		e.string(circular)
		return false
	}
	if len(e.path) == maxPath {
		e.string(tooDeep)
		return false
	}
	e.path = append(e.path, here)
	return true
}

func (e *encoder) leave() { e.path = e.path[:len(e.path)-1] }

// open begins an object or an array. When it tells false, that would be too deep, and something
// else stands in its place.
func (e *encoder) open(bracket byte) bool {
	if e.depth >= maxDepth { // open groups may have passed it already
		e.string(tooDeep)
		return false
	}
	e.depth++
	e.buf = append(e.buf, bracket)
	return true
}

func (e *encoder) close(bracket byte) {
	e.depth--
	e.buf = append(e.buf, bracket)
}

// any writes any value.
func (e *encoder) any(x any) {
	switch x := x.(type) {
	case nil:
		e.buf = append(e.buf, "null"...)
	case string:
		e.string(x)
	case bool:
		e.buf = strconv.AppendBool(e.buf, x)
	case int:
		e.buf = appendInt(e.buf, int64(x))
	default:
		e.value(reflect.ValueOf(x))
	}
}

// value writes any value. All it reaches is reached through exported fields, so that its methods may be called.
func (e *encoder) value(v reflect.Value) {
	if !v.IsValid() {
		e.buf = append(e.buf, "null"...)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		if v.IsNil() {
			e.nothing(v)
			return
		}
	}
	if v.Kind() == reflect.Interface {
		e.value(v.Elem())
		return
	}
	info := infoOf(v.Type())
	if info.form == formKind {
		e.kind(v, info)
		return
	}
	if len(e.path) == maxPath { // a method may give what it was called on once more
		e.string(tooDeep)
		return
	}
	e.path = append(e.path, visit{})
	e.form(v, info)
	e.leave()
}

// addressable gives v, or a copy of it, whose address can be taken.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

// kind writes a value by its kind.
func (e *encoder) kind(v reflect.Value, info *typeInfo) {
	switch v.Kind() {
	case reflect.Bool:
		e.buf = strconv.AppendBool(e.buf, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.buf = appendInt(e.buf, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.buf = appendUint(e.buf, v.Uint())
	case reflect.Float32:
		e.buf = appendFloat(e.buf, v.Float(), 32)
	case reflect.Float64:
		e.buf = appendFloat(e.buf, v.Float(), 64)
	case reflect.Complex64, reflect.Complex128:
		e.string(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		e.string(v.String())
	case reflect.Pointer:
		if e.enter(v) {
			e.value(v.Elem())
			e.leave()
		}
	case reflect.Slice:
		if e.enter(v) {
			e.array(v)
			e.leave()
		}
	case reflect.Array:
		e.array(v)
	case reflect.Map:
		if e.enter(v) {
			e.mapping(v)
			e.leave()
		}
	case reflect.Struct:
		e.structure(v, info)
	default: // functions, channels, unsafe pointers
		e.string("[" + v.Type().String() + "]")
	}
}

// nothing writes a nil: an empty list or map is told from nothing by no reader of records, and looks
// as it would in the pack's messages.
func (e *encoder) nothing(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Map:
		e.buf = append(e.buf, "{}"...)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		e.buf = append(e.buf, "[]"...)
	default:
		e.buf = append(e.buf, "null"...)
	}
}

// array writes a list; bytes as the text they are, or their number.
func (e *encoder) array(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 && formOf(v.Type().Elem()) == formKind {
		e.bytes(v)
		return
	}
	if !e.open('[') {
		return
	}
	for i := range v.Len() {
		e.comma()
		if e.full() {
			e.string(tooLarge)
			break
		}
		e.value(v.Index(i))
	}
	e.close(']')
}

// bytes writes bytes as the text they are. Other bytes are only counted: encoded, a secret among them
// would be as good as shown, and could not be found.
func (e *encoder) bytes(v reflect.Value) {
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	if utf8.Valid(b) {
		e.string(string(b))
		return
	}
	e.string(fmt.Sprintf("[%d bytes]", len(b)))
}

// mapping writes a map, its keys sorted.
func (e *encoder) mapping(v reflect.Value) {
	if !e.open('{') {
		return
	}
	type member struct {
		name  string
		value reflect.Value
	}
	members := make([]member, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		members = append(members, member{keyText(it.Key()), it.Value()})
	}
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	alike := 1
	for i, m := range members {
		if e.full() {
			e.key(tooLarge)
			e.buf = append(e.buf, "true"...)
			break
		}
		name := m.name
		if i > 0 && name == members[i-1].name {
			alike++
			name += " (" + strconv.Itoa(alike) + ")"
		}
		e.key(name)
		if sensitive(m.name) {
			e.string(redacted)
		} else {
			e.value(m.value)
		}
	}
	e.close('}')
}

// keyText gives a map key's name in JSON.
func keyText(k reflect.Value) string {
	if k.Kind() == reflect.String {
		if !k.Type().Implements(textType) {
			return k.String()
		}
	}
	x := k.Interface()
	text, failed := try(x, "MarshalText", func() (string, error) {
		if m, ok := x.(encoding.TextMarshaler); ok {
			b, err := m.MarshalText()
			return string(b), err
		}
		return fmt.Sprint(x), nil
	})
	if failed != "" {
		return failed
	}
	return text
}

// structure writes a struct by its fields.
func (e *encoder) structure(v reflect.Value, info *typeInfo) {
	if !e.open('{') {
		return
	}
	for _, f := range info.fields {
		value, err := v.FieldByIndexErr(f.index)
		if err != nil || f.omits(value) { // the error: an embedded pointer on the way is nil
			continue
		}
		if e.full() {
			e.key(tooLarge)
			e.buf = append(e.buf, "true"...)
			break
		}
		e.key(f.name)
		if f.sensitive {
			e.string(redacted)
		} else {
			e.value(value)
		}
	}
	e.close('}')
}
