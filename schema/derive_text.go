package schema

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
)

// probes are texts of many kinds. A type that reads each of them and writes it again as it was is
// taken to hold any text.
var probes = []string{
	"", "a", "Z", "0", "-1", "1.5", "1e9", "true", "null", "none", " ", " a ", "a b", "\t", "\n", "a\nb",
	"é", "e\u0301", "日本語", "😀", "\u00a0", "\u2028", "\x00", "\x7f", "{}", "[]", `"`, `\`, "'", "<a>", "&", "%41",
	"a/b", "a:b", "a.b", "a,b", "a;b", "a=b", "a@b.c", "#", "+", "~", "2024-02-30", "UPPER lower",
	strings.Repeat("x", 5000),
}

// notAnyText says why the text methods of a type do not read and write any text, or "".
func notAnyText(t reflect.Type) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("its methods panic: %v", r)
		}
	}()
	v := reflect.New(t)
	reads, ok := v.Interface().(encoding.TextUnmarshaler)
	if !ok {
		return "it has no UnmarshalText method"
	}
	for _, probe := range probes {
		v.Elem().SetZero()
		if err := reads.UnmarshalText([]byte(probe)); err != nil {
			return fmt.Sprintf("its UnmarshalText method refuses %s", quoteShort(probe))
		}
		var text []byte
		var err error
		switch w := v.Interface().(type) { // in the order that the encoder asks
		case encoding.TextAppender:
			text, err = w.AppendText(nil)
		case encoding.TextMarshaler:
			text, err = w.MarshalText()
		default:
			return "it has no MarshalText method"
		}
		if err != nil {
			return fmt.Sprintf("its MarshalText method refuses what was read from %s", quoteShort(probe))
		}
		if string(text) != probe {
			return fmt.Sprintf("it reads %s and writes %s", quoteShort(probe), quoteShort(string(text)))
		}
	}
	return ""
}
