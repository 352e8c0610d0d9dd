package schema

import (
	"math/big"
	"testing"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// FuzzNumbers holds comparing, divisibility and integrality against math/big.
func FuzzNumbers(f *testing.F) {
	for _, pair := range [][2]string{
		{"0.07", "0.01"}, {"1e300", "0.5"}, {"18446744073709551615", "18446744073709551616"}, {"-0", "0"}, {"1.0", "1e0"},
		{"12345678901234567890123", "12345678901234567890.123e3"}, {"100", "1e2"}, {"0.000", "0e99"}, {"-1.5", "-15e-1"}, {"1e-300", "1e-301"},
		{"99999999999999999999", "3"}, {"1e22", "123456789012345678901"}, {"0.1", "0.3"}, {"10000000000000000000", "1e19"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, okX := readRat(a)
		y, okY := readRat(b)
		if !okX || !okY {
			t.Skip()
		}
		text := []byte(a + "," + b)
		d, end := numberAt(text, 0)
		e, _ := numberAt(text, end+1)
		exact := readDecimal([]byte(b))
		for _, other := range []*decimal{&e, &exact} {
			if got, want := d.compare(other), x.Cmp(y); got != want {
				t.Fatalf("%s and %s compare as %d, want %d", a, b, got, want)
			}
		}
		if d.isInteger() != x.IsInt() {
			t.Fatalf("%s is an integer: %v", a, d.isInteger())
		}
		if y.Sign() > 0 {
			quotient := new(big.Rat).Quo(x, y)
			if got := d.multipleOf(&exact); got != quotient.IsInt() {
				t.Fatalf("%s is a multiple of %s: %v", a, b, got)
			}
		}
	})
}

// readRat reads a JSON number that scan.Valid would admit.
func readRat(s string) (*big.Rat, bool) {
	if !isNumber(s) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// isNumber reports whether s is a JSON number of a size that math/big can be asked about.
func isNumber(s string) bool {
	return len(s) <= 60 && scan.Valid([]byte(s)) == nil && kinds[s[0]] == kindNumber && isDigit(s[len(s)-1])
}
