package protocol

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// The functions below each visit a member that holds others: a list or an object.

// texts visits a list of strings.
func (v *visitor) texts(name string, p *[]string, r rule) {
	if !v.reading {
		if !v.write(name, *p == nil, r) {
			return
		}
		v.b = append(v.b, '[')
		for i, s := range *p {
			if i > 0 {
				v.b = append(v.b, ',')
			}
			v.b = appendText(v.b, s)
		}
		v.b = append(v.b, ']')
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		list, ok := []string{}, true
		isList := elements(value, func(i int, e []byte) {
			if !isString(e) {
				ok = false
				if v.refuses(r) {
					v.wrong(element(name, i), "text", e, r)
				}
				return
			}
			list = append(list, string(scan.Unquote(e)))
		})
		switch {
		case !isList:
			return "a list", false
		case !ok:
			return v.unless(r, "a list of texts"), false
		}
		*p = list
		return "", false
	})
}

// values visits an object whose members the caller knows by name only.
func (v *visitor) values(name string, p *map[string]jsontext.Value, r rule) {
	if !v.reading {
		if !v.write(name, *p == nil, r) {
			return
		}
		v.b = appendMap(v.b, *p, func(b []byte, value jsontext.Value) []byte { return appendRaw(b, value) })
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		m, ok := readValues(value)
		if !ok {
			return "an object", false
		}
		*p = m
		return "", false
	})
}

// one visits an object that may be absent.
func one[T any, P interface {
	*T
	object
}](v *visitor, name string, p **T, r rule) {
	if !v.reading {
		if v.write(name, *p == nil, r) {
			v.b = appendOrNull[T, P](v.b, *p)
		}
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		if !isObject(value) {
			return "an object", false
		}
		out, ok := readObject[T, P](value, v, "/"+escapePointer(name), v.strict, v.faults)
		if ok {
			*p = &out
		}
		return "", false
	})
}

// part visits an object that is always there.
func part[T any, P interface {
	*T
	object
}](v *visitor, name string, p *T, r rule) {
	if !v.reading {
		if v.write(name, false, r) {
			v.b = appendObject(v.b, P(p))
		}
		return
	}
	q := p
	v.read(name, r, func(value []byte) (string, bool) {
		if !isObject(value) {
			return "an object", false
		}
		*q, _ = readObject[T, P](value, v, "/"+escapePointer(name), v.strict, v.faults)
		return "", false
	})
}

// list visits a list of objects.
func list[T any, P interface {
	*T
	object
}](v *visitor, name string, p *[]T, r rule) {
	if !v.reading {
		if !v.write(name, *p == nil, r) {
			return
		}
		v.b = append(v.b, '[')
		for i := range *p {
			if i > 0 {
				v.b = append(v.b, ',')
			}
			v.b = appendObject(v.b, P(&(*p)[i]))
		}
		v.b = append(v.b, ']')
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		objects, others := 0, 0
		isList := elements(value, func(_ int, e []byte) {
			if isObject(e) {
				objects++
			} else {
				others++
			}
		})
		switch {
		case !isList:
			return "a list", false
		case others > 0 && !v.refuses(r):
			return "a list of objects", false
		}
		// One list for all, and one visitor: a trace may have millions of elements.
		out := make([]T, 0, objects)
		item := &visitor{reading: true, strict: v.strict, parent: v, place: "/" + escapePointer(name), faults: v.faults}
		elements(value, func(i int, e []byte) {
			if !isObject(e) {
				v.wrong(element(name, i), "an object", e, r)
				return
			}
			out = append(out, *new(T))
			item.element = i + 1
			item.readMembers(P(&out[len(out)-1]), e)
		})
		if others == 0 {
			*p = out
		}
		return "", false
	})
}

// dict visits an object whose members are objects of one type.
func dict[T any, P interface {
	*T
	object
}](v *visitor, name string, p *map[string]*T, r rule) {
	if !v.reading {
		if !v.write(name, *p == nil, r) {
			return
		}
		v.b = appendMap(v.b, *p, func(b []byte, item *T) []byte { return appendOrNull[T, P](b, item) })
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		c, isMap := openObject(value)
		if !isMap {
			return "an object", false
		}
		out, all := make(map[string]*T), true
		for {
			key, value, more := c.next()
			if !more {
				break
			}
			place := "/" + escapePointer(name) + "/" + escapePointer(string(key))
			switch {
			case isObject(value):
				item, _ := readObject[T, P](value, v, place, v.strict, v.faults)
				out[string(key)] = &item
			case value[0] == 'n':
				out[string(key)] = nil
			default:
				all = false
				v.wrong(place, "an object", value, r)
			}
		}
		if !all {
			return v.unless(r, "an object of objects"), false
		}
		*p = out
		return "", false
	})
}

// wrong records that a part of a member is of another type, where that is an error.
func (v *visitor) wrong(place, want string, value []byte, r rule) {
	if v.refuses(r) {
		v.fault(place, "must be "+want+", not "+show(value))
	}
}

// unless gives what a member must be, or "" when its parts were already recorded as wrong.
func (v *visitor) unless(r rule, want string) string {
	if v.refuses(r) {
		return ""
	}
	return want
}

func appendOrNull[T any, P interface {
	*T
	object
}](b []byte, p *T) []byte {
	if p == nil {
		return append(b, "null"...)
	}
	return appendObject(b, P(p))
}

func appendMap[V any](b []byte, m map[string]V, value func([]byte, V) []byte) []byte {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, name), ':')
		b = value(b, m[name])
	}
	return append(b, '}')
}

// readValues reads a valid value as an object of values, which alias it.
func readValues(value []byte) (map[string]jsontext.Value, bool) {
	c, ok := openObject(value)
	if !ok {
		return nil, false
	}
	m := make(map[string]jsontext.Value)
	for {
		name, value, ok := c.next()
		if !ok {
			return m, true
		}
		m[string(name)] = value
	}
}
