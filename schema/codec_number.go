package schema

import (
	"bytes"
	"math/big"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// decodeInteger reads a JSON number whose value is an integer, however it is written, into any Go
// integer. Everything else is left to json v2.
func decodeInteger(dec *jsontext.Decoder, v any) error {
	if dec.PeekKind() != '0' {
		return errSkip
	}
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer {
		return errSkip
	}
	t := p.Type().Elem()
	if t == bigIntType {
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		digits, ok := plainInteger(value, maxBigIntDigits)
		if !ok {
			return errNotInteger
		}
		n, ok := v.(*big.Int).SetString(string(digits), 10)
		if !ok || n == nil {
			return errNotInteger
		}
		return nil
	}
	if !isIntegerKind(t.Kind()) || hasMethods(t, jsonMethods) || hasMethods(t, textMethods) {
		return errSkip
	}
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	digits, ok := plainInteger(value, 20)
	if !ok {
		if isInteger(value) {
			return rangeError(t)
		}
		return errNotInteger
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(string(digits), 10, t.Bits())
		if err != nil {
			return rangeError(t)
		}
		p.Elem().SetInt(n)
	default:
		n, err := strconv.ParseUint(string(digits), 10, t.Bits())
		if err != nil {
			return rangeError(t)
		}
		p.Elem().SetUint(n)
	}
	return nil
}

// maxBigIntDigits bounds what an exponent may make of a short number: 309 digits are the most that a
// number within float64's range has, and nothing beyond that is admitted.
const maxBigIntDigits = 1000

func isIntegerKind(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Uintptr }

// isInteger reports whether a JSON number's value is an integer.
func isInteger(number []byte) bool {
	_, significant, exponent := splitNumber(number)
	return len(significant) == 0 || exponent >= 0
}

// plainInteger writes the value of a JSON number as a plain integer, if it is one of at most max
// digits.
func plainInteger(number []byte, max int) ([]byte, bool) {
	negative, significant, exponent := splitNumber(number)
	if len(significant) == 0 {
		return []byte("0"), true
	}
	if exponent < 0 || exponent > max-len(significant) {
		return nil, false
	}
	b := make([]byte, 0, 1+len(significant)+exponent)
	if negative {
		b = append(b, '-')
	}
	b = append(b, significant...)
	return append(b, bytes.Repeat([]byte("0"), exponent)...), true
}

// splitNumber takes a JSON number apart: its value is 0 if significant is empty, else the digits of
// significant, which neither begin nor end with a zero, times ten to the exponent.
func splitNumber(number []byte) (negative bool, significant []byte, exponent int) {
	mantissa := number
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		var err error
		if exponent, err = strconv.Atoi(string(bytes.TrimPrefix(number[i+1:], []byte("+")))); err != nil {
			// Farther from zero than an int: far beyond what any caller looks at.
			exponent = 1 << 30
			if number[i+1] == '-' {
				exponent = -exponent
			}
		}
	}
	exponent = min(max(exponent, -1<<30), 1<<30)
	mantissa, negative = bytes.CutPrefix(mantissa, []byte("-"))
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	significant = append(append(make([]byte, 0, len(whole)+len(fraction)), whole...), fraction...)
	exponent -= len(fraction)
	significant = bytes.TrimLeft(significant, "0")
	trimmed := bytes.TrimRight(significant, "0")
	exponent += len(significant) - len(trimmed)
	return negative, trimmed, exponent
}
