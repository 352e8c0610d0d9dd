//lint:file-ignore SA5008 the tags are odd on purpose
//lint:file-ignore U1000 so are the fields

package schema_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kindgi/kindgi-go/internal/scan"
	"github.com/kindgi/kindgi-go/schema"
)

// TestDirectAgreesWithLibrary compares the direct codec with json v2 on generated types: what the first
// accepts, the second accepts too, and both come to the same.
func TestDirectAgreesWithLibrary(t *testing.T) {
	t.Parallel()
	var c directTally
	rapid.Check(t, c.property)
	t.Logf("%d types of which %d are direct; %d values encoded, %d texts decoded, %d given up",
		c.types, c.direct, c.encoded, c.decoded, c.gaveUp)
	if 3*c.direct < c.types || c.encoded < 10*c.direct || c.decoded < 10*c.direct {
		t.Error("that compares too little")
	}
}

func FuzzDirectAgreesWithLibrary(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(new(directTally).property))
}

type directTally struct{ types, direct, encoded, decoded, gaveUp int }

func (c *directTally) property(t *rapid.T) {
	typ := drawType(t, 3, false)
	c.types++
	if !schema.IsDirect(typ) {
		return
	}
	c.direct++
	for range 30 {
		v := reflect.New(typ)
		drawValue(t, v.Elem(), 3)
		c.encodes(t, v.Interface())
		c.encodes(t, v.Elem().Interface())
		c.decodes(t, typ, []byte(drawText(t, typ, "", 3)))
	}
}

func (c *directTally) encodes(t rapid.TB, v any) {
	got, ok := schema.EncodeDirectly(v)
	want, err := schema.EncodeByLibrary(v)
	switch {
	case !ok && err == nil:
		c.gaveUp++
	case ok && err != nil:
		t.Fatalf("%T: encoded %s, json v2: %v", v, got, err)
	case ok && !bytes.Equal(got, want):
		t.Fatalf("%T: encoded\n%s\njson v2:\n%s", v, got, want)
	default:
		c.encoded++
	}
}

func (c *directTally) decodes(t rapid.TB, typ reflect.Type, text []byte) {
	if scan.Valid(text) != nil {
		return
	}
	got, want := reflect.New(typ), reflect.New(typ)
	before := bytes.Clone(text)
	ok := schema.DecodeDirectly(text, got.Interface())
	if !bytes.Equal(before, text) {
		t.Fatalf("%v: changed the text", typ)
	}
	err := schema.DecodeByLibrary(text, want.Interface())
	switch {
	case !ok && err == nil:
		c.gaveUp++
	case ok && err != nil:
		t.Fatalf("%v: decoded %s, json v2: %v", typ, text, err)
	case ok && !reflect.DeepEqual(got.Interface(), want.Interface()):
		t.Fatalf("%v: decoded %s as\n%#v\njson v2:\n%#v", typ, text, got.Elem(), want.Elem())
	default:
		c.decoded++
	}
}

type directTree struct {
	Name     string                `json:"name"`
	Children []directTree          `json:"children,omitempty"`
	Next     *directTree           `json:"next,omitempty"`
	ByName   map[string]directTree `json:"by-name,omitzero"`
	At       time.Time             `json:"at,omitzero"`
	Any      any                   `json:"any,omitempty"`
	skipped  int
}

type directNumbers struct {
	I8  int8
	U16 uint16
	I   int
	U   uint64
	F   float64 `json:"f,omitempty"`
	F32 float32 `json:",omitempty"`
	B   bool    `json:"b,omitempty"`
	P   **int
	S   []string
	M   map[string][]int
	Ten int `json:"ten"`
}

func TestDirectAtTheEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v     any
		texts []string
	}{
		{directTree{}, []string{
			`{}`, `null`, ` { } `, `[]`, `"x"`, `{"name":null}`, `{"name":"\u00e9\ud83d\ude00\n"}`, `{"n\u0061me":"escaped"}`,
			`{"NAME":"other"}`, `{"children":[]}`, `{"children":null}`, `{"children":[{},{"name":"b","children":[{}]}]}`,
			`{"next":{"next":{"next":null}}}`, `{"by-name":{}}`, `{"by-name":{"b":{"name":"x"},"a":{}}}`, `{"by-name":null}`,
			`{"at":"2026-01-02T03:04:05.678Z","any":{"n":9007199254740993,"a":[1.5,null,true]}}`, `{"at":"yesterday"}`,
			`{"unknown":[{"name":"x"},"]}",{"a":{}}],"name":"after"}`, `{ "name" : "x" , "children" : [ { } , { } ] }`,
			`{"skipped":1,"Skipped":2}`, `{"children":[1]}`, `{"children":{}}`, `{"next":[]}`, `{"by-name":[]}`,
			strings.Repeat(`{"next":`, 3000) + `{}` + strings.Repeat(`}`, 3000),
			`{"children":` + strings.Repeat(`[{"children":`, 2000) + `[]` + strings.Repeat(`}]`, 2000) + `}`,
		}},
		{directNumbers{}, []string{
			`{"I8":127,"U16":65535,"I":-9223372036854775808,"U":18446744073709551615}`, `{"I8":128}`, `{"I8":-129}`, `{"U16":65536}`,
			`{"U":-1}`, `{"U":-0}`, `{"I":-0}`, `{"I":1.0}`, `{"I":1e2}`, `{"I":"1"}`, `{"I":true}`, `{"I":[]}`, `{"I":999999999999999999}`,
			`{"f":-0}`, `{"f":1e-7}`, `{"f":"1"}`, `{"F32":1e39}`, `{"F32":16777217}`, `{"f":0.1,"F32":0.1}`, `{"b":1}`, `{"b":true}`, `{"b":false}`,
			`{"P":5}`, `{"P":null}`, `{"P":"x"}`, `{"S":["a","","\"",null]}`, `{"S":[1]}`, `{"M":{"a":[1,2],"":[],"b":null}}`, `{"ten":10}`,
			`{"S":["` + strings.Repeat("long ", 200) + `","short","` + strings.Repeat("x", 127) + `","` + strings.Repeat("y", 129) + `"]}`,
		}},
		{[]int(nil), []string{`[]`, `[1,2,3]`, `null`, ` [ 1 , 2 ] `, `{}`, `[[1]]`}},
		{map[string]bool(nil), []string{`{"a":true}`, `{}`, `null`, `[]`}},
		{"", []string{`"x"`, `null`, `1`}},
	} {
		typ := reflect.TypeOf(c.v)
		if !schema.IsDirect(typ) {
			t.Fatalf("%v is not direct", typ)
		}
		tally := new(directTally)
		for _, text := range c.texts {
			tally.decodes(t, typ, []byte(text))
		}
		if tally.decoded == 0 {
			t.Errorf("%v: nothing was decoded", typ)
		}
	}
	one := 1
	p := &one
	tally := new(directTally)
	values := []any{
		directTree{}, &directTree{}, (*directTree)(nil), directTree{Name: "é\x00\x7f<>&\u2028\"\\/", Children: []directTree{}},
		directTree{Children: []directTree{{Name: "x"}, {}}, ByName: map[string]directTree{"b": {}, "\U0001f600": {}, "\uffff": {}, "a": {}}},
		directTree{At: time.Unix(0, 1), Any: map[string]any{"z": 1, "a": []int{}}}, directTree{Any: math.NaN()},
		directTree{Name: "\xff"}, directTree{ByName: map[string]directTree{"\xff": {}}}, directTree{ByName: map[string]directTree{}},
		directNumbers{}, directNumbers{F: math.Copysign(0, -1)}, directNumbers{F: 1e-7, F32: 1e-7}, directNumbers{F: 1e21, F32: 1e21},
		directNumbers{F: 123456789.125, F32: 0.1}, directNumbers{F: math.Inf(1)}, directNumbers{F: math.MaxFloat64, F32: math.MaxFloat32},
		directNumbers{F: math.SmallestNonzeroFloat64, F32: math.SmallestNonzeroFloat32}, directNumbers{P: &p}, directNumbers{P: new(*int)},
		directNumbers{I8: -128, U: math.MaxUint64, I: math.MinInt64, S: []string{"", "a"}, M: map[string][]int{"x": nil}},
	}
	for _, v := range values {
		tally.encodes(t, v)
	}
	if tally.encoded < len(values)-3 {
		t.Errorf("%d of %d values were encoded", tally.encoded, len(values))
	}
	loop := &directTree{}
	loop.Next = loop
	if b, ok := schema.EncodeDirectly(loop); ok {
		t.Errorf("encoded a loop: %.100s", b)
	}
	if _, err := schema.Marshal(loop); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("a loop: %v", err)
	}
}

// deepRaw nests almost as deep as json v2 lets a text nest.
type deepRaw struct{}

func (deepRaw) MarshalJSON() ([]byte, error) {
	return []byte(strings.Repeat("[", 9999) + strings.Repeat("]", 9999)), nil
}

