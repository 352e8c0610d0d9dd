package schema

import (
	"reflect"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// defName gives the name of a type in $defs: the type's own, with the names of its type arguments,
// and as much of its package's path as tells it from another type of that name.
func (d *deriver) defName(t reflect.Type) string {
	name, ok := d.names[t]
	if !ok {
		name = d.freeName(t.Name(), t.PkgPath())
		d.names[t] = name
	}
	return name
}

// isDefName reports whether a type has that name in $defs.
func (d *deriver) isDefName(name string) bool {
	for _, taken := range d.names {
		if taken == name {
			return true
		}
	}
	return false
}

// foreignName gives the name in $defs of a definition that a type's hook has.
func (d *deriver) foreignName(t reflect.Type, name string) string {
	key := t.String() + "#" + name
	free, ok := d.foreignNames[key]
	if !ok {
		free = d.freeName(name, t.PkgPath())
		d.foreignNames[key] = free
	}
	return free
}

func (d *deriver) freeName(typeName, pkgPath string) string {
	taken := func(name string) bool {
		if d.isDefName(name) {
			return true
		}
		for _, other := range d.foreignNames {
			if other == name {
				return true
			}
		}
		return false
	}
	name := plainName(typeName)
	parts := strings.Split(pkgPath, "/")
	for i := len(parts) - 1; i >= 0 && taken(name); i-- {
		name = plainName(parts[i]) + "." + name
	}
	for n, base := 2, name; taken(name); n++ {
		name = base + "_" + itoa(n)
	}
	return name
}

// plainName keeps letters, digits and underscores of a type's name, and drops the package paths of
// its type arguments: Page[example.com/shop.Order] is Page_Order.
func plainName(name string) string {
	var b, word strings.Builder
	flush := func() {
		if word.Len() == 0 {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(word.String())
		word.Reset()
	}
	for _, r := range name {
		switch {
		case r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			word.WriteRune(r)
		case r == '.' || r == '/' || r == '-':
			word.Reset() // what came before was of a package's path
		case r > 127:
			word.WriteString("u" + strconv.FormatInt(int64(r), 16))
		default:
			flush()
		}
	}
	flush()
	return b.String()
}
