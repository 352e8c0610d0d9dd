package schema

import (
	"bytes"
	"math/big"
	"math/bits"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// decimal is a JSON number read exactly: mantissa times ten to the exponent. A number whose significant
// digits do not fit keeps them as text instead.
type decimal struct {
	negative bool
	mantissa uint64
	exponent int
	digits   []byte // significant digits without zeros at either end, when the mantissa cannot hold them
}

var powers = [20]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// readDecimal reads a valid JSON number. It allocates only for numbers whose significant digits do
// not fit 64 bits.
func readDecimal(number []byte) decimal {
	var d decimal
	i := 0
	if number[0] == '-' {
		d.negative = true
		i++
	}
	start, significant, fraction, point := i, 0, 0, false
	fits := true
	for ; i < len(number); i++ {
		c := number[i]
		if c == '.' {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if point {
			fraction++
		}
		if significant == 0 && c == '0' {
			continue
		}
		if significant++; significant < 20 {
			d.mantissa = d.mantissa*10 + uint64(c-'0')
		} else if fits {
			// The twentieth digit may fit yet: the largest uint64 has so many.
			over, low := bits.Mul64(d.mantissa, 10)
			low, carry := bits.Add64(low, uint64(c-'0'), 0)
			fits = over+carry == 0
			if fits {
				d.mantissa = low
			}
		}
	}
	end := i
	d.exponent = -fraction
	if i < len(number) { // an exponent, small since the number fits a float64 or is zero
		i++
		negative := number[i] == '-'
		if number[i] == '-' || number[i] == '+' {
			i++
		}
		e := 0
		for ; i < len(number); i++ {
			if e = e*10 + int(number[i]-'0'); e > 1<<20 {
				e = 1 << 20
			}
		}
		if negative {
			e = -e
		}
		d.exponent += e
	}
	if fits {
		t := d.trim()
		return t
	}
	digits := make([]byte, 0, significant)
	for _, c := range number[start:end] {
		if c != '.' && (len(digits) > 0 || c != '0') {
			digits = append(digits, c)
		}
	}
	trimmed := bytes.TrimRight(digits, "0")
	d.exponent += len(digits) - len(trimmed)
	if len(trimmed) > 19 { // the least that is sure to fit
		d.digits, d.mantissa = trimmed, 0
		return d
	}
	d.mantissa = 0
	for _, c := range trimmed {
		d.mantissa = d.mantissa*10 + uint64(c-'0')
	}
	return d
}

// trim moves zeros from the mantissa's end to the exponent.
func (d *decimal) trim() decimal {
	t := *d
	switch {
	case t.digits != nil:
		return t
	case t.mantissa == 0:
		return decimal{}
	}
	for t.mantissa%10 == 0 {
		t.mantissa /= 10
		t.exponent++
	}
	return t
}

func (d *decimal) zero() bool { return d.mantissa == 0 && d.digits == nil }

func (d *decimal) isInteger() bool {
	return d.exponent >= 0 || d.digits == nil && d.trim().exponent >= 0
}

// compare gives -1, 0 or +1.
func (d *decimal) compare(e *decimal) int {
	switch {
	case d.zero() && e.zero():
		return 0
	case d.zero():
		if e.negative {
			return 1
		}
		return -1
	case e.zero() || d.negative != e.negative:
		if d.negative {
			return -1
		}
		return 1
	}
	c := d.compareMagnitude(e)
	if d.negative {
		return -c
	}
	return c
}

func (d *decimal) compareMagnitude(e *decimal) int {
	if d.digits != nil || e.digits != nil {
		x, y := d.trim(), e.trim()
		a, b := x.text(), y.text()
		if m, n := len(a)+x.exponent, len(b)+y.exponent; m != n {
			if m < n {
				return -1
			}
			return 1
		}
		// Both have no zeros at the end, so a prefix is the smaller number.
		return bytes.Compare(a, b)
	}
	if d.exponent < e.exponent {
		return -e.compareMagnitude(d)
	}
	a, b := d.mantissa, e.mantissa
	if shift := d.exponent - e.exponent; shift > 0 {
		if shift >= len(powers) {
			return 1
		}
		over, low := bits.Mul64(a, powers[shift])
		if over > 0 {
			return 1
		}
		a = low
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// text gives the significant digits.
func (d *decimal) text() []byte {
	if d.digits != nil {
		return d.digits
	}
	var b [20]byte
	i := len(b)
	for m := d.mantissa; m > 0; m /= 10 {
		i--
		b[i] = byte('0' + m%10)
	}
	return bytes.Clone(b[i:])
}

// multipleOf reports whether d is an integer multiple of divisor, which is above zero, exactly.
// The divisor is trimmed.
func (d *decimal) multipleOf(divisor *decimal) bool {
	if d.zero() {
		return true
	}
	shift := d.exponent - divisor.exponent
	if shift < 0 {
		// d's digits would have to end in zeros.
		t := d.trim()
		if shift = t.exponent - divisor.exponent; shift < 0 {
			return false
		}
		d = &t
	}
	if divisor.digits != nil {
		return d.bigMultipleOf(divisor, shift)
	}
	n := divisor.mantissa
	var rest uint64
	if d.digits == nil {
		rest = d.mantissa % n
	} else {
		for _, c := range d.digits {
			high, low := bits.Mul64(rest, 10)
			low, carry := bits.Add64(low, uint64(c-'0'), 0)
			_, rest = bits.Div64(high+carry, low, n)
		}
	}
	for ; shift > 0 && rest != 0; shift-- {
		high, low := bits.Mul64(rest, 10)
		_, rest = bits.Div64(high, low, n)
	}
	return rest == 0
}

func (d *decimal) bigMultipleOf(divisor *decimal, shift int) bool {
	var a, b, ten big.Int
	a.SetString(string(d.text()), 10)
	b.SetString(string(divisor.text()), 10)
	a.Mul(&a, ten.Exp(big.NewInt(10), big.NewInt(int64(shift)), &b))
	return a.Mod(&a, &b).Sign() == 0
}

// compareNumbers compares two valid JSON numbers exactly.
func compareNumbers(a, b []byte) int {
	x, y := readDecimal(a), readDecimal(b)
	return x.compare(&y)
}

// numberAt reads the number at text[i], not always trimmed, and gives its end. It is the quick way for
// the numbers that most texts have.
func numberAt(text []byte, i int) (d decimal, end int) {
	start := i
	if text[i] == '-' {
		d.negative = true
		i++
	}
	first := i
	for i < len(text) && isDigit(text[i]) {
		d.mantissa = d.mantissa*10 + uint64(text[i]-'0')
		i++
	}
	if i < len(text) && text[i] == '.' {
		first++
		point := i
		for i++; i < len(text) && isDigit(text[i]); i++ {
			d.mantissa = d.mantissa*10 + uint64(text[i]-'0')
		}
		d.exponent = point + 1 - i
	}
	if i-first > 19 || i < len(text) && text[i]|0x20 == 'e' {
		end = scan.SkipScalar(text, i)
		return readDecimal(text[start:end]), end
	}
	return d, i
}

// limit is a bound on numbers.
type limit struct {
	exact decimal // trimmed
	raw   *value
}

func newLimit(v *value) *limit {
	return &limit{exact: readDecimal(v.raw), raw: v}
}
