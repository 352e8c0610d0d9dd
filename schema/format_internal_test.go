package schema

import (
	"strings"
	"testing"
)

func TestASCIISets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		set    asciiSet
		others string
	}{
		{atomCharacters, "!#$%&'*+/=?^_`{|}~-"},
		{fragmentCharacters, "/_-.!$&'()*+,;:=@"},
	} {
		for c := range 256 {
			want := isAlnum(byte(c)) || strings.IndexByte(test.others, byte(c)) >= 0
			if got := test.set.has(byte(c)); got != want {
				t.Errorf("%q: %q is in it: %t", test.others, byte(c), got)
			}
		}
	}
}
