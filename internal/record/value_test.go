//lint:file-ignore SA5008 the tags are odd on purpose

package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/kindgi/kindgi-go/internal/record"
)

type (
	address struct {
		City     string `json:"city"`
		Password string `json:"password,omitempty"`
	}
	base struct {
		ID       string
		ApiKey   string
		unseen   string
		Shadowed string
	}
	order struct {
		base
		*address
		Number   string            `json:"number"`
		Empty    string            `json:"empty,omitempty"`
		None     *int              `json:"none,omitempty"`
		Zero     time.Time         `json:"zero,omitzero"`
		Skipped  string            `json:"-"`
		Dash     string            `json:"-,"`
		Renamed  string            `json:"t"`
		Token    string            `json:"other"`
		Any      any               `json:"any"`
		Labels   map[string]string `json:"labels"`
		Shadowed int
	}
	node struct {
		Name string
		Next *node
		List []any
		Map  map[string]any
	}

	textual    struct{ s string }
	stringerT  struct{ Exported, s string }
	openString struct{ User, Password string }
	number     int
	valuer     struct{ v any }
	ptrValuer  struct{ Shown, Hidden string }
	selfValuer struct{ N int }
	loop       struct{}
	renewed    int
	jsonT      struct{ text string }
	ptrJSON    struct{ Hidden string }
)

func (t textual) MarshalText() ([]byte, error)  { return []byte("text:" + t.s), nil }
func (s stringerT) String() string              { return "string:" + s.s }
func (o openString) String() string             { return o.User + " " + o.Password }
func (n number) String() string                 { return fmt.Sprintf("number-%d", int(n)) }
func (v valuer) LogValue() slog.Value           { return slog.AnyValue(v.v) }
func (v *ptrValuer) LogValue() slog.Value       { return slog.GroupValue(slog.String("shown", v.Shown)) }
func (v *selfValuer) LogValue() slog.Value      { return slog.AnyValue(*v) }
func (r renewed) LogValue() slog.Value          { n := new(r + 1); return slog.AnyValue(&n) }
func (l loop) LogValue() slog.Value             { return slog.AnyValue(l) }
func (j jsonT) MarshalJSON() ([]byte, error)    { return []byte(j.text), nil }
func (j *ptrJSON) MarshalJSON() ([]byte, error) { return []byte(`{"by":"pointer"}`), nil }

// bad goes wrong in every method.
type (
	badValue  struct{}
	badJSON   struct{}
	badText   struct{}
	badString struct{}
	badError  struct{}
	errJSON   struct{}
	nilError  struct{ s string }
)

func (badValue) LogValue() slog.Value        { panic("boom") }
func (badJSON) MarshalJSON() ([]byte, error) { panic("boom") }
func (badText) MarshalText() ([]byte, error) { return nil, errors.New("boom") }
func (badString) String() string             { panic(fmt.Errorf("boom")) }
func (badError) Error() string               { panic("boom") }
func (badError) Unwrap() error               { panic("boom") }
func (badError) Name() string                { panic("boom") }
func (badError) Code() string                { panic("boom") }
func (badError) Stack() string               { panic("boom") }
func (errJSON) MarshalJSON() ([]byte, error) {
	return nil, errors.New("boom kgi_bt_0123456789abcdefWXYZ")
}
func (e *nilError) Error() string { return e.s }

// selfish wraps itself.
type selfish struct{}

func (s *selfish) Error() string { return "selfish" }
func (s *selfish) Unwrap() error { return s }

// endless wraps another one of its kind, without end.
type endless int

func (e endless) Error() string { return "endless" }
func (e endless) Unwrap() error { return e + 1 }

