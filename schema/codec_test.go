package schema_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/schema"
)

type failing struct{}

var errFailing = errors.New("the disk is full")

func (failing) MarshalJSON() ([]byte, error) { return nil, errFailing }

type brokenJSON struct{ text string }

func (b brokenJSON) MarshalJSON() ([]byte, error) { return []byte(b.text), nil }

type loop struct{ Next *loop }

func TestMarshal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"nil slices and maps", struct {
			A []int
			M map[string]int
			B []byte
		}{}, `{"A":[],"M":{},"B":""}`},
		{"nil", nil, `null`},
		{"a nil pointer", (*loop)(nil), `null`},
		{"omitempty drops what encoding/json drops", struct {
			A int            `json:",omitempty"`
			B bool           `json:",omitempty"`
			C string         `json:",omitempty"`
			D []int          `json:",omitempty"`
			E map[string]int `json:",omitempty"`
			F *int           `json:",omitempty"`
			G any            `json:",omitempty"`
			H float64        `json:",omitempty"`
			I struct{}       `json:",omitempty"`
			J [0]int         `json:",omitempty"`
			K time.Time      `json:",omitempty"`
		}{}, `{"I":{},"K":"0001-01-01T00:00:00Z"}`},
		{"omitzero", struct {
			A time.Time `json:",omitzero"`
			B struct{}  `json:",omitzero"`
			C []int     `json:",omitzero"`
		}{C: []int{}}, `{"C":[]}`},
		{"an int64 beyond 2^53", int64(math.MaxInt64), `9223372036854775807`},
		{"a uint64 in any", map[string]any{"n": uint64(math.MaxUint64)}, `{"n":18446744073709551615}`},
		{"a json.Number", stdjson.Number("9007199254740993"), `9007199254740993`},
		{"a json.Number in any", []any{stdjson.Number("1e400"), stdjson.Number("")}, `[1e400,0]`},
		{"a json.Number behind a pointer", struct{ N *stdjson.Number }{new(stdjson.Number)}, `{"N":0}`},
		{"maps in the order of their keys", map[string]any{"b": 1, "a": map[int]int{10: 1, 9: 2}}, `{"a":{"10":1,"9":2},"b":1}`},
		{"a duration", 90 * time.Second, `90000000000`},
		{"bytes", []byte("hello"), `"aGVsbG8="`},
		{"an array of bytes", [3]byte{1, 2, 3}, `"AQID"`},
		{"named bytes", []octet{1, 2}, `[1,2]`},
		{"raw JSON", struct {
			R stdjson.RawMessage
			V jsontext.Value
		}{stdjson.RawMessage(` {"a": 1} `), jsontext.Value("[1, 2]")}, `{"R":{"a":1},"V":[1,2]}`},
		{"no raw JSON", struct {
			R stdjson.RawMessage
			V jsontext.Value
		}{}, `{"R":null,"V":null}`},
		{"HTML is not escaped", "<a>&\u2028", "\"<a>&\u2028\""},
		{"a number in a string", struct {
			N int64 `json:",string"`
		}{1 << 60}, `{"N":"1152921504606846976"}`},
		{"a big integer", new(big.Int).Lsh(big.NewInt(1), 70), `1180591620717411303424`},
		{"the zero address", netip.Addr{}, `""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := schema.Marshal(c.v)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
			appended, err := schema.Append([]byte("before "), c.v)
			if err != nil || string(appended) != "before "+c.want {
				t.Errorf("got %s, %v, appended", appended, err)
			}
		})
	}
}

func TestMarshalFails(t *testing.T) {
	t.Parallel()
	cycle := &loop{}
	cycle.Next = cycle
	cyclic := map[string]any{}
	cyclic["a"] = []any{cyclic}
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"NaN", struct{ Price float64 }{math.NaN()}, "at /Price: NaN is not a number in JSON"},
		{"infinity in any", []any{math.Inf(-1)}, "at /0: -Inf is not a number in JSON"},
		{"a channel in any", map[string]any{"a": []any{make(chan int)}}, "at /a/0: JSON has no channels"},
		{"a function", func() {}, "JSON has no functions"},
		{"the year 10000", struct{ At time.Time }{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "at /At: year outside of range [0,9999]"},
		{"a method that fails", struct{ F failing }{}, "at /F: the disk is full"},
		{"a method that writes no JSON", []brokenJSON{{"{"}}, "at /0: unexpected EOF"},
		{"a method that writes a name twice", []brokenJSON{{`{"a":1,"a":2}`}}, "at /0/a: duplicate object member name"},
		{"invalid UTF-8", struct{ S string }{"a\xff"}, "at /S: invalid UTF-8"},
		{"invalid UTF-8 in a key", map[string]int{"a\xff": 1}, "invalid UTF-8"},
		{"a json.Number that is none", []any{stdjson.Number("12x")}, `at /0: the json.Number "12x" is not a number`},
		{"an address that is none", []any{stdjson.RawMessage("tru")}, `at /0: unexpected EOF`},
		{"a fallback with the name of a field", fallback{A: 1, Rest: map[string]any{"a": 2}}, "at /a: duplicate object member name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := schema.Marshal(c.v)
			if err == nil || err.Error() != c.want || got != nil {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
			before := []byte("before")
			if appended, err := schema.Append(before, c.v); err == nil || string(appended) != "before" {
				t.Errorf("appended %s, %v", appended, err)
			}
		})
	}
	for _, v := range []any{cycle, cyclic} {
		_, err := schema.Marshal(v)
		if err == nil || !strings.HasSuffix(err.Error(), "the value contains itself") || len(err.Error()) > 250 {
			t.Errorf("a cycle: %v", err)
		}
	}
	if _, err := schema.Marshal(failing{}); !errors.Is(err, errFailing) {
		t.Errorf("the cause is lost: %#v", err)
	}
}

type fallback struct {
	A    int            `json:"a"`
	Rest map[string]any `json:",inline,embed"`
}

func TestUnmarshal(t *testing.T) {
	t.Parallel()
	type numbers struct {
		Int   int             `json:"int"`
		Named level           `json:"named"`
		Uint8 uint8           `json:"uint8"`
		Big   *big.Int        `json:"big"`
		Float float32         `json:"float"`
		Text  int64           `json:"text,string"`
		Any   any             `json:"any"`
		List  []int64         `json:"list"`
		Map   map[int8]uint16 `json:"map"`
		Wait  time.Duration   `json:"wait"`
	}
	for _, c := range []struct {
		name, text string
		want       any // a value of the type to decode into
	}{
		{"names match exactly", `{"message":"hi","MESSAGE":"x"}`, open{Message: "hi"}},
		{"unknown members are ignored", `{"message":"hi","more":{"deep":[1]}}`, open{Message: "hi"}},
		{"members beyond the fields are kept", `{"a":1,"b":9007199254740993}`,
			fallback{1, map[string]any{"b": stdjson.Number("9007199254740993")}}},
		{"an int64 beyond 2^53", `9007199254740993`, int64(9007199254740993)},
		{"integers with a fraction or an exponent",
			`{"int":1.0,"named":1e0,"uint8":2.55e2,"big":1.5e3,"wait":1E9,"list":[1,2.0,30e-1],"map":{"-1":1.0}}`,
			numbers{Int: 1, Named: 1, Uint8: 255, Big: big.NewInt(1500), Wait: time.Second, List: []int64{1, 2, 3}, Map: map[int8]uint16{-1: 1}}},
		{"beside all other kinds", `{"int":-0.0,"float":1.50,"text":"-5","any":{"a":[1.0,true,null,"x"]},"wait":0e9}`,
			numbers{Float: 1.5, Text: -5, Any: map[string]any{"a": []any{stdjson.Number("1.0"), true, nil, "x"}}}},
		{"the least int64, with an exponent", `-922337203685477580800e-2`, int64(math.MinInt64)},
		{"the greatest uint64, with a fraction", `18446744073709551615.0`, uint64(math.MaxUint64)},
		{"numbers in any", `[1,1.0,1e2,9007199254740993,0.1,1e300,-0]`, []any{
			stdjson.Number("1"), stdjson.Number("1.0"), stdjson.Number("1e2"), stdjson.Number("9007199254740993"),
			stdjson.Number("0.1"), stdjson.Number("1e300"), stdjson.Number("-0")}},
		{"null in any", `null`, any(nil)},
		{"a json.Number", `{"N":12.50}`, struct{ N stdjson.Number }{"12.50"}},
		{"an empty list", `[]`, []any{}},
		{"an empty object", `{}`, map[string]any{}},
		{"escapes in names of any", `{"a\u0062":{"\"":1}}`, map[string]any{"ab": map[string]any{`"`: stdjson.Number("1")}}},
		{"bytes", `"aGVsbG8="`, []byte("hello")},
		{"a time", `"2024-02-29T12:00:00.5+02:00"`, time.Date(2024, 2, 29, 12, 0, 0, 5e8, time.FixedZone("", 7200))},
		{"null into a pointer", `{"pointer":null}`, presence{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			typ := reflect.TypeOf(&c.want).Elem()
			if c.want != nil {
				typ = reflect.TypeOf(c.want)
			}
			p := reflect.New(typ)
			if err := schema.Unmarshal([]byte(c.text), p.Interface()); err != nil {
				t.Fatal(err)
			}
			got := p.Elem().Interface()
			if at, ok := got.(time.Time); ok && at.Equal(c.want.(time.Time)) {
				return
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

func TestUnmarshalReplaces(t *testing.T) {
	t.Parallel()
	v := presence{Always: "old", Untagged: "old"}
	if err := schema.Unmarshal([]byte(`{"always":"new"}`), &v); err != nil || v.hidden != nil || v != (presence{Always: "new"}) {
		t.Errorf("got %+v, %v", v, err)
	}
	// Also when an integer sends it through the slow path.
	m := struct {
		A []int
		M map[string]int
	}{[]int{1}, map[string]int{"old": 1}}
	if err := schema.Unmarshal([]byte(`{"A":[2.0,3],"M":{"new":1}}`), &m); err != nil || len(m.A) != 2 || len(m.M) != 1 {
		t.Errorf("got %+v, %v", m, err)
	}
}

// TestUnmarshalKeepsNothing overwrites the text after decoding: what was decoded stays.
func TestUnmarshalKeepsNothing(t *testing.T) {
	t.Parallel()
	type kept struct {
		Raw    stdjson.RawMessage
		Value  jsontext.Value
		Text   string
		Any    any
		Number stdjson.Number
		Bytes  []byte
		Rest   jsontext.Value `json:",inline,embed"`
	}
	const text = `{"Raw":[1,2],"Value":{"a":"b"},"Text":"some text","Any":{"name":["text",12345]},"Number":12345,"Bytes":"aGVsbG8=","more":"kept"}`
	var want, got kept
	if err := schema.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	poisoned := []byte(text)
	if err := schema.Unmarshal(poisoned, &got); err != nil {
		t.Fatal(err)
	}
	for i := range poisoned {
		poisoned[i] = 'x'
	}
	if !reflect.DeepEqual(got, want) || string(got.Rest) != `{"more":"kept"}` {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestUnmarshalFails(t *testing.T) {
	t.Parallel()
	type times struct {
		At    time.Time      `json:"at"`
		IP    netip.Addr     `json:"ip"`
		Bytes []byte         `json:"bytes"`
		Three [3]int         `json:"three"`
		Own   someText       `json:"own"`
		Std   usesStdJSON    `json:"std"`
		Keys  map[int8]bool  `json:"keys"`
		Count stdjson.Number `json:"count"`
		Big   *big.Int       `json:"big"`
	}
	for _, c := range []struct {
		name, text string
		into       any
		want       string
	}{
		{"a string for an integer", `{"int":"1"}`, &scalars{}, "/int: must be integer"},
		{"a fraction for an integer", `{"int":1.5}`, &scalars{}, "/int: must be integer"},
		{"a tiny fraction", `{"int":1e-400}`, &scalars{}, "/int: must be integer"},
		{"an integer beyond int8", `{"int8":128}`, &scalars{}, "/int8: must be between -128 and 127"},
		{"an integer beyond int8, with an exponent", `{"named":1e3}`, &scalars{}, "/named: must be between -128 and 127"},
		{"an integer beyond everything", `{"uint64":1e300}`, &scalars{}, "/uint64: must be between 0 and 18446744073709551615"},
		{"a negative unsigned integer", `{"uint8":-1}`, &scalars{}, "/uint8: must be between 0 and 255"},
		{"a number for a string", `{"string":1}`, &scalars{}, "/string: must be string"},
		{"an object for a boolean", `{"bool":{}}`, &scalars{}, "/bool: must be boolean"},
		{"a list for an object", `[]`, &scalars{}, "must be object"},
		{"a string for a list", `{"strings":"x"}`, &lists{}, "/strings: must be array"},
		{"deep in a list", `{"structs":[{"X":1,"Y":2},{"X":true}]}`, &lists{}, "/structs/1/X: must be number"},
		{"a name to escape", `{"a/b~c":[1,"x"]}`, &map[string][]int{}, "/a~1b~0c/1: must be integer"},
		{"a number beyond float32", `{"float32":1e39}`, &scalars{}, "/float32: is out of range"},
		{"a time that is none", `{"at":"tomorrow"}`, &times{}, "/at: must be an RFC 3339 date-time"},
		{"an address that is none", `{"ip":"1.2.3"}`, &times{}, "/ip: must be an IP address"},
		{"bytes that are not base64", `{"bytes":"a"}`, &times{}, "/bytes: must be base64"},
		{"a list that is too long", `{"three":[1,2,3,4]}`, &times{}, "/three: must have 3 items"},
		{"a list that is too short", `{"three":[1,2]}`, &times{}, "/three: must have 3 items"},
		{"a method's own words", `{"own":"abc"}`, &times{}, "/own: one letter"},
		{"a method that uses encoding/json", `{"std":{"n":"x"}}`, &times{}, "/std/n: must be integer"},
		{"a key that is no integer", `{"keys":{"a":true}}`, &times{}, "/keys/a: must be integer"},
		{"a string for a json.Number", `{"count":"1"}`, &times{}, "/count: must be number"},
		{"a fraction for a big integer", `{"big":1.5}`, &times{}, "/big: must be integer"},
		{"a name twice", `{"a":1,"a":2}`, &map[string]int{}, "/a: duplicate object member name"},
		{"a name twice in any", `{"a":{"b":1,"b":2}}`, new(any), "/a/b: duplicate object member name"},
		{"invalid UTF-8", "\"a\xff\"", new(string), "invalid UTF-8"},
		{"half a value", `{"a":`, new(any), "/a: unexpected EOF"},
		{"more than a value", `1 2`, new(int), "invalid character '2' after top-level value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := schema.Unmarshal([]byte(c.text), c.into)
			if err == nil || err.Error() != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			issues := schema.Issues(err)
			path, _, _ := strings.Cut(c.want, ": ")
			if !strings.HasPrefix(path, "/") {
				path = ""
			}
			if len(issues) != 1 || issues[0].InstancePath != path || issues[0].Keyword != "" || issues[0].Message == "" {
				t.Errorf("got the issues %+v", issues)
			}
		})
	}
	for _, v := range []any{nil, 1, scalars{}, (*scalars)(nil)} {
		if err := schema.Unmarshal([]byte(`{}`), v); err == nil {
			t.Errorf("decodes into %T", v)
		}
	}
}

type usesStdJSON struct{}

func (u *usesStdJSON) UnmarshalJSON(b []byte) error {
	var v struct {
		N int `json:"n"`
	}
	return stdjson.Unmarshal(b, &v)
}

// TestSlowPathIsLinear decodes a long list of integers that need the slow path.
func TestSlowPathIsLinear(t *testing.T) {
	t.Parallel()
	text := []byte("[" + strings.TrimSuffix(strings.Repeat("1.0,", 300_000), ",") + "]")
	var got []int
	if err := schema.Unmarshal(text, &got); err != nil || len(got) != 300_000 {
		t.Fatalf("%d, %v", len(got), err)
	}
	// An exponent may promise more digits than there is memory for.
	var n *big.Int
	if err := schema.Unmarshal([]byte(`1e999999999`), &n); err == nil {
		t.Error("reads a number of a billion digits")
	}
	if err := schema.Unmarshal([]byte(`1e99999999999999999999`), &n); err == nil {
		t.Error("reads a number of many more digits")
	}
}

func TestIssues(t *testing.T) {
	t.Parallel()
	a := &schema.FieldError{Path: "/a", Message: "must be red"}
	b := &schema.FieldError{Path: "/b/0", Message: "must be blue"}
	whole := &schema.FieldError{Message: "must make sense"}
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"nil", nil, nil},
		{"one", a, []string{"/a|must be red"}},
		{"with a bare name", &schema.FieldError{Path: "a", Message: "must be red"}, []string{"/a|must be red"}},
		{"of the whole value", whole, []string{"|must make sense"}},
		{"wrapped", fmt.Errorf("order 7: %w", a), []string{"/a|must be red"}},
		{"joined", errors.Join(a, b), []string{"/a|must be red", "/b/0|must be blue"}},
		{"joined in a wrapped join", fmt.Errorf("order: %w", errors.Join(a, errors.Join(b, io.EOF))),
			[]string{"/a|must be red", "/b/0|must be blue", "|EOF"}},
		{"another", io.EOF, []string{"|EOF"}},
		{"another, wrapped", fmt.Errorf("reading: %w", io.EOF), []string{"|reading: EOF"}},
		{"a wrapped join of others", fmt.Errorf("reading: %w", errors.Join(io.EOF, io.ErrClosedPipe)),
			[]string{"|reading: EOF\nio: read/write on closed pipe"}},
		{"several wrapped by one", fmt.Errorf("%w: %w", io.EOF, a), []string{"/a|must be red"}},
		{"several others wrapped by one", fmt.Errorf("%w: %w", io.EOF, io.EOF), []string{"|EOF: EOF"}},
		{"a nil field error", error((*schema.FieldError)(nil)), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, issue := range schema.Issues(c.err) {
				got = append(got, issue.InstancePath+"|"+issue.Message)
				if issue.Keyword != "" || issue.SchemaPath != "" {
					t.Errorf("%+v has a keyword", issue)
				}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// wrapping is an error that wraps what its function gives.
type wrapping struct{ wraps func() []error }

func (*wrapping) Error() string     { return "wrapping" }
func (w *wrapping) Unwrap() []error { return w.wraps() }

// selfish is an error that wraps itself.
type selfish struct{}

func (selfish) Error() string   { return "selfish" }
func (e selfish) Unwrap() error { return e }

// An error that does not end has issues all the same, and soon.
func TestIssuesOfAnErrorWithoutAnEnd(t *testing.T) {
	t.Parallel()
	a := &schema.FieldError{Path: "/a", Message: "must be red"}
	tree := &wrapping{}
	tree.wraps = func() []error { return []error{a, tree, tree} }
	alone := &wrapping{}
	alone.wraps = func() []error { return []error{alone} }
	bare := &wrapping{}
	bare.wraps = func() []error { return []error{bare, bare} }
	for _, c := range []struct {
		name string
		err  error
		want []string // what the issues begin with
	}{
		{"itself", selfish{}, []string{"|selfish"}},
		{"wrapped", fmt.Errorf("outer: %w", selfish{}), []string{"|outer: selfish"}},
		{"after a field error", errors.Join(a, selfish{}), []string{"/a|must be red", "|selfish"}},
		{"before a field error", fmt.Errorf("%w, %w", a, selfish{}), []string{"/a|must be red"}},
		{"a tree", tree, []string{"/a|must be red", "/a|must be red"}},
		{"itself, as a list", alone, []string{"|wrapping"}},
		{"itself twice", bare, []string{"|wrapping"}},
		{"nothing, as a list", &wrapping{func() []error { return nil }}, []string{"|wrapping"}},
		{"nil, as a list", &wrapping{func() []error { return []error{nil} }}, []string{"|wrapping"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			issues := schema.Issues(c.err)
			if len(issues) < len(c.want) || len(issues) > 101 {
				t.Fatalf("%d issues: %+v", len(issues), issues)
			}
			for i, want := range c.want {
				if got := issues[i].InstancePath + "|" + issues[i].Message; got != want {
					t.Errorf("issue %d is %q, want %q", i, got, want)
				}
			}
		})
	}
}

// A hundred issues are listed of an author's error, however it joins them, and the rest counted.
func TestManyIssuesOfAnError(t *testing.T) {
	t.Parallel()
	var nested error
	flat := make([]error, 5000)
	for i := range flat {
		flat[i] = &schema.FieldError{Path: fmt.Sprintf("/%d", i), Message: "must be red"}
		nested = errors.Join(nested, flat[i])
	}
	for name, err := range map[string]error{"joined at once": errors.Join(flat...), "joined one by one": nested, "wrapped": fmt.Errorf("order: %w", nested)} {
		issues := schema.Issues(err)
		if len(issues) != 101 || issues[99].InstancePath != "/99" || issues[100].Message != "has more than 1000 more issues than are listed here" {
			t.Errorf("%s: %d issues, the last %+v", name, len(issues), issues[len(issues)-1])
		}
	}
	issues := schema.Issues(errors.Join(flat[:130]...))
	if len(issues) != 101 || issues[100].Message != "has 30 more issues than are listed here" {
		t.Errorf("%d issues, the last %+v", len(issues), issues[len(issues)-1])
	}
}
