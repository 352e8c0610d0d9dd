package protocol

import (
	"bytes"
	"math"
	"strconv"
)

// appendNumber appends f as ECMA-262's Number::toString (section 6.1.6.1.20) writes it, which is what
// JSON.stringify does: the shortest digits that give f back, an exponent from 1e21 on and below 1e-6.
// Minus zero is 0. What is not finite has no JSON; it is written so that the text is refused as invalid.
func appendNumber(b []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case f == 0:
		return append(b, '0')
	case math.IsInf(f, 0) || math.IsNaN(f):
		return append(b, "NaN"...)
	case 1e-6 <= abs && abs < 1e21:
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// Go writes at least two digits of an exponent, ECMA-262 only those it needs.
	if n := len(b); b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// sameDecimal reports whether two JSON numbers denote the same number, exactly.
func sameDecimal(a, b []byte) bool {
	x, y := parseDecimal(a), parseDecimal(b)
	return x.exponent == y.exponent && x.negative == y.negative && bytes.Equal(x.digits, y.digits)
}

// decimal is ±0.digits × 10^exponent, the first and the last digit not 0; no digits is zero.
type decimal struct {
	negative bool
	digits   []byte
	exponent int
}

func parseDecimal(number []byte) decimal {
	var d decimal
	if number[0] == '-' {
		d.negative = true
		number = number[1:]
	}
	mantissa, exponent := number, 0
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		exponent, _ = strconv.Atoi(string(number[i+1:])) // out of range saturates: still unequal to any double's
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := append(append(make([]byte, 0, len(mantissa)), whole...), fraction...)
	leading := len(digits) - len(bytes.TrimLeft(digits, "0"))
	d.digits = bytes.TrimRight(digits[leading:], "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	d.exponent = exponent + len(whole) - leading
	return d
}
