package schema

import (
	stdjson "encoding/json"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
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

// timeSchema is the part of ajv-formats' date-time that time.Time reads without loss: RFC 3339 with
// an upper-case T and Z, no leap second, nine digits of a second at most, and an offset with minutes.
func timeSchema() object {
	return object{
		"type":    "string",
		"format":  "date-time",
		"pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$`,
	}
}

func durationSchema(t reflect.Type) object {
	s := integerSchema(t)
	s["description"] = durationUnit
	return s
}

// durationUnit is what the schema of a time.Duration says.
const durationUnit = "A duration in nanoseconds."

var rawTypes = map[reflect.Type]bool{
	reflect.TypeFor[jsontext.Value]():     true,
	reflect.TypeFor[stdjson.RawMessage](): true,
}
