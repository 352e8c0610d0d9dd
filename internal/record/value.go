package record

import (
	"cmp"
	"encoding"
	jsonv1 "encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
	if e.depth == maxDepth {
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

// form is how a type is written.
type form uint8

const (
	formKind form = iota // by its kind
	formLogValuer
	formError
	formRaw    // it is JSON
	formNumber // encoding/json's, a number's own digits
	formValue  // slog.Value
	formAttr   // slog.Attr
	formTime
	formUserinfo // of a URL: its String shows the password
	formJSON     // by its own MarshalJSON or MarshalJSONTo
	formText     // by its own MarshalText
	formString   // by its own String
)

var (
	logValuerType   = reflect.TypeFor[slog.LogValuer]()
	errorType       = reflect.TypeFor[error]()
	marshalerType   = reflect.TypeFor[json.Marshaler]()
	marshalerToType = reflect.TypeFor[json.MarshalerTo]()
	textType        = reflect.TypeFor[encoding.TextMarshaler]()
	stringerType    = reflect.TypeFor[fmt.Stringer]()
	fixedForms      = map[reflect.Type]form{
		reflect.TypeFor[jsontext.Value](): formRaw,
		reflect.TypeFor[jsonv1.Number]():  formNumber,
		reflect.TypeFor[slog.Value]():     formValue,
		reflect.TypeFor[slog.Attr]():      formAttr,
		reflect.TypeFor[time.Time]():      formTime,
		reflect.TypeFor[url.Userinfo]():   formUserinfo,
		reflect.TypeFor[*url.Userinfo]():  formKind,
	}
)

// formOf tells how a type is written by its own methods.
func formOf(t reflect.Type) form {
	if f, ok := fixedForms[t]; ok {
		return f
	}
	switch {
	case t.Implements(logValuerType):
		return formLogValuer
	case t.Implements(errorType):
		return formError
	case t.Implements(marshalerToType), t.Implements(marshalerType):
		return formJSON
	case t.Implements(textType):
		return formText
	case t.Implements(stringerType):
		return formString
	default:
		return formKind
	}
}

// form writes a value by its own methods.
func (e *encoder) form(v reflect.Value, info *typeInfo) {
	if info.viaPointer {
		v = addressable(v).Addr()
	}
	x := v.Interface()
	switch info.form {
	case formLogValuer:
		resolved := e.resolve(slog.AnyValue(x))
		if info.viaPointer && resolved.Kind() == slog.KindAny && reflect.TypeOf(resolved.Any()) == info.of {
			// A pointer's LogValue gave what it points to, to be written as it is.
			e.kind(reflect.ValueOf(resolved.Any()), info)
			return
		}
		e.attrValue(resolved)
	case formError:
		if err, ok := x.(error); ok {
			e.error(err)
		}
	case formRaw:
		if raw, ok := x.(jsontext.Value); ok {
			e.raw(raw)
		}
	case formNumber:
		if raw := jsontext.Value(v.String()); raw.Kind() == '0' && raw.IsValid() {
			e.raw(raw)
		} else {
			e.string(v.String())
		}
	case formValue:
		if value, ok := x.(slog.Value); ok {
			e.attrValue(value)
		}
	case formAttr:
		if attr, ok := x.(slog.Attr); ok {
			e.attrValue(slog.GroupValue(attr))
		}
	case formTime:
		if t, ok := x.(time.Time); ok {
			e.time(t)
		}
	case formUserinfo:
		if u, ok := x.(*url.Userinfo); ok {
			text := u.Username()
			if _, set := u.Password(); set {
				text += ":***"
			}
			e.string(text)
		}
	case formJSON:
		e.marshal(x)
	case formText:
		e.text(x, "MarshalText", func() ([]byte, error) {
			m, _ := x.(encoding.TextMarshaler)
			return m.MarshalText()
		})
	case formString:
		e.text(x, "String", func() ([]byte, error) {
			s, _ := x.(fmt.Stringer)
			return []byte(s.String()), nil
		})
	}
}

// marshal writes a value by its own MarshalJSON.
func (e *encoder) marshal(x any) {
	raw, failed := try(x, "MarshalJSON", func() ([]byte, error) {
		raw, err := json.Marshal(x, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		if wrapper, ok := errors.AsType[*json.SemanticError](err); ok && wrapper.Err != nil {
			err = wrapper.Err // it names the type once more
		}
		return raw, err
	})
	if failed != "" {
		e.string(failed)
		return
	}
	e.raw(raw)
}

func (e *encoder) text(x any, method string, f func() ([]byte, error)) {
	text, failed := try(x, method, f)
	if failed != "" {
		e.string(failed)
		return
	}
	e.string(string(text))
}

// try calls a method of a value; what goes wrong is told in words to stand in the value's place.
func try[T any](x any, method string, f func() (T, error)) (result T, failed string) {
	defer func() {
		if r := recover(); r != nil {
			failed = fmt.Sprintf("[%s of %T panicked: %v]", method, x, r)
		}
	}()
	result, err := f()
	if err != nil {
		failed = fmt.Sprintf("[%s of %T failed: %v]", method, x, err)
	}
	return result, failed
}

func (e *encoder) time(t time.Time) { e.string(t.Format(time.RFC3339Nano)) }

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
