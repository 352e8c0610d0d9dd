package schema

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

func TestRangePattern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ low, high int64 }{
		{0, 1}, {0, 9}, {0, 10}, {0, 32}, {0, 99}, {0, 100}, {0, 128}, {0, 255}, {0, 999},
		{0, 65535}, {-128, 127}, {-32768, 32767}, {-11, 10}, {-2, 1},
	} {
		p := regexp.MustCompile("^(?:" + rangePattern(strconv.FormatInt(c.low, 10), strconv.FormatInt(c.high, 10)) + ")$")
		for n := c.low - 300; n <= c.high+300; n++ {
			if got, want := p.MatchString(strconv.FormatInt(n, 10)), c.low <= n && n <= c.high; got != want {
				t.Errorf("%d to %d: %d matches: %t", c.low, c.high, n, got)
			}
		}
		for _, text := range []string{"", "-", "-0", "+1", "00", "01", "1.0", "1e0", " 1", "1 ", "1\n"} {
			if p.MatchString(text) {
				t.Errorf("%d to %d: %q matches", c.low, c.high, text)
			}
		}
	}
}

func TestRangePatternOf64Bits(t *testing.T) {
	t.Parallel()
	signed := regexp.MustCompile("^(?:" + rangePattern(strconv.FormatInt(math.MinInt64, 10), strconv.FormatInt(math.MaxInt64, 10)) + ")$")
	unsigned := regexp.MustCompile("^(?:" + rangePattern("0", strconv.FormatUint(math.MaxUint64, 10)) + ")$")
	texts := []string{
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"18446744073709551615", "18446744073709551616", "99999999999999999999", "10000000000000000000",
		"100000000000000000000", "-1", "0", "-0",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := strconv.FormatUint(r.Uint64(), 10)
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		// A digit more or less, often just around a bound.
		switch r.IntN(4) {
		case 0:
			text += strconv.Itoa(r.IntN(10))
		case 1:
			text = text[:len(text)-1]
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if want := err == nil && strconv.FormatInt(n, 10) == text; signed.MatchString(text) != want {
			t.Errorf("int64 %q: matches: %t", text, !want)
		}
		u, err := strconv.ParseUint(text, 10, 64)
		if want := err == nil && strconv.FormatUint(u, 10) == text; unsigned.MatchString(text) != want {
			t.Errorf("uint64 %q: matches: %t", text, !want)
		}
	}
}
