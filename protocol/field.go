package protocol

import (
	"math"
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

// release makes a member that was read count as unknown too.
func (v *visitor) release(name string) {
	for i := range v.members {
		if m := &v.members[i]; string(m.name) == name {
			m.taken = false
		}
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
