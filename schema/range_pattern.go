package schema

import (
	"strings"
)

// rangePattern gives a regular expression, without anchors, for the integers from low to high as
// decimal text: no leading zeros, no plus sign, no minus zero. Both bounds are in that form too, and
// low is 0, or that of a signed integer: one beyond high on the other side.
func rangePattern(low, high string) string {
	p := positive(high)
	if low == "0" {
		return "0|" + p
	}
	return "0|-?(?:" + p + ")|" + low
}

// positive gives the alternatives for the integers from 1 to high, which is "0" or more.
func positive(high string) string {
	n := len(high)
	var alternatives []string
	if n > 1 {
		alternatives = append(alternatives, "[1-9]"+digits(0, n-2))
	}
	// Those of as many digits as high: they share a first part with it, then have a smaller digit.
	for i := range n {
		from := byte('0')
		if i == 0 {
			from = '1'
		}
		if high[i] > from {
			alternatives = append(alternatives, high[:i]+class(from, high[i]-1)+digits(n-i-1, n-i-1))
		}
	}
	return strings.Join(append(alternatives, high), "|")
}

func class(from, to byte) string {
	if from == to {
		return string(from)
	}
	return "[" + string(from) + "-" + string(to) + "]"
}

// digits is a pattern for least to most digits.
func digits(least, most int) string {
	if most == 0 {
		return ""
	}
	return "[0-9]" + times(least, most)
}

// times is a quantifier, most being 1 or more.
func times(least, most int) string {
	switch {
	case most == 1 && least == 1:
		return ""
	case most == 1:
		return "?"
	case least == most:
		return "{" + itoa(least) + "}"
	}
	return "{" + itoa(least) + "," + itoa(most) + "}"
}
