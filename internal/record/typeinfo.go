package record

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// typeInfo is what the encoder knows of a type.
type typeInfo struct {
	of         reflect.Type
	form       form
	viaPointer bool    // whether the methods are the pointer's
	fields     []field // of a struct that is written by its kind
}

// field is a field of a struct as JSON has it.
type field struct {
	name      string
	index     []int
	sensitive bool
	omitEmpty bool
	omitZero  bool
}

func (f *field) omits(v reflect.Value) bool {
	if f.omitZero {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			zero, failed := try(z, "IsZero", func() (bool, error) { return z.IsZero(), nil })
			return failed == "" && zero
		}
		return v.IsZero()
	}
	if !f.omitEmpty {
		return false
	}
	switch v.Kind() {
	case reflect.String, reflect.Map, reflect.Slice, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

var typeInfos sync.Map // of *typeInfo, by reflect.Type

func infoOf(t reflect.Type) *typeInfo {
	if known, ok := typeInfos.Load(t); ok {
		info, _ := known.(*typeInfo)
		return info
	}
	info := &typeInfo{of: t, form: formOf(t)}
	if info.form == formKind && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		if f := formOf(reflect.PointerTo(t)); f != formKind {
			info.form, info.viaPointer = f, true
		}
	}
	if info.form == formUserinfo {
		info.viaPointer = true
	}
	if t.Kind() == reflect.Struct {
		info.fields = fieldsOf(t)
		// What String makes of a secret field is not known; its name is.
		if info.form == formString && slices.ContainsFunc(info.fields, func(f field) bool { return f.sensitive }) {
			info.form, info.viaPointer = formKind, false
		}
	}
	typeInfos.Store(t, info)
	return info
}

// fieldsOf gives the fields of a struct as encoding/json does: exported ones, by their json tags,
// those of embedded structs among their own. Of fields with one name the least deep counts, then
// the first.
func fieldsOf(t reflect.Type) []field {
	type level struct {
		t     reflect.Type
		index []int
	}
	var fields []field
	names := make(map[string]bool)
	visited := map[reflect.Type]bool{t: true}
	for current := []level{{t: t}}; len(current) > 0; {
		var next []level
		for _, l := range current {
			for sf := range l.t.Fields() {
				tag, tagged := sf.Tag.Lookup("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				index := append(slices.Clone(l.index), sf.Index...)
				has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
				inner := sf.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				inlined := sf.Anonymous && (!tagged || name == "") || has("inline")
				if inlined && inner.Kind() == reflect.Struct && formOf(sf.Type) == formKind {
					if !visited[inner] {
						visited[inner] = true
						next = append(next, level{inner, index})
					}
					continue
				}
				if !sf.IsExported() {
					continue
				}
				if name == "" {
					name = sf.Name
				}
				if names[name] {
					continue
				}
				names[name] = true
				fields = append(fields, field{
					name: name, index: index, sensitive: sensitive(name) || sensitive(sf.Name),
					omitEmpty: has("omitempty"), omitZero: has("omitzero"),
				})
			}
		}
		current = next
	}
	slices.SortStableFunc(fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return fields
}