func TestValues(t *testing.T) {
	t.Parallel()
	ring := &node{Name: "a"}
	ring.Next = &node{Name: "b", Next: ring}
	selfMap := map[string]any{"n": 1}
	selfMap["self"] = selfMap
	selfList := []any{1, nil}
	selfList[1] = selfList
	var selfPointer any
	selfPointer = &selfPointer
	shared := &address{City: "x"}
	link, err := url.Parse("https://user:pass@host/path")
	if err != nil {
		t.Fatal(err)
	}
	nest := func(levels int) any {
		var v any = "leaf"
		for range levels {
			v = map[string]any{"a": v}
		}
		return v
	}
	nested := func(levels int, leaf string) string {
		return strings.Repeat(`{"a":`, levels) + leaf + strings.Repeat("}", levels)
	}

	tests := []struct {
		name string
		in   any
		want string
	}{
		{"nil", nil, `null`},
		{"bool", true, `true`},
		{"int", -3, `-3`},
		{"int64 beyond 2^53", int64(math.MaxInt64), `9223372036854775807`},
		{"uint64", uint64(math.MaxUint64), `18446744073709551615`},
		{"uint8", uint8(7), `7`},
		{"float", 1.5, `1.5`},
		{"whole float", 3.0, `3`},
		{"small float", 1e-7, `1e-07`},
		{"large float", 1e21, `1e+21`},
		{"float32", []float32{0.1}, `[0.1]`},
		{"not a number", math.NaN(), `"NaN"`},
		{"infinity", math.Inf(-1), `"-Inf"`},
		{"complex", complex(1, 2), `"(1+2i)"`},
		{"string", "a", `"a"`},
		{"duration", 1500 * time.Millisecond, `"1.5s"`},
		{"time", time.Date(2026, 1, 2, 3, 4, 5, 600000000, time.UTC), `"2026-01-02T03:04:05.6Z"`},
		{"function", func() {}, `"[func()]"`},
		{"channel", make(chan int), `"[chan int]"`},
		{"nil function", (func())(nil), `null`},
		{"nil pointer", (*order)(nil), `null`},
		{"nil map", map[string]int(nil), `{}`},
		{"nil list", []int(nil), `[]`},
		{"nil bytes", []byte(nil), `null`},
		{"bytes of text", []byte("a\"b kgi_bt_1"), `"a\"b kgi_bt_…"`},
		{"other bytes", []byte{0xff, 0xfe}, `"[2 bytes]"`},
		{"array of bytes", [3]byte{'a', 'b', 'c'}, `"abc"`},
		{"array", [2]bool{true, false}, `[true,false]`},
		{"list", []any{1, "a", nil, []string{}}, `[1,"a",null,[]]`},
		{"map", map[string]any{"b": 1, "a": 2, "token": 3}, `{"a":2,"b":1,"token":"[redacted]"}`},
		{"map of numbers", map[int]string{10: "x", 9: "y"}, `{"10":"x","9":"y"}`},
		{"map of text keys", map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, `{"::1":1}`},
		{"map of stringers", map[number]int{1: 1}, `{"number-1":1}`},
		{"map of alike keys", map[any]int{1: 1, "1": 1, int8(1): 1}, `{"1":1,"1 (2)":1,"1 (3)":1}`},
		{"map of secret keys", map[string]int{"kgi_bt_a": 1, "kgi_bt_b": 1}, `{"kgi_bt_…":1,"kgi_bt_… (2)":1}`},
		{"struct", order{base: base{ID: "i", ApiKey: "k", unseen: "u"}, Number: "n", Dash: "d", Renamed: "r", Token: "t"},
			`{"ID":"i","ApiKey":"[redacted]","number":"n","-":"d","t":"r","other":"[redacted]","any":null,"labels":{},"Shadowed":0}`},
		{"pointer to a struct", &order{address: &address{"c", "p"}, Any: []any{address{"x", "y"}}, Labels: map[string]string{"cookie": "c"}},
			`{"ID":"","ApiKey":"[redacted]","city":"c","password":"[redacted]","number":"","-":"","t":"","other":"[redacted]",` +
				`"any":[{"city":"x","password":"[redacted]"}],"labels":{"cookie":"[redacted]"},"Shadowed":0}`},
		{"one object twice", []any{shared, shared}, `[{"city":"x"},{"city":"x"}]`},

		{"error", errors.New("e"), `{"name":"Error","message":"e"}`},
		{"nil error", error((*nilError)(nil)), `null`},
		{"error in a list", []error{errors.New("e")}, `[{"name":"Error","message":"e"}]`},
		{"error in a struct", struct{ Err error }{errors.New("Bearer x")}, `{"Err":{"name":"Error","message":"Bearer [redacted]"}}`},
		{"no error in a struct", struct{ Err error }{}, `{"Err":null}`},
		{"runtime error", runtimeError(), `{"name":"RuntimeError","message":"runtime error: index out of range [0] with length 0"}`},
		{"error that wraps itself", &selfish{}, `{"name":"selfish","message":"selfish","cause":"[circular]"}`},
		{"error without end", endless(0), strings.Repeat(`{"name":"endless","message":"endless","cause":`, 8) + `"[too deep]"` + strings.Repeat("}", 8)},

		{"text", textual{"a"}, `"text:a"`},
		{"stringer", stringerT{s: "a"}, `"string:a"`},
		{"stringer with a secret field", openString{"u", "p"}, `{"User":"u","Password":"[redacted]"}`},
		{"number with a name", number(3), `"number-3"`},
		{"url", link, `"https://user:***@host/path"`},
		{"url by value", *link, `"https://user:***@host/path"`},
		{"userinfo", link.User, `"user:***"`},
		{"big number", new(big.Int).Lsh(big.NewInt(1), 70), `1180591620717411303424`},
		{"raw JSON", jsontext.Value(` { "a" : [ 1.50 , "\u0041" , null, {"api_key":[1]} ] } `), `{"a":[1.50,"A",null,{"api_key":"[redacted]"}]}`},
		{"raw JSON of encoding/json", json.RawMessage(`{"secret":1}`), `{"secret":"[redacted]"}`},
		{"number of encoding/json", json.Number("1e400"), `1e400`},
		{"no number of encoding/json", []json.Number{"x", ""}, `["x",""]`},
		{"empty raw JSON", jsontext.Value(nil), `null`},
		{"raw JSON with a name twice", jsontext.Value(`{"a":1,"a":2,"token":1,"token":2}`), `{"a":1,"a (2)":2,"token":"[redacted]","token (2)":"[redacted]"}`},
		{"not JSON", jsontext.Value(`{"password":"p"`), `"[15 bytes that are not JSON]"`},
		{"not only JSON", jsontext.Value(`1 2`), `"[3 bytes that are not JSON]"`},
		{"marshaler", jsonT{`{"password":"p","kgi_bt_1":"kgi_bt_2"}`}, `{"password":"[redacted]","kgi_bt_…":"kgi_bt_…"}`},
		{"marshaler by pointer", ptrJSON{"x"}, `{"by":"pointer"}`},
		{"marshaler by pointer in a list", []ptrJSON{{"x"}}, `[{"by":"pointer"}]`},
		{"marshaler by pointer in a map", map[string]ptrJSON{"a": {"x"}}, `{"a":{"by":"pointer"}}`},

		{"valuer", valuer{1}, `1`},
		{"valuer of a valuer", valuer{valuer{"a"}}, `"a"`},
		{"valuer in a list", []any{valuer{map[string]int{"token": 1}}}, `[{"token":"[redacted]"}]`},
		{"valuer by pointer", ptrValuer{"s", "h"}, `{"shown":"s"}`},
		{"valuer by pointer, addressed", &ptrValuer{"s", "h"}, `{"shown":"s"}`},
		{"valuer by pointer in a map", map[string]ptrValuer{"a": {"s", "h"}}, `{"a":{"shown":"s"}}`},
		{"valuer that gives what it points to", &selfValuer{1}, `{"N":1}`},
		{"the same in a list", []*selfValuer{{1}}, `[{"N":1}]`},
		{"valuer that gives itself", loop{}, `"[circular]"`},
		{"valuer without end", renewed(0), `"[too deep]"`},
		{"slog value", []slog.Value{slog.IntValue(1), slog.GroupValue(slog.Int("a", 1))}, `[1,{"a":1}]`},
		{"slog attribute", []slog.Attr{slog.Int("a", 1), slog.Int("token", 1)}, `{"a":1,"token":"[redacted]"}`},
		{"slog attribute in a list", []any{slog.Int("token", 1)}, `[{"token":"[redacted]"}]`},
		{"ids", record.IDs{RunID: "r", Secrets: []string{"hidden"}}, `{"runId":"r"}`},
		{"ids in a struct", struct{ IDs *record.IDs }{&record.IDs{RunID: "r", Secrets: []string{"hidden"}}}, `{"IDs":{"runId":"r"}}`},

		{"ring", ring, `{"Name":"a","Next":{"Name":"b","Next":"[circular]","List":[],"Map":{}},"List":[],"Map":{}}`},
		{"map in itself", selfMap, `{"n":1,"self":"[circular]"}`},
		{"list in itself", selfList, `[1,"[circular]"]`},
		{"pointer to itself", selfPointer, `"[circular]"`},
		{"eight levels", nest(8), nested(8, `"leaf"`)},
		{"nine levels", nest(9), nested(8, `"[too deep]"`)},
		{"a hundred levels", nest(100), nested(8, `"[too deep]"`)},
		{"raw JSON of nine levels", jsontext.Value(nested(9, `"leaf"`)), nested(8, `"[too deep]"`)},
		{"raw JSON of many levels", jsontext.Value(strings.Repeat("[", 5000) + strings.Repeat("]", 5000)), `[[[[[[[["[too deep]"]]]]]]]]`},

		{"LogValue panics", badValue{}, `"[LogValue of record_test.badValue panicked: boom]"`},
		{"MarshalJSON panics", badJSON{}, `"[MarshalJSON of record_test.badJSON panicked: boom]"`},
		{"MarshalText fails", badText{}, `"[MarshalText of record_test.badText failed: boom]"`},
		{"String panics", []any{badString{}}, `["[String of record_test.badString panicked: boom]"]`},
		{"Error panics", badError{}, `{"name":"badError","message":"[Error of record_test.badError panicked: boom]"}`},
		{"MarshalJSON fails", errJSON{}, `"[MarshalJSON of record_test.errJSON failed: boom kgi_bt_…WXYZ]"`},
		{"an embedded error that is nil", struct{ error }{}, `{"name":"Error","message":"[Error of struct { error } panicked: runtime error: invalid memory address or nil pointer dereference]"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s stream
			h := record.New(&s, record.Config{})
			slog.New(h).Info("m", "value", tt.in)
			slog.New(h).With("value", tt.in).Info("m")
			for i, line := range written(t, h, &s) {
				_, got, _ := strings.Cut(line, `"message":"m","value":`)
				if got = strings.TrimSuffix(got, "}"); got != tt.want {
					t.Errorf("line %d:\n got %s\nwant %s", i+1, got, tt.want)
				}
				if !jsontext.Value(line).IsValid() {
					t.Errorf("not valid JSON: %s", line)
				}
			}
		})
	}
}

func runtimeError() (err error) {
	defer func() { err, _ = recover().(error) }()
	var none []int
	_ = none[len(none)]
	return nil
}

// A value that refers to the same things over and over would be endless when written out.
func TestValueThatGrowsWithoutEnd(t *testing.T) {
	t.Parallel()
	var v any = "leaf"
	for range 8 {
		level := make([]any, 100)
		for i := range level {
			level[i] = v
		}
		v = level
	}
	var s stream
	h := record.New(&s, record.Config{})
	for _, args := range [][]any{
		{"value", v, "more", 1},
		{"value", map[string]any{"a": v, "b": 1}},
		{"value", struct{ A, B any }{v, 1}},
		{slog.Group("value", "a", v, "b", 1)},
	} {
		slog.New(h).Info("m", args...)
		// There is no room for all of them at once, should the writer not get its turn.
		if err := h.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range written(t, h, &s) {
		if len(line) > 2<<20 {
			t.Errorf("a record of %d bytes", len(line))
		}
		if !jsontext.Value(line).IsValid() {
			t.Errorf("not valid JSON: %.100s … %s", line, line[max(0, len(line)-100):])
		}
		if !strings.Contains(line, "[too large]") {
			t.Error("the record does not say that something is missing")
		}
	}
}

// endlessList is a long list of lists.
func endlessList() any {
	var v any
	for range 10000 {
		v = []any{v}
	}
	return v
}

// An author's groups have levels too.
func TestGroupsTooDeep(t *testing.T) {
	t.Parallel()
	var s stream
	h := record.New(&s, record.Config{})
	log := slog.New(h)
	group := slog.Int("leaf", 1)
	for range 12 {
		log = log.WithGroup("g")
		group = slog.Group("a", group)
	}
	log.Info("m", "leaf", 1)
	// Beyond the eighth level nothing is written out, however long it would go on.
	log.With("err", endless(0), "ring", endlessList()).Info("m", "err", endless(0), "ring", endlessList())
	slog.New(h).Info("m", group)
	slog.New(h).With(group).Info("m")
	chain := func(name string) string {
		return strings.Repeat(`{"`+name+`":`, 8) + `{"` + name + `":"[too deep]"}` + strings.Repeat("}", 8)
	}
	want := []string{chain("g"), chain("g"), chain("a"), chain("a")}
	for i, line := range written(t, h, &s) {
		_, got, _ := strings.Cut(line, `"message":"m",`)
		if "{"+got != want[i] {
			t.Errorf("line %d:\n got {%s\nwant %s", i+1, got, want[i])
		}
	}
}
