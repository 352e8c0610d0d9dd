package schema

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

// TestPlainStructsAreTaken holds json v2 to what isPlain says of it: whatever fields and tags a struct
// has, if it is plain and has no name twice, json v2 reads and writes it.
func TestPlainStructsAreTaken(t *testing.T) {
	t.Parallel()
	type inner struct{ A int }
	types := []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[*int8](), reflect.TypeFor[[]float64](), reflect.TypeFor[any](),
		reflect.TypeFor[map[string]inner](), reflect.TypeFor[inner](), reflect.TypeFor[chan int](), timeType, durationType,
	}
	parts := []string{"a", "b", "Z", "9", "_", "-", ",", ",omitempty", ",omitzero", ",string", " ", ".", "'", `\\`, "é", "embed", "inline", "case:ignore", ":"}
	plain := 0
	rapid.Check(t, func(r *rapid.T) {
		var fields []reflect.StructField
		names := map[string]bool{}
		for i := range rapid.IntRange(0, 4).Draw(r, "fields") {
			f := reflect.StructField{Name: string(rune('A' + i)), Type: rapid.SampledFrom(types).Draw(r, "type")}
			tag := ""
			for _, part := range rapid.SliceOfN(rapid.SampledFrom(parts), 0, 3).Draw(r, "tag") {
				tag += part
			}
			if rapid.Bool().Draw(r, "tagged") {
				f.Tag = reflect.StructTag(`json:"` + tag + `"`)
			}
			fields = append(fields, f)
		}
		typ := reflect.StructOf(fields)
		for _, f := range fieldsOf(typ, func(string, string, string, ...any) {}).fields {
			names[f.name] = true
		}
		if !isPlain(typ) || len(names) < typ.NumField() {
			return
		}
		plain++
		v := reflect.New(typ).Interface()
		if err := json.Unmarshal([]byte("{}"), v, options()); err != nil {
			r.Fatalf("%v: %v", typ, err)
		}
	})
	if plain < 10 {
		t.Errorf("only %d plain structs were drawn", plain)
	}
}
