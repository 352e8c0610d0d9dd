package schema_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// members gives an object of n members with different short names.
func members(n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%x":%s`, i, value)
	}
	return "{" + b.String()[1:] + "}"
}

// repeated gives an array of n times the item.
func repeated(n int, item string) string { return "[" + item + strings.Repeat(","+item, n-1) + "]" }

// different gives an array of n different items, each of them in what is around it.
func different(n int, before, after, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,%s%d%s`, before, i, after)
	}
	return "[" + b.String()[1:] + last + "]"
}

// TestMemory bounds what checking a large value, and saying what is wrong with it, takes together, per byte
// of it, for values of as many and as small parts as there can be. It counts all that is allocated, of which no
// more than half is in use at a time.
func TestMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes memory of its own; the variants of the gate run this without it")
	}
	const n = 300_000
	numbers, objects, ones, empties := members(n, "1"), members(n, "{}"), repeated(n, "1"), repeated(n, "[]")
	for _, c := range []struct {
		name, schema, value string
		valid               bool
		most                float64
	}{
		{"unknown members", `{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`, numbers, false, 6.5},
		{"unknown objects", `{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`, objects, false, 6.8},
		{"a map", `{"type":"object","additionalProperties":{"type":"string"}}`, numbers, false, 6.5},
		{"a map of objects", `{"type":"object","additionalProperties":{"type":"string"}}`, objects, false, 6.8},
		{"names", `{"type":"object","propertyNames":{"maxLength":2}}`, numbers, false, 6.5},
		{"patterns", `{"type":"object","patternProperties":{"^1":{"type":"string"}}}`, numbers, false, 6.5},
		{"too many members", `{"type":"object","maxProperties":3}`, numbers, false, 6.5},
		{"unevaluated members", `{"type":"object","unevaluatedProperties":false}`, numbers, false, 6.5},
		{"a list", `{"type":"array","items":{"type":"string"}}`, ones, false, 1},
		{"a list of lists", `{"type":"array","items":{"type":"array","minItems":1}}`, empties, false, 3.5},
		{"too long a list", `{"type":"array","items":{"type":"integer"},"maxItems":3}`, ones, false, 1},
		{"too long a list of lists", `{"type":"array","items":{"type":"array"},"maxItems":3}`, empties, false, 3.5},
		{"too long a tuple", `{"type":"array","prefixItems":[{"type":"integer"}],"items":false,"minItems":1}`, ones, false, 1},
		{"nothing contained", `{"type":"array","contains":{"type":"string"}}`, ones, false, 1},
		{"unevaluated items", `{"type":"array","prefixItems":[{"type":"string"}],"unevaluatedItems":false}`, ones, false, 1},
		{"all the same", `{"type":"array","uniqueItems":true}`, ones, false, 1},
		{"all different", `{"type":"array","uniqueItems":true}`, different(n, "", "", ""), true, 4},
		{"one twice", `{"type":"array","uniqueItems":true}`, different(n, "", "", ",1"), false, 7},
		{"all different objects", `{"type":"array","uniqueItems":true}`, different(n, `{"a":`, "}", ""), true, 3},
		{"one of two", `{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{}},"additionalProperties":false}]}`, numbers, false, 6.5},
		{"lists all the way down", `{"anyOf":[{"type":"array","items":{"$ref":"#"},"maxItems":5},{"type":"array","items":{"$ref":"#"}}]}`, empties, true, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, value := mustCompile(t, c.schema), []byte(c.value)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			issues, err := s.Validate(value)
			runtime.ReadMemStats(&after)
			if err != nil || (len(issues) == 0) != c.valid {
				t.Fatalf("valid should be %v: %d issues, %v", c.valid, len(issues), err)
			}
			if perByte := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(value)); perByte > c.most {
				t.Errorf("%.1f bytes per byte of the value, want %.1f at most", perByte, c.most)
			}
		})
	}
}

// TestUniquePair holds the pair of equal items that is named against Ajv's own loops over the items:
// ajv/lib/vocabularies/validation/uniqueItems looks, from the last item back, for one that has an equal
// behind it when the items are scalars, and in front of it when they are not.
func TestUniquePair(t *testing.T) {
	t.Parallel()
	scalar := mustCompile(t, `{"type":"array","uniqueItems":true,"items":{"type":"integer"}}`)
	open := mustCompile(t, `{"type":"array","uniqueItems":true,"items":{}}`)
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		items := make([]string, 2+random.IntN(40))
		values := 1 + random.IntN(3*len(items))
		for i := range items {
			items[i] = fmt.Sprint(random.IntN(values))
		}
		for _, c := range []struct {
			name          string
			before, after string
			scalars       bool
		}{{"scalars", "", "", true}, {"any", "", "", false}, {"objects", `{"b":[`, `],"a":1}`, false}} {
			want := "none"
		search:
			for i := len(items) - 1; i >= 0; i-- {
				if c.scalars {
					for j := i + 1; j < len(items); j++ {
						if items[i] == items[j] {
							want = fmt.Sprintf(`{"i":%d,"j":%d}`, i, j)
							break search
						}
					}
					continue
				}
				for j := i - 1; j >= 0; j-- {
					if items[i] == items[j] {
						want = fmt.Sprintf(`{"i":%d,"j":%d}`, i, j)
						break search
					}
				}
			}
			s := open
			if c.scalars {
				s = scalar
			}
			value := "[" + c.before + strings.Join(items, c.after+","+c.before) + c.after + "]"
			issues, err := s.Validate([]byte(value))
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			if len(issues) > 0 {
				got = string(issues[0].Params)
			}
			if got != want || len(issues) > 1 {
				t.Fatalf("%s: %s\ngot %s, want %s", c.name, value, got, want)
			}
		}
	}
}
