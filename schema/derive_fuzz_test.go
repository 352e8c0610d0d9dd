package schema_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/schema"
)

// FuzzTag reads any tag on fields of many types: a schema that is strict, or reasons that are advice.
func FuzzTag(f *testing.F) {
	types := []reflect.Type{
		typeOf[string](), typeOf[*int8](), typeOf[float64](), typeOf[bool](), typeOf[[]string](), typeOf[[][]int](),
		typeOf[map[string]int8](), typeOf[point](), typeOf[any](), typeOf[[]byte](), typeOf[time.Time](), typeOf[tree](), typeOf[*tree](),
	}
	for _, r := range refusals {
		if r.typ.Kind() == reflect.Struct && r.typ.NumField() == 1 {
			f.Add(string(r.typ.Field(0).Tag))
		}
	}
	for _, typ := range []reflect.Type{
		typeOf[stringTags](), typeOf[numberTags](), typeOf[listTags](), typeOf[objectTags](), typeOf[anyTags](), typeOf[commas](),
	} {
		for i := range typ.NumField() {
			f.Add(string(typ.Field(i).Tag))
		}
	}
	f.Fuzz(func(t *testing.T, tag string) {
		for _, typ := range types {
			s, err := schema.ForType(reflect.StructOf([]reflect.StructField{{Name: "F", Type: typ, Tag: reflect.StructTag(tag)}}))
			if err == nil {
				if err := s.Strict(); err != nil {
					t.Errorf("%v: %v", typ, err)
				}
				continue
			}
			refused, ok := errors.AsType[*schema.TypeError](err)
			if !ok || refused.Reason == "" || refused.Advice == "" || errors.Unwrap(refused) != nil {
				t.Errorf("%v: %v", typ, err)
			}
		}
	})
}
