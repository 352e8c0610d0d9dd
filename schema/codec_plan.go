package schema

import (
	stdjson "encoding/json"
	"math/big"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// plan is how values of one type are decoded and encoded.
//
// Functions for single types cost json v2 a look-up for every value of every type, so only the types
// that need them get them.
type plan struct {
	open   bool
	direct *direct // nil when json v2 does it all
}

// plans remembers the plan of each type that was asked for: a pure function of the type.
var plans sync.Map // reflect.Type to *plan

func planOf(t reflect.Type) *plan {
	if t == nil {
		return new(plan)
	}
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{open: reachesOpen(t, make(map[reflect.Type]bool)), direct: directOf(t)}
	plans.Store(t, p)
	return p
}

// reachesOpen reports whether a value of type t can hold a number whose Go type is not fixed.
func reachesOpen(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if t == numberType {
		return true
	}
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return reachesOpen(t.Elem(), seen)
	case reflect.Map:
		return reachesOpen(t.Key(), seen) || reachesOpen(t.Elem(), seen)
	case reflect.Struct:
		methods := hasMethods(t, jsonMethods) // which may write any field they like
		for i := range t.NumField() {
			f := t.Field(i)
			if (methods || f.IsExported() || f.Anonymous) && reachesOpen(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

var (
	numberType   = reflect.TypeFor[stdjson.Number]()
	bigIntType   = reflect.TypeFor[big.Int]()
	rawValueType = reflect.TypeFor[jsontext.Value]()

	openEncode = sync.OnceValue(func() json.Options {
		return json.JoinOptions(options(), json.WithMarshalers(json.MarshalToFunc(encodeNumber)))
	})

	openFuncs = sync.OnceValue(func() *json.Unmarshalers {
		return json.JoinUnmarshalers(json.UnmarshalFromFunc(decodeAny), json.UnmarshalFromFunc(decodeNumber))
	})
	openDecode = sync.OnceValue(func() json.Options { return json.JoinOptions(options(), json.WithUnmarshalers(openFuncs())) })

	slowDecode = sync.OnceValue(func() json.Options {
		return json.JoinOptions(options(), json.WithUnmarshalers(json.UnmarshalFromFunc(decodeInteger)))
	})
	slowOpenDecode = sync.OnceValue(func() json.Options {
		return json.JoinOptions(options(), json.WithUnmarshalers(
			json.JoinUnmarshalers(openFuncs(), json.UnmarshalFromFunc(decodeInteger))))
	})
)

func (p *plan) encode() json.Options {
	if p.open {
		return openEncode()
	}
	return options()
}

func (p *plan) decode() json.Options {
	if p.open {
		return openDecode()
	}
	return options()
}

func (p *plan) decodeSlowly() json.Options {
	if p.open {
		return slowOpenDecode()
	}
	return slowDecode()
}

// encodeNumber writes a json.Number as the number it is; left to itself, json v2 takes it for a
// string.
func encodeNumber(enc *jsontext.Encoder, n stdjson.Number) error {
	if n == "" {
		n = "0" // as encoding/json does
	}
	value := jsontext.Value(n)
	if value.Kind() != '0' || !value.IsValid() {
		return reasonError("the json.Number " + quoteShort(string(n)) + " is not a number")
	}
	return enc.WriteValue(value)
}

func decodeNumber(dec *jsontext.Decoder, n *stdjson.Number) error {
	if dec.PeekKind() == 'n' {
		*n = ""
		return dec.SkipValue()
	}
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if value.Kind() != '0' {
		return reasonError("must be number")
	}
	*n = stdjson.Number(value)
	return nil
}