func TestDirectWholeIsNoDeeperThanLibraryLets(t *testing.T) {
	t.Parallel()
	for _, v := range []any{[]deepRaw{{}}, [][]deepRaw{{{}}}, [][][]deepRaw{{{{}}}}} {
		new(directTally).encodes(t, v)
	}
}

// TestDirectLeavesWhatItDoesNotKnow: a tag or a type that the direct codec does not know must not be taken for
// one that it does.
func TestDirectLeavesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	type embedded struct{ A int }
	for _, v := range []any{
		struct{ embedded }{embedded{1}},
		struct {
			A int `json:"a,string"`
		}{1},
		struct {
			A int `json:"a,case:ignore"`
		}{1},
		struct {
			A int `json:"a,omitempty,omitempty"`
		}{1},
		struct {
			A int `json:"'a'"`
		}{1},
		struct {
			A int `json:"-,"`
		}{1},
		reflect.New(reflect.StructOf([]reflect.StructField{ // both of one name
			{Name: "A", Type: typeOf[int](), Tag: `json:"a"`}, {Name: "B", Type: typeOf[int](), Tag: `json:"a"`},
		})).Elem().Interface(),
		struct {
			A map[string]int `json:",embed"`
		}{map[string]int{"x": 1}},
		struct {
			T time.Time `json:",omitzero"`
		}{},
		struct{ a int }{1},
		struct {
			B []byte
			D time.Duration
			E [2]int
			F map[int]string
			G func()
		}{B: []byte("x"), D: time.Second, F: map[int]string{1: "x"}},
	} {
		tally := new(directTally)
		tally.encodes(t, v)
		for _, text := range []string{`{"a":"1"}`, `{"A":1,"a":2}`, `{"x":1}`, `{"B":"eA==","D":5,"E":[1,2],"F":{"1":"x"}}`, `{}`, `{"T":null}`} {
			tally.decodes(t, reflect.TypeOf(v), []byte(text))
		}
	}
}

func TestUnmarshalChecksItsInput(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{`, `{"name":"x"`, `{"name":"x"} {}`, `{"name":"x","name":"y"}`, "{\"name\":\"\xff\"}", `{"name":"\ud800"}`, `{name:1}`, `nul`} {
		var v directTree
		if err := schema.Unmarshal([]byte(text), &v); err == nil {
			t.Errorf("%s: decoded as %+v", text, v)
		}
	}
}

func TestDecodedStringsAreTheCallers(t *testing.T) {
	t.Parallel()
	text := []byte(`{"name":"plain","children":[{"name":"esc\u0061ped"},{"name":"` + strings.Repeat("long", 100) + `"}]}`)
	var first directTree
	if err := schema.Decode(text, &first); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] = 'X'
	}
	for range 100 { // others decode with the same buffers
		var other directTree
		if err := schema.Decode([]byte(`{"name":"ooooooooo","children":[{"name":"oo\u0061ooooo"}]}`), &other); err != nil {
			t.Fatal(err)
		}
	}
	want := directTree{Name: "plain", Children: []directTree{{Name: "escaped"}, {Name: strings.Repeat("long", 100)}}}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("got %+v", first)
	}
}

func BenchmarkDecode(b *testing.B) {
	text := []byte(`{"name":"root","children":[` + strings.Repeat(`{"name":"a child","children":[]},`, 20) + `{}]}`)
	for name, decode := range map[string]func(any) error{
		"direct":  func(v any) error { return schema.Decode(text, v) },
		"library": func(v any) error { return schema.DecodeByLibrary(text, v) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v directTree
				if err := decode(&v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type directNest []directNest

// TestDirectCountsFlatItemsOnly: counting the items of nested arrays would look at the innermost ones once for
// each array around them.
func TestDirectCountsFlatItemsOnly(t *testing.T) {
	t.Parallel()
	type row struct{ Cells []int }
	type mapped struct{ M map[string]int }
	for _, c := range []struct {
		typ  reflect.Type
		want bool
	}{
		{typeOf[[]int](), true}, {typeOf[[]*string](), true}, {typeOf[[]struct{ A, B *int }](), true},
		{typeOf[[][]int](), false}, {typeOf[[]row](), false}, {typeOf[[]mapped](), false}, {typeOf[[]*row](), false},
		{typeOf[directNest](), false}, {typeOf[[]directTree](), false}, {typeOf[[]any](), false},
	} {
		if got := schema.ItemsAreCounted(c.typ); got != c.want {
			t.Errorf("%v: %t", c.typ, got)
		}
	}
	text := []byte(strings.Repeat("[", 9000) + strings.Repeat("]", 9000))
	var v directNest
	if err := schema.Decode(text, &v); err != nil {
		t.Error(err)
	}
}
