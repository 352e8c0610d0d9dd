package schema

import "reflect"

// mapOf gives the schema of a map: an object, whose names are what the encoder writes for the keys.
func (d *deriver) mapOf(t reflect.Type, path string) object {
	s := object{"type": "object"}
	key := t.Key()
	switch names, ok := d.hook(key, path+"[key]"); {
	case ok:
		s["propertyNames"] = names
	case hasMethods(key, jsonMethods) || hasMethods(key, textMethods):
		d.refuse(path, "use string keys, or give the key type a method JSONSchema() *jsonschema.Schema",
			"the keys, of type %v, have their own methods, and nothing says which names they write and read", key)
	case key.Kind() == reflect.String:
	case isIntegerKind(key.Kind()):
		low, high := integerBounds(key)
		s["propertyNames"] = object{"pattern": "^(?:" + rangePattern(low, high) + ")$"}
	default:
		d.refuse(path, "use string or integer keys", "keys of type %v have no form as names", key)
	}
	if values := d.elementOf(t.Elem(), path+"[]"); len(values) > 0 {
		s["additionalProperties"] = values
	}
	return s
}
