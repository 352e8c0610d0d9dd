package record

import (
	"encoding"
	jsonv1 "encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
		if _, to := x.(json.MarshalerTo); !to {
			// Without package json, which would search an error that wraps itself without end.
			m, _ := x.(json.Marshaler)
			return m.MarshalJSON()
		}
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
