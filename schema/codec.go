package schema

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/kindgi/kindgi-go/internal/scan"
	"github.com/kindgi/kindgi-go/protocol"
)

// The one set of options that every value of a tool or a check is encoded and decoded with, and that
// the derivation describes. On top of the defaults of json v2 (names match exactly, duplicate names
// and invalid UTF-8 are refused, nil slices and maps are [] and {}): omitempty drops what
// encoding/json drops, a time.Duration is its nanoseconds, and maps are written in the order of
// their keys, so that the same value always gives the same bytes.
var options = sync.OnceValue(func() json.Options {
	return json.JoinOptions(
		jsonv1.OmitEmptyWithLegacySemantics(true),
		jsonv1.FormatDurationAsNano(true),
		json.Deterministic(true),
	)
})

// Marshal encodes v as the JSON that the schema of its type describes. The bytes are the caller's.
//
// A value that JSON cannot hold (NaN, a cycle, a channel behind an interface, a year beyond 9999, a
// MarshalJSON method that fails) gives no bytes and an error that says where and why; what a method
// of the value returned can be found in it with [errors.Is] and [errors.As]. A panic of such a method
// is not caught.
func Marshal(v any) ([]byte, error) {
	p := planOf(reflect.TypeOf(v))
	if p.direct != nil {
		if b, ok := p.direct.encodeDirectly(nil, reflect.ValueOf(v)); ok {
			return b, nil
		}
	}
	b, err := json.Marshal(v, p.encode())
	if err != nil {
		return nil, encodeError(err)
	}
	return b, nil
}

// Append appends the encoding of v, as [Marshal] gives it, to b. When it fails it returns b as it was.
func Append(b []byte, v any) ([]byte, error) {
	p := planOf(reflect.TypeOf(v))
	if p.direct != nil {
		if b, ok := p.direct.encodeDirectly(b, reflect.ValueOf(v)); ok {
			return b, nil
		}
	}
	w := appender{b}
	if err := json.MarshalWrite(&w, v, p.encode()); err != nil {
		return b, encodeError(err)
	}
	return w.b, nil
}

// Append appends the encoding of v, as [Append] gives it, once s admits it: one step for what a handler
// returns. With issues, which are those of [Schema.Validate], or an error it returns b as it was.
func (s *Schema) Append(b []byte, v any) ([]byte, []protocol.Issue, error) {
	out, err := Append(b, v)
	if err != nil {
		return b, nil, err
	}
	value := out[len(b):]
	var issues []protocol.Issue
	if p := planOf(reflect.TypeOf(v)); p.direct != nil && p.direct.sound {
		issues = s.Check(value)
	} else if issues, err = s.Validate(value); err != nil {
		return b, nil, err
	}
	if len(issues) > 0 {
		return b, issues, nil
	}
	return out, nil, nil
}

type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}

// Unmarshal decodes data, one JSON value that the schema of v's type admits, into what v points to,
// replacing it. It keeps no reference to data.
//
// A number written with a fraction or an exponent is an integer when its value is one (1.0, 1e3). The
// numbers in an any are [encoding/json.Number], so that none loses a digit. Members that the type has no place for are
// ignored: to refuse them is the schema's task.
//
// The error, if any, is one for [Issues]: it names the place in data and speaks of JSON's types.
func Unmarshal(data []byte, v any) error { return unmarshal(data, v, false) }

// Decode is like [Unmarshal] for data that is known to be valid JSON, as [Schema.Check] is. It is
// several times as fast.
func Decode(data []byte, v any) error { return unmarshal(data, v, true) }

// Inert reports whether decoding into a value of type t, and encoding one, run no method of the
// type's author: then neither can panic, block, or take longer than the value is long. It says false when it
// does not know.
func Inert(t reflect.Type) (decoding, encoding bool) {
	if d := planOf(t).direct; d != nil {
		return d.quietIn, d.quietOut
	}
	return false, false
}

func unmarshal(data []byte, v any, valid bool) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("schema: cannot decode into %T: pass a pointer that is not nil", v)
	}
	p.Elem().SetZero()
	plan := planOf(p.Type().Elem())
	if plan.direct != nil && (valid || scan.Valid(data) == nil) {
		if plan.direct.decodeDirectly(data, p.Elem()) {
			return nil
		}
		p.Elem().SetZero()
	}
	err := json.Unmarshal(data, v, plan.decode())
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok && wrong.JSONKind == '0' {
		// Perhaps an integer written as 1.0 or 1e3, which the fast path does not know.
		p.Elem().SetZero()
		err = json.Unmarshal(data, v, plan.decodeSlowly())
	}
	if err != nil {
		return decodeError(err)
	}
	return nil
}
