package schema

import (
	"reflect"

	"github.com/go-json-experiment/json"
)

// What the tests compare: the direct codec alone, and json v2 alone.

func EncodeDirectly(v any) (b []byte, ok bool) {
	d := directOf(reflect.TypeOf(v))
	if d == nil {
		return nil, false
	}
	return d.encodeDirectly(nil, reflect.ValueOf(v))
}

func DecodeDirectly(data []byte, v any) bool {
	p := reflect.ValueOf(v).Elem()
	d := directOf(p.Type())
	return d != nil && d.decodeDirectly(data, p)
}

func IsDirect(t reflect.Type) bool { return directOf(t) != nil }

func EncodeByLibrary(v any) ([]byte, error) {
	return json.Marshal(v, planOf(reflect.TypeOf(v)).encode())
}

func DecodeByLibrary(data []byte, v any) error {
	return json.Unmarshal(data, v, planOf(reflect.TypeOf(v)).decode())
}

func ItemsAreCounted(t reflect.Type) bool { return directs{}.of(t.Elem()).flat }

// DecodeChecked is the pass of [Schema.Decode] that checks and decodes, alone; false also when there is none.
func DecodeChecked(s *Schema, data []byte, v any) bool {
	p := reflect.ValueOf(v).Elem()
	c := s.checkedCodec(p.Type())
	return c != nil && c.decodeChecked(s.program, data, p)
}
