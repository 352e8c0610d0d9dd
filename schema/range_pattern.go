package schema

import (
	"strings"
)

// rangePattern gives a regular expression, without anchors, for the integers from low to high as
// decimal text: no leading zeros, no plus sign, no minus zero. Both bounds are in that form too, and
// low is at most zero.
func rangePattern(low, high string) string {
	alternatives := upTo(high)
	if below, ok := strings.CutPrefix(low, "-"); ok {
		var negative []string
		for _, a := range upTo(below) {
			if a != "0" {
				negative = append(negative, a)
			}
		}
		alternatives = append(alternatives, "-(?:"+strings.Join(negative, "|")+")")
	}
	return strings.Join(alternatives, "|")
}

// upTo gives the alternatives for the integers from 0 to high.
func upTo(high string) []string {
	alternatives := []string{"0"}
	if high == "0" {
		return alternatives
	}
	n := len(high)
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
	return append(alternatives, high)
}

func class(from, to byte) string {
	if from == to {
		return string(from)
	}
	return "[" + string(from) + "-" + string(to) + "]"
}

// digits is a pattern for least to most digits.
func digits(least, most int) string {
	switch {
	case most == 0:
		return ""
	case most == 1 && least == 1:
		return "[0-9]"
	case most == 1:
		return "[0-9]?"
	case least == most:
		return "[0-9]{" + itoa(least) + "}"
	}
	return "[0-9]{" + itoa(least) + "," + itoa(most) + "}"
}
