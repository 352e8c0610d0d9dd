package scan_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/internal/scan"
)

func TestValid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, ` true `, "\t\r\nfalse\n", `0`, `-0`, `-0.0e-999999999`, `1e308`, `5e-324`, `1.5E+3`, `123456789012345678901234567890`,
		`""`, `"a"`, `"é€😀"`, `"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, "\"\x7f\"",
		`{}`, `[]`, ` { } `, ` [ ] `, `[1,2 , 3]`, `{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}`,
		`{"":1,"a":2,"\u0000":3}`, `{"ab":1,"abc":2,"abcd":3,"abcde":4,"abcdefgh":5,"abcdefghi":6}`,
		"1" + strings.Repeat("0", 308),
		"0." + strings.Repeat("0", 300) + "1",
		strings.Repeat("[", scan.MaxDepth) + strings.Repeat("]", scan.MaxDepth),
		strings.Repeat(`{"a":[`, scan.MaxDepth/2) + strings.Repeat("]}", scan.MaxDepth/2),
		"1." + strings.Repeat("1", scan.MaxNumber-2),
		object(10_000),
		`[` + object(40) + `,` + object(40) + `,` + object(3000) + `,` + object(40) + `]`,
	} {
		if err := scan.Valid([]byte(text)); err != nil {
			t.Errorf("%.80s: %v", text, err)
		}
	}
}

func TestValidRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int
		reason string
	}{
		{``, 0, "unexpected end of the text"},
		{`  `, 2, "unexpected end of the text"},
		{`nul`, 3, "unexpected end of the text"},
		{`nule`, 3, "expected null, found 'e'"},
		{`tru }`, 3, "expected true, found ' '"},
		{`True`, 0, "expected a value, found 'T'"},
		{`1 2`, 2, "expected the end of the text, found '2'"},
		{`{}x`, 2, "expected the end of the text, found 'x'"},
		{"\ufeff1", 0, "expected a value, found byte 0xef"},
		{`[1,]`, 3, "expected a value, found ']'"},
		{`[,1]`, 1, "expected a value, found ','"},
		{`[1 2]`, 3, "expected ',' or ']', found '2'"},
		{`[1`, 2, "unexpected end of the text"},
		{`[1}`, 2, "expected ',' or ']', found '}'"},
		{`{"a":1]`, 6, "expected ',' or '}', found ']'"},
		{`{"a":1,}`, 7, "expected a member name, found '}'"},
		{`{a:1}`, 1, "expected a member name, found 'a'"},
		{`{"a" 1}`, 5, "expected ':', found '1'"},
		{`{"a":}`, 5, "expected a value, found '}'"},
		{`{"a"`, 4, "unexpected end of the text"},
		{`{`, 1, "unexpected end of the text"},
		{`01`, 0, "leading zero in a number"},
		{`-01`, 1, "leading zero in a number"},
		{`-`, 1, "unexpected end of the text"},
		{`+1`, 0, "expected a value, found '+'"},
		{`-a`, 1, "expected a digit, found 'a'"},
		{`.5`, 0, "expected a value, found '.'"},
		{`5.`, 2, "unexpected end of the text"},
		{`5.e1`, 2, "expected a digit, found 'e'"},
		{`[5e]`, 3, "expected a digit, found ']'"},
		{`5e+`, 3, "unexpected end of the text"},
		{`NaN`, 0, "expected a value, found 'N'"},
		{`1e400`, 0, "number beyond the range of a 64-bit float"},
		{`[-1e1000001]`, 1, "number beyond the range of a 64-bit float"},
		{`1e999999999999999999999`, 0, "number beyond the range of a 64-bit float"},
		{`1e-400`, 0, "number too small for a 64-bit float"},
		{`1e-999999999999999999999`, 0, "number too small for a 64-bit float"},
		{"1" + strings.Repeat("0", 309), 0, "number beyond the range of a 64-bit float"},
		{"0." + strings.Repeat("0", 330) + "1", 0, "number too small for a 64-bit float"},
		{"1." + strings.Repeat("1", scan.MaxNumber-1), 0, "number of more than 1000 bytes"},
		{`"a`, 2, "unexpected end of the text"},
		{"\"a\nb\"", 2, "control character 0x0a in a string"},
		{"\"12345678\x00\"", 9, "control character 0x00 in a string"},
		{`"\x"`, 1, "invalid escape sequence in a string"},
		{`"\u12g4"`, 1, "invalid escape sequence in a string"},
		{`"\u12`, 5, "unexpected end of the text"},
		{`"\`, 2, "unexpected end of the text"},
		{`"\ud800"`, 1, "lone surrogate in a string"},
		{`"\udc00"`, 1, "lone surrogate in a string"},
		{`"\ud800\ud800"`, 1, "lone surrogate in a string"},
		{`"\ud800\u0041"`, 1, "lone surrogate in a string"},
		{"\"\xff\"", 1, "invalid UTF-8"},
		{"\"\xed\xa0\x80\"", 1, "invalid UTF-8"},
		{"\"\xc0\x80\"", 1, "invalid UTF-8"},
		{"\"\xf4\x90\x80\x80\"", 1, "invalid UTF-8"},
		{"\"\xe2\x82\"", 1, "invalid UTF-8"},
		{`{"a":1,"a":2}`, 7, `duplicate member name "a"`},
		{`{"a":1,"\u0061":2}`, 7, `duplicate member name "a"`},
		{`{"\u00e9":1,"é":2}`, 12, `duplicate member name "é"`},
		{`{"abcdefghij":1,"b":{"abcdefghij":1},"abcdefghij":2}`, 37, `duplicate member name "abcdefghij"`},
		{`{"\n":1,"x":{"\n":3,"\t":1},"\u000a":2}`, 28, `duplicate member name "\n"`},
		{strings.Repeat("[", scan.MaxDepth+1), scan.MaxDepth, "nested deeper than 10000 levels"},
		{strings.Repeat(`{"a":`, scan.MaxDepth+1), 5 * scan.MaxDepth, "nested deeper than 10000 levels"},
	} {
		err := scan.Valid([]byte(c.text))
		var refused *scan.Error
		if !errors.As(err, &refused) {
			t.Errorf("%.80q: admitted", c.text)
			continue
		}
		if refused.Offset != c.offset || refused.Reason != c.reason {
			t.Errorf("%.80q: got %d %s, want %d %s", c.text, refused.Offset, refused.Reason, c.offset, c.reason)
		}
	}
}

func object(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"name %d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

// Whatever the number of names and wherever the second one stands, it is found.
func TestDuplicateAmongMany(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 15, 16, 17, 31, 32, 33, 1000} {
		for _, again := range []int{0, n / 2, n - 1} {
			for _, form := range []string{`"name %d"`, `"n\u0061me %d"`} {
				text := object(n)
				text = text[:len(text)-1] + "," + fmt.Sprintf(form, again) + ":0}"
				want := fmt.Sprintf("duplicate member name \"name %d\"", again)
				var refused *scan.Error
				if err := scan.Valid([]byte(text)); !errors.As(err, &refused) || refused.Reason != want {
					t.Errorf("%d names, %d again: %v", n, again, err)
				}
			}
		}
	}
}

func TestValidDoesNotAllocate(t *testing.T) {
	text := []byte(order)
	if n := testing.AllocsPerRun(100, func() {
		if err := scan.Valid(text); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSkipAndUnquote(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`1`, `-1.5e3`, `true`, `null`, `"a\\\"]}"`, `""`, `[]`, `[[{"a":"]"}],{}]`, `{"a\"":{"b":[1,2,"}"]}}`, `"12345678\"12345678"`,
	} {
		for _, after := range []string{"", ",", " ", "]", "}"} {
			if got := scan.Skip([]byte(" "+text+after), 1); got != 1+len(text) {
				t.Errorf("%s%s: %d", text, after, got)
			}
		}
	}
	for quoted, want := range map[string]string{
		`""`: "", `"a"`: "a", `"\u00e9\ud83d\ude00é\n\/"`: "é😀é\n/", `"a\"b\\"`: `a"b\`, `"\b\f\r\t\u0000"`: "\b\f\r\t\x00",
	} {
		if got := scan.Unquote([]byte(quoted)); string(got) != want {
			t.Errorf("%s: %q", quoted, got)
		}
	}
	quoted := []byte(`"plain"`)
	if got := scan.Unquote(quoted); &got[0] != &quoted[1] {
		t.Error("a string without escapes was copied")
	}
	if i := scan.Space([]byte(" \t\r\n\v"), 0); i != 4 {
		t.Error(i)
	}
}

// order is an ordinary kilobyte.
const order = `{"number":"A-100234","placed":"2024-05-17T09:30:00Z","customer":{"id":18446744073709551615,"name":"Łucja Ørsted","email":"lucja@example.org","vip":true},` +
	`"lines":[{"sku":"KG-0001","title":"Notebook, dotted, 160 pages","quantity":2,"price":12.5,"tags":["paper","office"]},` +
	`{"sku":"KG-0002","title":"Fountain pen, fine nib","quantity":1,"price":48.99,"tags":["pens","gift"]},` +
	`{"sku":"KG-0003","title":"Ink, 50 ml, blue-black","quantity":3,"price":9.75,"tags":["ink"]},` +
	`{"sku":"KG-0004","title":"Blotting paper, ten sheets","quantity":1,"price":3.2,"tags":[]}],` +
	`"shipping":{"street":"12 Harbour Road","city":"Gdańsk","postcode":"80-001","country":"PL","instructions":"Ring twice; leave with the neighbour \"Kowalski\" otherwise."},` +
	`"payment":{"method":"card","reference":"9d4f6a1e-7c1b-4f0c-9a3e-1f2d3c4b5a69","amount":111.54,"currency":"EUR","captured":false},"note":null,"discount":0.05,"total":111.54}`

func BenchmarkValid(b *testing.B) {
	large := []byte("[" + strings.Repeat(order+",", 1000) + order + "]")
	indented := bytes.ReplaceAll(bytes.ReplaceAll(large, []byte(`,"`), []byte(",\n        \"")), []byte(`":`), []byte(`": `))
	for name, text := range map[string][]byte{"order": []byte(order), "large": large, "indented": indented} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := scan.Valid(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
