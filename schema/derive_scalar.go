package schema

import (
	stdjson "encoding/json"
	"reflect"
	"strconv"
)

// integerBounds gives the least and the greatest value of an integer type.
func integerBounds(t reflect.Type) (low, high string) {
	bits := t.Bits()
	if reflect.Int <= t.Kind() && t.Kind() <= reflect.Int64 {
		return strconv.FormatInt(-1<<(bits-1), 10), strconv.FormatInt(1<<(bits-1)-1, 10)
	}
	return "0", strconv.FormatUint(1<<bits-1, 10)
}

func integerSchema(t reflect.Type) object {
	low, high := integerBounds(t)
	return object{"type": "integer", "minimum": stdjson.Number(low), "maximum": stdjson.Number(high)}
}

// maxFloat32 is what the encoder writes for the greatest float32: a little more than its exact value,
// and read back as it.
const maxFloat32 = "340282350000000000000000000000000000000"

func floatSchema(t reflect.Type) object {
	s := object{"type": "number"}
	if t.Bits() == 32 {
		s["minimum"], s["maximum"] = stdjson.Number("-"+maxFloat32), stdjson.Number(maxFloat32)
	}
	return s
}

// The forms of base64 (RFC 4648, section 4) that the encoder writes: padded, and with no bit set
// that belongs to no byte.
const (
	base64Group = `(?:[A-Za-z0-9+/]{4})*`
	base64Tail1 = `[A-Za-z0-9+/][AQgw]==`
	base64Tail2 = `[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=`
)

func bytesSchema() object {
	return object{
		"type":            "string",
		"contentEncoding": "base64",
		"pattern":         "^" + base64Group + "(?:" + base64Tail1 + "|" + base64Tail2 + ")?$",
	}
}

// byteArraySchema is the schema of exactly n bytes.
func byteArraySchema(n int) object {
	s := bytesSchema()
	length := (n + 2) / 3 * 4
	s["minLength"], s["maxLength"] = length, length
	s["pattern"] = "^" + base64Group + [...]string{"", base64Tail1, base64Tail2}[n%3] + "$"
	return s
}
