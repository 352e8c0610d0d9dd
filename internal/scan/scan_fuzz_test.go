package scan_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// FuzzValid holds the scanner against jsontext, which is as strict about everything but numbers.
func FuzzValid(f *testing.F) {
	for _, seed := range []string{
		order, `{"a":1,"\u0061":2}`, `[1e400,1e-400,-0,0e99]`, `"\ud83d\ude00"`, `"\ud83d"`, "\"\xff\"", ` [ ] `, `{"a":{},"b":[]}`, `01`, `nul`, object(20),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := scan.Valid(text)
		want := jsontext.Value(text).IsValid() && fits(text)
		if (err == nil) != want {
			t.Fatalf("%q: %v, jsontext admits it: %v", text, err, want)
		}
		if err != nil {
			return
		}
		start := scan.Space(text, 0)
		end := scan.Skip(text, start)
		if len(bytes.TrimSpace(text[end:])) != 0 {
			t.Fatalf("%q: skipped to %d", text, end)
		}
		if text[start] == '"' {
			var s string
			if err := json.Unmarshal(text, &s); err != nil {
				t.Fatal(err)
			}
			if got := scan.Unquote(text[start:end]); string(got) != s {
				t.Fatalf("%q: unquoted to %q", text, got)
			}
		}
	})
}

// fits reports whether float64 holds every number of a valid text.
func fits(text []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return true
		}
		if token.Kind() != '0' {
			continue
		}
		number := token.String()
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || math.IsInf(v, 0) || len(number) > scan.MaxNumber {
			return false
		}
		if v == 0 {
			mantissa, _, _ := bytes.Cut(bytes.ToLower([]byte(number)), []byte("e"))
			if bytes.ContainsAny(mantissa, "123456789") {
				return false
			}
		}
	}
}
