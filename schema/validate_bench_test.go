package schema_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/schema"
)

// orderSchema is the schema of an ordinary order, and orderText one of a kilobyte.
const orderSchema = `{"type":"object","additionalProperties":false,
	"required":["number","placed","customer","lines","shipping","payment","total"],
	"properties":{
		"number":{"type":"string","minLength":1,"maxLength":20,"pattern":"^[A-Z]-[0-9]{6}$"},
		"placed":{"type":"string","format":"date-time"},
		"customer":{"type":"object","additionalProperties":false,"required":["id","name","email"],"properties":{
			"id":{"type":"integer","minimum":0,"maximum":18446744073709551615},
			"name":{"type":"string","minLength":1},
			"email":{"type":"string","format":"email"},
			"vip":{"type":"boolean"}}},
		"lines":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["sku","title","quantity","price"],"properties":{
			"sku":{"type":"string","pattern":"^KG-[0-9]{4}$"},
			"title":{"type":"string","maxLength":100},
			"quantity":{"type":"integer","minimum":1,"maximum":1000},
			"price":{"type":"number","exclusiveMinimum":0,"multipleOf":0.01},
			"tags":{"type":"array","items":{"type":"string","minLength":1},"uniqueItems":true}}}},
		"shipping":{"type":"object","additionalProperties":false,"required":["street","city","country"],"properties":{
			"street":{"type":"string"},"city":{"type":"string"},"postcode":{"type":"string"},
			"country":{"type":"string","enum":["DE","FR","PL","SE","US"]},
			"instructions":{"type":"string","maxLength":200}}},
		"payment":{"type":"object","additionalProperties":false,"required":["method","amount","currency"],"properties":{
			"method":{"enum":["card","transfer","cash"],"type":"string"},
			"reference":{"type":"string","format":"uuid"},
			"amount":{"type":"number","minimum":0},
			"currency":{"type":"string","minLength":3,"maxLength":3},
			"captured":{"type":"boolean"}}},
		"note":{"type":["string","null"]},
		"discount":{"type":"number","minimum":0,"maximum":1},
		"total":{"type":"number","minimum":0}}}`

const orderText = `{"number":"A-100234","placed":"2024-05-17T09:30:00Z","customer":{"id":18446744073709551615,"name":"Łucja Ørsted","email":"lucja@example.org","vip":true},` +
	`"lines":[{"sku":"KG-0001","title":"Notebook, dotted, 160 pages","quantity":2,"price":12.5,"tags":["paper","office"]},` +
	`{"sku":"KG-0002","title":"Fountain pen, fine nib","quantity":1,"price":48.99,"tags":["pens","gift"]},` +
	`{"sku":"KG-0003","title":"Ink, 50 ml, blue-black","quantity":3,"price":9.75,"tags":["ink"]},` +
	`{"sku":"KG-0004","title":"Blotting paper, ten sheets","quantity":1,"price":3.2,"tags":[]}],` +
	`"shipping":{"street":"12 Harbour Road","city":"Gdańsk","postcode":"80-001","country":"PL","instructions":"Ring twice; leave with the neighbour Kowalski otherwise, or come back."},` +
	`"payment":{"method":"card","reference":"9d4f6a1e-7c1b-4f0c-9a3e-1f2d3c4b5a69","amount":111.54,"currency":"EUR","captured":false},"note":null,"discount":0.05,"total":111.54}`

// badOrder gives an order with five things wrong.
func badOrder() []byte {
	bad := strings.NewReplacer(`"A-100234"`, `"a-100234"`, `"quantity":3`, `"quantity":0`, `"price":3.2`, `"price":3.205`, `"PL"`, `"XX"`, `,"total":111.54`, ``)
	return []byte(bad.Replace(orderText))
}

func mustCompile(tb testing.TB, document string) *schema.Schema {
	tb.Helper()
	s, err := schema.Compile([]byte(document))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func BenchmarkOrder(b *testing.B) {
	s := mustCompile(b, orderSchema)
	valid, invalid := []byte(orderText), badOrder()
	lines := []byte(`[` + strings.Repeat(orderText+",", 100) + orderText + `]`)
	list := mustCompile(b, `{"type":"array","items":`+orderSchema+`}`)
	run := func(name string, size int, f func() int, issues int) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if n := f(); n != issues {
					b.Fatalf("%d issues", n)
				}
			}
		})
	}
	run("check/valid", len(valid), func() int { return len(s.Check(valid)) }, 0)
	run("validate/valid", len(valid), func() int { issues, _ := s.Validate(valid); return len(issues) }, 0)
	run("check/invalid", len(invalid), func() int { return len(s.Check(invalid)) }, 5)
	run("check/100KB", len(lines), func() int { return len(list.Check(lines)) }, 0)
	defaults := mustCompile(b, strings.Replace(orderSchema, `"minimum":0,"maximum":1}`, `"minimum":0,"maximum":1,"default":0}`, 1))
	run("fill/nothing", len(valid), func() int { out, _ := defaults.Fill(valid); return len(out) - len(valid) }, 0)
	missing := bytes.Replace(valid, []byte(`,"discount":0.05`), nil, 1)
	run("fill/one", len(valid), func() int { out, _ := defaults.Fill(missing); return len(out) - len(missing) }, len(`,"discount":0`))
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustCompile(b, orderSchema)
	}
}

func BenchmarkStrict(b *testing.B) {
	s := mustCompile(b, orderSchema)
	for b.Loop() {
		if err := s.Strict(); err != nil {
			b.Fatal(err)
		}
	}
}
