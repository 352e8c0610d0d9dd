package schema_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/schema"
)

// order is a value of about 1 KB.
type order struct {
	Number   string            `json:"number" jsonschema:"minLength=1"`
	Placed   time.Time         `json:"placed"`
	Customer customer          `json:"customer"`
	Lines    []line            `json:"lines" jsonschema:"minItems=1"`
	Note     string            `json:"note,omitempty"`
	Tags     []string          `json:"tags"`
	Labels   map[string]string `json:"labels"`
}

type customer struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email" jsonschema:"format=email"`
}

type line struct {
	SKU      string  `json:"sku"`
	Quantity int     `json:"quantity" jsonschema:"minimum=1"`
	Price    float64 `json:"price"`
}

func exampleOrder() order {
	o := order{
		Number: "A-1001", Placed: time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC),
		Customer: customer{9007199254740993, "Ada Lovelace", "ada@example.com"},
		Note:     "Please leave the parcel with the neighbour if nobody is at home on Thursday.",
		Tags:     []string{"gift", "express", "returning"}, Labels: map[string]string{"channel": "web", "region": "eu"},
	}
	for i := range 8 {
		o.Lines = append(o.Lines, line{"SKU-000" + strconv.Itoa(i), i + 1, 19.99 * float64(i+1)})
	}
	return o
}

func BenchmarkUnmarshal(b *testing.B) {
	text, err := schema.Marshal(exampleOrder())
	if err != nil {
		b.Fatal(err)
	}
	slow := append([]byte(nil), text...)
	slow = []byte(string(slow[:len(slow)-1]) + `}`)
	slow = []byte(replaceOnce(string(slow), `"quantity":1,`, `"quantity":1.0,`))
	b.Run("order", func(b *testing.B) { benchUnmarshal[order](b, text, schema.Unmarshal) })
	b.Run("order with 1.0", func(b *testing.B) { benchUnmarshal[order](b, slow, schema.Unmarshal) })
	b.Run("any", func(b *testing.B) { benchUnmarshal[any](b, text, schema.Unmarshal) })
	b.Run("order, json v2", func(b *testing.B) {
		benchUnmarshal[order](b, text, func(text []byte, v any) error { return jsonv2.Unmarshal(text, v) })
	})
	b.Run("order, json v2, unchecked", func(b *testing.B) {
		unchecked := jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		benchUnmarshal[order](b, text, func(text []byte, v any) error { return jsonv2.Unmarshal(text, v, unchecked) })
	})
	b.Run("any, json v2", func(b *testing.B) {
		benchUnmarshal[any](b, text, func(text []byte, v any) error { return jsonv2.Unmarshal(text, v) })
	})
	b.Run("order, encoding json", func(b *testing.B) { benchUnmarshal[order](b, text, json.Unmarshal) })
}

func replaceOnce(s, old, replacement string) string {
	for i := range s {
		if len(s)-i >= len(old) && s[i:i+len(old)] == old {
			return s[:i] + replacement + s[i+len(old):]
		}
	}
	return s
}

func benchUnmarshal[T any](b *testing.B, text []byte, unmarshal func([]byte, any) error) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var v T
		if err := unmarshal(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarshal(b *testing.B) {
	o := exampleOrder()
	b.Run("order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := schema.Marshal(&o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("order, appended", func(b *testing.B) {
		b.ReportAllocs()
		var buffer []byte
		for b.Loop() {
			var err error
			if buffer, err = schema.Append(buffer[:0], &o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("order, json v2", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jsonv2.Marshal(&o); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkFor(b *testing.B) {
	b.Run("order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := schema.For[order](); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("a thousand tools", func(b *testing.B) {
		// Types that nothing has seen before: an input and an output each.
		for b.Loop() {
			for i := range 1000 {
				in := reflect.StructOf([]reflect.StructField{
					{Name: "Order", Type: typeOf[order](), Tag: reflect.StructTag(`json:"order` + strconv.Itoa(i) + `"`)},
				})
				for _, t := range []reflect.Type{in, typeOf[order]()} {
					if _, err := schema.ForType(t); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
	})
	b.Run("all kinds", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, t := range []reflect.Type{typeOf[standard](), typeOf[maps](), typeOf[recursive](), typeOf[numberTags]()} {
				if _, err := schema.ForType(t); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
