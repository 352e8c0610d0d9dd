package schema

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"
)

// The hooks of invopop/jsonschema by which a type says what its schema is.
type (
	schemaHook interface{ JSONSchema() *jsonschema.Schema }
	extendHook interface{ JSONSchemaExtend(*jsonschema.Schema) }
)

var schemaHookType = reflect.TypeFor[schemaHook]()

func hasHook(t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(schemaHookType)
}

// hasPointerHook reports whether a named pointer type has the hook. It cannot: Go gives such types
// no methods.
func hasPointerHook(reflect.Type) bool { return false }

// hook gives the schema that a type's own JSONSchema method returns.
func (d *deriver) hook(t reflect.Type, path string) (object, bool) {
	if !hasHook(t) {
		return nil, false
	}
	s, err := callHook(t)
	if err != nil {
		d.refuse(path, "make it return a schema for every value, the zero value too", "%v's JSONSchema method %v", t, err)
		return object{}, true
	}
	return s, true
}

func callHook(t reflect.Type) (s object, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panics: %v", r)
		}
	}()
	given := reflect.New(t).Interface().(schemaHook).JSONSchema()
	if given == nil {
		return nil, fmt.Errorf("returns nil")
	}
	text, err := stdjson.Marshal(given)
	if err != nil {
		return nil, fmt.Errorf("returns a schema that is not JSON: %w", err)
	}
	return parseDocument(text)
}

// parseDocument reads a schema that something else wrote: never a boolean one.
func parseDocument(text []byte) (object, error) {
	var v any
	if err := Unmarshal(text, &v); err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return object{}, nil
	}
	delete(m, "$schema")
	delete(m, "$id")
	return object(m), nil
}
