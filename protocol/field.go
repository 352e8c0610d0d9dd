package protocol

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// The functions below each visit one member of an object, by the Go type of its field.

// text visits a string.
func text[S ~string](v *visitor, name string, p *S, r rule) {
	if !v.reading {
		if v.write(name, *p == "", r) {
			v.b = appendText(v.b, *p)
		}
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		if !isString(value) {
			return "text", false
		}
		*p = S(scan.Unquote(value))
		return "", *p == ""
	})
}

// integer visits a whole number.
func integer[N int | int64](v *visitor, name string, p *N, r rule) {
	if !v.reading {
		if v.write(name, *p == 0, r) {
			v.b = strconv.AppendInt(v.b, int64(*p), 10)
		}
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		n, ok := wholeNumber(value)
		if !ok || int64(N(n)) != n {
			return "a whole number", false
		}
		*p = N(n)
		return "", n == 0
	})
}

// number visits a number. One that a float64 only approximates is approximated in the field and
// kept, exact, in Unknown; it is written again unless the field has changed.
func (v *visitor) number(name string, p *float64, r rule) {
	if !v.reading {
		zero := *p == 0
		if v.unknown != nil {
			if raw, ok := (*v.unknown)[name]; ok {
				f, err := strconv.ParseFloat(string(raw), 64)
				zero = zero || err == nil && f == *p
			}
		}
		if v.write(name, zero, r) {
			v.b = appendNumber(v.b, *p)
		}
		return
	}
	inexact := false
	v.read(name, r, func(value []byte) (string, bool) {
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil || !isNumber(value) {
			return "a number", false
		}
		*p = f
		inexact = !sameDecimal(value, appendNumber(nil, f))
		return "", f == 0
	})
	if inexact {
		v.release(name)
	}
}

// flag visits a boolean.
func (v *visitor) flag(name string, p *bool, r rule) {
	if !v.reading {
		if v.write(name, !*p, r) {
			v.b = strconv.AppendBool(v.b, *p)
		}
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		if value[0] != 't' && value[0] != 'f' {
			return "a boolean", false
		}
		*p = value[0] == 't'
		return "", !*p
	})
}

// choice visits a boolean that may be absent.
func (v *visitor) choice(name string, p **bool, r rule) {
	if !v.reading {
		if v.write(name, *p == nil, r) {
			v.b = strconv.AppendBool(v.b, **p)
		}
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		if value[0] != 't' && value[0] != 'f' {
			return "a boolean", false
		}
		*p = new(value[0] == 't')
		return "", false
	})
}

// raw visits a value of any type.
func (v *visitor) raw(name string, p *jsontext.Value, r rule) {
	if !v.reading {
		if v.write(name, len(*p) == 0, r) {
			v.b = appendRaw(v.b, *p)
		}
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		*p = value
		return "", false
	})
}

// rawObject visits an object that is kept in its JSON form.
func (v *visitor) rawObject(name string, p *jsontext.Value, r rule) {
	if !v.reading {
		v.raw(name, p, r)
		return
	}
	v.read(name, r, func(value []byte) (string, bool) {
		if !isObject(value) {
			return "an object", false
		}
		*p = value
		return "", false
	})
}

// constant visits a string that has one value only. Another one that was read is kept.
func (v *visitor) constant(name, want string) {
	if !v.reading {
		if v.write(name, true, always) {
			v.b = appendText(v.b, want)
		}
		return
	}
	v.read(name, required, func(value []byte) (string, bool) {
		if !isString(value) || string(scan.Unquote(value)) != want {
			return strconv.Quote(want), false
		}
		return "", false
	})
}

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
				v.wrong(element(name, i), "text", e, r)
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
		out, ok := []T{}, true
		isList := elements(value, func(i int, e []byte) {
			if !isObject(e) {
				ok = false
				v.wrong(element(name, i), "an object", e, r)
				return
			}
			item, _ := readObject[T, P](e, v, element(name, i), v.strict, v.faults)
			out = append(out, item)
		})
		switch {
		case !isList:
			return "a list", false
		case !ok:
			return v.unless(r, "a list of objects"), false
		}
		*p = out
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

// release makes a member that was read count as unknown too.
func (v *visitor) release(name string) {
	for i := range v.members {
		if m := &v.members[i]; string(m.name) == name {
			m.taken = false
		}
	}
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

func isNumber(value []byte) bool { return value[0] == '-' || '0' <= value[0] && value[0] <= '9' }

// wholeNumber reads a valid value as an integer; 10, 10.0 and 1e1 are the same one.
func wholeNumber(value []byte) (int64, bool) {
	if !isNumber(value) {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	n := int64(f)
	return n, sameDecimal(value, strconv.AppendInt(nil, n, 10))
}
