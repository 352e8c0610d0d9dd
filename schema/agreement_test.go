package schema_test

import (
	"bytes"
	"encoding/base64"
	stdjson "encoding/json"
	"fmt"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/kindgi/kindgi-go/schema"
)

// The promise of a derived schema, tested on generated types and values, both ways: what a handler
// can return is encoded as JSON that the schema admits; what the schema admits is decoded without
// error and without loss.

// valuesOfType is how many values of each type are tried, each way.
const valuesOfType = 100

func TestAgreement(t *testing.T) {
	t.Parallel()
	var tally tally
	rapid.Check(t, tally.property) // a hundred types, unless -rapid.checks says otherwise
	t.Logf("%d types, %d values written, %d texts admitted (%d checked and decoded in one pass), %d refused",
		tally.types, tally.written, tally.admitted, tally.onePass, tally.refused)
	if tally.onePass < tally.admitted/4 {
		t.Error("that compares too few passes that both check and decode")
	}
	if pairs := tally.written + tally.admitted; pairs < valuesOfType*tally.types {
		t.Errorf("only %d pairs of types and values", pairs)
	}
}

func FuzzAgreement(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(new(tally).property))
}

// TestAgreementOfKnownTypes does the same for types that are not made at random.
func TestAgreementOfKnownTypes(t *testing.T) {
	t.Parallel()
	for _, d := range derivations {
		switch d.typ { // their methods are not what their hooks say, to keep the golden file short
		case typeOf[hooks](), typeOf[aliased](), typeOf[maps]():
			continue
		}
		t.Run(d.rule, func(t *testing.T) {
			t.Parallel()
			s, err := schema.ForType(d.typ)
			if err != nil {
				t.Fatal(err)
			}
			constrained := strings.Contains(d.rule, "tags") || strings.Contains(d.rule, "groups") ||
				strings.Contains(d.rule, "hook") || strings.Contains(d.rule, "Extend") ||
				strings.Contains(d.rule, "method") || strings.Contains(d.rule, "commas")
			rapid.Check(t, func(r *rapid.T) {
				tally := new(tally)
				if !constrained {
					tally.writes(r, s, d.typ)
				}
				tally.reads(r, s, d.typ)
			})
		})
	}
}

type tally struct{ types, written, admitted, refused, onePass int }

// property holds for any type. The types of one in four have tags with limits, which the values that
// are drawn do not keep, so for those only the texts that keep them are tried.
func (c *tally) property(t *rapid.T) {
	limits := rapid.IntRange(0, 3).Draw(t, "limits") == 0
	typ := drawType(t, 3, limits)
	s, err := schema.ForType(typ)
	if err != nil {
		t.Fatalf("%v: %v", typ, err)
	}
	c.types++
	for range valuesOfType {
		if limits {
			c.reads(t, s, typ)
		} else {
			c.writes(t, s, typ)
		}
		c.reads(t, s, typ)
	}
}

// writes draws a value, which must be encoded as JSON that the schema admits, and decoded as the same.
func (c *tally) writes(t *rapid.T, s *schema.Schema, typ reflect.Type) {
	v := reflect.New(typ).Elem()
	drawValue(t, v, 4)
	text, err := schema.Marshal(v.Interface())
	if err != nil && strings.Contains(err.Error(), "duplicate object member name") {
		return // a map of further members that has the name of a field
	}
	if err != nil {
		t.Fatalf("%v: %#v is not written: %v", typ, v, err)
	}
	if typ.Kind() == reflect.Pointer && string(text) == "null" {
		return // null for a whole value is refused, as documented
	}
	issues, err := s.Validate(text)
	if err != nil && bytes.Contains(text, []byte("1e-400")) {
		return // a number that no float64 is near to, in an any
	}
	if err != nil || len(issues) > 0 {
		t.Fatalf("%v: the schema refuses %s: %v, %+v\n%s", typ, text, err, issues, s.JSON())
	}
	c.written++
	c.same(t, typ, text)
}

// reads draws a text, near what the type is written as. If the schema admits it, it must be decoded.
func (c *tally) reads(t *rapid.T, s *schema.Schema, typ reflect.Type) {
	text := drawText(t, typ, "", 4)
	issues, err := s.Validate([]byte(text))
	if err != nil {
		c.refused++
		return
	}
	if decodesChecked(t, s, typ, []byte(text)) {
		c.onePass++
	}
	if len(issues) > 0 {
		c.refused++
		return
	}
	c.admitted++
	filled, err := s.FillDefaults([]byte(text))
	if err != nil {
		t.Fatalf("%v: no defaults for %s: %v", typ, text, err)
	}
	c.same(t, typ, filled)
}

// same decodes a text that the schema admits and encodes it again: nothing may be lost.
func (c *tally) same(t *rapid.T, typ reflect.Type, text []byte) {
	v := reflect.New(typ)
	if err := schema.Unmarshal(text, v.Interface()); err != nil {
		t.Fatalf("%v: the schema admits %s, but it is not read: %v", typ, text, err)
	}
	known := reflect.New(typ)
	if err := schema.Decode(text, known.Interface()); err != nil || !reflect.DeepEqual(known.Interface(), v.Interface()) {
		t.Fatalf("%v: %s is read as %#v, but as %#v, %v, when it is known to be valid", typ, text, v, known, err)
	}
	again, err := schema.Marshal(v.Interface())
	if err != nil {
		t.Fatalf("%v: %s is read, but not written again: %v", typ, text, err)
	}
	if why := lost(typ, text, again); why != "" {
		t.Fatalf("%v: %s becomes %s: %s", typ, text, again, why)
	}
}

// lost says what of one text is missing in another, or "". A member that omitempty or omitzero may drop
// is not missed if it is empty; a number of a float type may be rounded to it.
func lost(typ reflect.Type, before, after []byte) string {
	decode := func(text []byte) (v any) {
		d := stdjson.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			panic(err)
		}
		return v
	}
	return lostIn(typ, "", decode(before), decode(after))
}

func lostIn(typ reflect.Type, path string, before, after any) string {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if isEmpty(before) && isEmpty(after) {
		return ""
	}
	switch b := before.(type) {
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok {
			break
		}
		for name, value := range b {
			if _, ok := a[name]; !ok && (isEmpty(value) || isOpen(typ) || name == "unknown") {
				continue // an open struct ignores what it has no field for
			}
			if why := lostIn(memberType(typ, name), path+"/"+name, value, a[name]); why != "" {
				return why
			}
		}
		return ""
	case []any:
		a, ok := after.([]any)
		if !ok || len(a) != len(b) {
			break
		}
		for i := range b {
			if why := lostIn(itemType(typ), path+"/"+strconv.Itoa(i), b[i], a[i]); why != "" {
				return why
			}
		}
		return ""
	case stdjson.Number:
		a, ok := after.(stdjson.Number)
		if ok && sameNumber(typ, string(b), string(a)) {
			return ""
		}
	case string:
		a, ok := after.(string)
		if ok && (a == b || sameTime(a, b) || sameIP(a, b) || sameRat(a, b)) {
			return ""
		}
	default:
		if before == after {
			return ""
		}
	}
	return fmt.Sprintf("at %q: %v is %v", path, before, after)
}

func isOpen(typ reflect.Type) bool {
	return typ == typeOf[open]() || typ == typeOf[openEmpty]()
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == "" || v == "0001-01-01T00:00:00Z" || strings.Trim(v, "A=") == "" || v == "0"
	case stdjson.Number:
		f, _ := v.Float64()
		return float32(f) == 0
	case []any:
		for _, item := range v {
			if !isEmpty(item) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, item := range v {
			if !isEmpty(item) {
				return false
			}
		}
		return true
	}
	return false
}

func sameNumber(typ reflect.Type, a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	if ok && ok2 && x.Cmp(y) == 0 {
		return true
	}
	f, _ := strconv.ParseFloat(a, 64)
	g, _ := strconv.ParseFloat(b, 64)
	switch typ.Kind() {
	case reflect.Float32:
		return float32(f) == float32(g)
	case reflect.Float64:
		return f == g
	}
	return false
}

func itemType(typ reflect.Type) reflect.Type {
	switch typ.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return typ.Elem()
	}
	return reflect.TypeFor[any]()
}

// memberType gives the type of a member of an object, any where no field has its name.
func memberType(typ reflect.Type, name string) reflect.Type {
	if typ.Kind() != reflect.Struct {
		return itemType(typ)
	}
	found := reflect.TypeFor[any]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name || tag == "" && f.Name == name {
			return f.Type
		}
		if f.Anonymous && tag == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner == typ {
				continue
			}
			if m := memberType(inner, name); m != reflect.TypeFor[any]() {
				found = m // good enough: all that matters is whether it is a float
			}
		}
	}
	return found
}

func sameTime(a, b string) bool {
	x, err := time.Parse(time.RFC3339Nano, a)
	y, err2 := time.Parse(time.RFC3339Nano, b)
	return err == nil && err2 == nil && x.Equal(y)
}

func sameIP(a, b string) bool {
	x, err := netip.ParseAddr(a)
	y, err2 := netip.ParseAddr(b)
	if err == nil && err2 == nil && x.Unmap() == y.Unmap() {
		return true
	}
	p, err := netip.ParsePrefix(a)
	q, err2 := netip.ParsePrefix(b)
	if err == nil && err2 == nil && p == q {
		return true
	}
	m, err := netip.ParseAddrPort(a)
	n, err2 := netip.ParseAddrPort(b)
	return err == nil && err2 == nil && m == n
}

func sameRat(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.Cmp(y) == 0
}

// leafTypes are the types that generated ones are made of.
var leafTypes = []reflect.Type{
	typeOf[bool](), typeOf[string](),
	typeOf[int](), typeOf[int8](), typeOf[int16](), typeOf[int32](), typeOf[int64](),
	typeOf[uint](), typeOf[uint8](), typeOf[uint16](), typeOf[uint32](), typeOf[uint64](),
	typeOf[float32](), typeOf[float64](), typeOf[level](),
	typeOf[[]byte](), typeOf[[]octet](), typeOf[[5]byte](), typeOf[[6]byte](), typeOf[[7]byte](),
	typeOf[time.Time](), typeOf[time.Duration](), typeOf[big.Int](), typeOf[big.Rat](),
	typeOf[any](), typeOf[stdjson.RawMessage](), typeOf[jsontext.Value](), typeOf[stdjson.Number](),
	typeOf[netip.Addr](), typeOf[netip.AddrPort](), typeOf[netip.Prefix](), typeOf[net.IP](),
	typeOf[struct{}](), typeOf[tree](), typeOf[embedding](), typeOf[open](), typeOf[fallback](), typeOf[anyText](),
	typeOf[node[time.Time]](), typeOf[ambiguous](), typeOf[rawFallback](), typeOf[intFallback](),
}

type rawFallback struct {
	A    string         `json:"a"`
	Rest jsontext.Value `json:",inline,embed"`
}

type intFallback struct {
	A    *int           `json:"a,omitempty"`
	Rest map[string]int `json:",inline,embed"`
}

var keyTypes = []reflect.Type{
	typeOf[string](), typeOf[stringKey](), typeOf[int8](), typeOf[uint8](), typeOf[int](), typeOf[uint64](), typeOf[level](), typeOf[time.Month](), typeOf[time.Duration](),
}

func drawType(t *rapid.T, depth int, limits bool) reflect.Type {
	if depth == 0 {
		return rapid.SampledFrom(leafTypes).Draw(t, "leaf")
	}
	switch rapid.IntRange(0, 9).Draw(t, "kind of type") {
	case 0:
		return reflect.SliceOf(drawType(t, depth-1, limits))
	case 1:
		elem := drawType(t, depth-1, limits)
		return reflect.ArrayOf(rapid.IntRange(0, 3).Draw(t, "length"), elem)
	case 2:
		return reflect.MapOf(rapid.SampledFrom(keyTypes).Draw(t, "key"), drawType(t, depth-1, limits))
	case 3:
		return reflect.PointerTo(drawType(t, depth-1, limits))
	case 4, 5, 6:
		return drawStruct(t, depth-1, limits)
	}
	return rapid.SampledFrom(leafTypes).Draw(t, "leaf")
}

func drawStruct(t *rapid.T, depth int, limits bool) reflect.Type {
	names := []string{"", "a", "b", "A", "na me", "ключ", "$ref", "a/b~c", "%", "x-y", "id"}
	var fields []reflect.StructField
	used := map[string]bool{}
	for i := range rapid.IntRange(0, 5).Draw(t, "fields") {
		if depth > 0 && rapid.IntRange(0, 7).Draw(t, "embedded") == 0 {
			// The fields of both are named alike, so that some hide others.
			f := reflect.StructField{Name: "E" + strconv.Itoa(i), Type: drawStruct(t, depth-1, limits), Anonymous: true}
			if rapid.Bool().Draw(t, "by pointer") {
				f.Type = reflect.PointerTo(f.Type)
			}
			fields = append(fields, f)
			continue
		}
		f := reflect.StructField{Name: "F" + strconv.Itoa(i), Type: drawType(t, depth, limits)}
		name := rapid.SampledFrom(names).Draw(t, "name")
		if used[name] {
			name = ""
		}
		used[name] = name != ""
		tag := name
		if option := rapid.SampledFrom([]string{"", "", "", ",omitempty", ",omitzero"}).Draw(t, "option"); option != "" {
			tag += option
		}
		base := f.Type
		for base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		if k := base.Kind(); reflect.Int <= k && k <= reflect.Uint64 && rapid.IntRange(0, 3).Draw(t, "quoted") == 0 {
			tag += ",string"
		}
		f.Tag = reflect.StructTag(`json:"` + tag + `"`)
		if list := limitsOf(base); limits && list != nil && !strings.Contains(tag, ",string") {
			f.Tag += reflect.StructTag(` jsonschema:"` + rapid.SampledFrom(list).Draw(t, "limit") + `"`)
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// limitsOf gives tags for fields of a type.
func limitsOf(typ reflect.Type) []string {
	switch typ.Kind() {
	case reflect.String:
		if typ == reflect.TypeFor[string]() {
			return []string{"minLength=1", "maxLength=1", "pattern=^a", "default=a", "enum=a,enum=null,enum=", "format=regex", "description=Any text."}
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint64:
		return []string{"minimum=1", "maximum=100", "exclusiveMinimum=0", "multipleOf=2", "default=5", "enum=1,enum=2,enum=127", "minimum=1,maximum=3,default=2"}
	case reflect.Float32, reflect.Float64:
		return []string{"minimum=0.5", "exclusiveMaximum=1", "multipleOf=0.5", "default=1e2"}
	case reflect.Bool:
		return []string{"default=true", "default=false", "const=true"}
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Bool {
			return []string{"minItems=1", "maxItems=1", "uniqueItems=true", "default=[]", "default=true,default=false"}
		}
	case reflect.Map:
		return []string{"minProperties=1", "maxProperties=1", "default={}"}
	}
	return nil
}

// drawValue fills v with a value that a handler could return, other than those JSON cannot hold.
func drawValue(t *rapid.T, v reflect.Value, depth int) {
	if rapid.IntRange(0, 9).Draw(t, "zero") == 0 {
		return
	}
	if v.Type() == typeOf[stdjson.RawMessage]() { // for json v2 of the standard library a jsontext.Value
		v.SetBytes([]byte(drawJSON(t, 2)))
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(rapid.Int64Range(-62167219200, 253402300799).Draw(t, "s"), rapid.Int64Range(0, 999999999).Draw(t, "ns")).
			In(time.FixedZone("", rapid.IntRange(-23*60, 23*60).Draw(t, "zone")*60))
		if y := p.Year(); y < 0 || y > 9999 {
			*p = p.UTC()
		}
		return
	case *big.Int:
		p.SetString(rapid.StringMatching(`-?[1-9][0-9]{0,60}`).Draw(t, "big"), 10)
		return
	case *big.Rat:
		p.SetFrac64(rapid.Int64().Draw(t, "num"), max(1, rapid.Int64().Draw(t, "den")))
		return
	case *stdjson.Number:
		*p = stdjson.Number(drawNumber(t))
		return
	case *jsontext.Value:
		*p = jsontext.Value(drawJSON(t, 2))
		return
	case *netip.Addr:
		*p = drawAddr(t)
		return
	case *netip.AddrPort:
		*p = netip.AddrPortFrom(drawAddr(t), rapid.Uint16().Draw(t, "port"))
		return
	case *netip.Prefix:
		a := drawAddr(t).WithZone("").Unmap()
		*p = netip.PrefixFrom(a, rapid.IntRange(0, a.BitLen()).Draw(t, "bits"))
		return
	case *net.IP:
		*p = drawAddr(t).AsSlice()
		return
	case *anyText:
		p.s = drawString(t)
		return
	case *any:
		*p = drawAny(t, 2)
		return
	case *rawFallback:
		p.A = drawString(t)
		p.Rest = jsontext.Value(`{"b":` + drawJSON(t, 1) + `}`)
		return
	case *fallback:
		p.A, p.Rest = rapid.Int().Draw(t, "a"), map[string]any{"x" + drawString(t): drawAny(t, 1)}
		return
	}
	if depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(drawString(t))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		shift := 64 - v.Type().Bits()
		v.SetInt(rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64})).Draw(t, "int") >> shift)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		shift := 64 - v.Type().Bits()
		v.SetUint(rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, math.MaxUint64})).Draw(t, "uint") >> shift)
	case reflect.Float32:
		v.SetFloat(float64(rapid.OneOf(rapid.Float32(), rapid.SampledFrom([]float32{math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32})).Draw(t, "float")))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64})).Draw(t, "float"))
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes"))
			return
		}
		n := rapid.IntRange(0, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			drawValue(t, v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			drawValue(t, v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			drawValue(t, key, 1)
			drawValue(t, value, depth-1)
			v.SetMapIndex(key, value)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		drawValue(t, v.Elem(), depth-1)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				drawValue(t, f, depth-1)
			}
		}
	}
}

func drawAddr(t *rapid.T) netip.Addr {
	if rapid.Bool().Draw(t, "v4") {
		return netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "addr")))
	}
	b := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 0, 1, 0x0f, 0xf0, 0xff}), 16, 16).Draw(t, "addr")
	a := netip.AddrFrom16([16]byte(b))
	if rapid.IntRange(0, 5).Draw(t, "zone") == 0 && !a.Is4In6() {
		a = a.WithZone("eth0")
	}
	return a
}

func drawString(t *rapid.T) string {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\u2028", "\"\\/\b", "😀", "null", "a/b~c"})).Draw(t, "string")
}

func drawNumber(t *rapid.T) string {
	return rapid.OneOf(
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,8})?([eE][-+]?[0-9]{1,2})?`),
		rapid.SampledFrom([]string{"0", "-0", "1.0", "1e2", "1E+2", "12e-1", "127", "128", "-128", "-129", "255", "255.0", "2.56e2", "65535", "65536",
			"2147483647", "2147483648", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
			"18446744073709551615", "18446744073709551616", "1.8446744073709551615e19", "1e19", "1e-400", "3.4028235e38", "3.4028236e38", "-3.4028235e+38",
			"1.7976931348623157e308", "0.1", "1e300", "100000000000000000000e-2", "0e99999", "0.0e-99999"}),
	).Draw(t, "number")
}

// drawAny draws a value for an any, of JSON's kinds and of Go's.
func drawAny(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 9).Draw(t, "kind of any") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return drawString(t)
	case 3:
		return rapid.Float64().Draw(t, "float")
	case 4:
		return rapid.Uint64().Draw(t, "uint")
	case 5:
		return stdjson.Number(drawNumber(t))
	case 6:
		if depth > 0 {
			return []any{drawAny(t, depth-1), drawAny(t, depth-1)}
		}
	case 7:
		if depth > 0 {
			return map[string]any{drawString(t): drawAny(t, depth-1)}
		}
	case 8:
		return point{1, 2}
	}
	return []byte{1, 2, 3}
}

func drawJSON(t *rapid.T, depth int) string {
	switch rapid.IntRange(0, 6).Draw(t, "kind of JSON") {
	case 0:
		return "null"
	case 1:
		return "true"
	case 2:
		return drawNumber(t)
	case 3:
		if depth > 0 {
			return "[" + drawJSON(t, depth-1) + ", " + drawJSON(t, depth-1) + "]"
		}
	case 4:
		if depth > 0 {
			return `{"a": ` + drawJSON(t, depth-1) + `, "b":[]}`
		}
	}
	b, _ := jsontext.AppendQuote(nil, drawString(t))
	return string(b)
}

// drawText draws a text near what values of a type are written as: often one, sometimes with a small
// mistake, often at an edge.
func drawText(t *rapid.T, typ reflect.Type, tag string, depth int) string {
	if rapid.IntRange(0, 60).Draw(t, "wrong") == 0 {
		return drawJSON(t, 1)
	}
	if typ == typeOf[stdjson.RawMessage]() {
		return drawJSON(t, 2)
	}
	quote := func(s string) string {
		b, _ := jsontext.AppendQuote(nil, s)
		return string(b)
	}
	switch reflect.New(typ).Interface().(type) {
	case *time.Time:
		return quote(rapid.OneOf(
			rapid.StringMatching(`(0000|1999|2024|9999)-(01|02|12)-(28|29|31)[Tt ](00|12|23|24):(00|59|60):(00|59|60)(\.[0-9]{1,12})?([Zz]|[+-](00|14|23|24):?(00|59)?)`),
			rapid.StringMatching(`(0000|1999|2024|9999)-(01|02|12)-(28|29)T(00|12|23):(00|59):(00|59)(\.[0-9]{1,9})?(Z|[+-](00|14|23):(00|59))`),
		).Draw(t, "time"))
	case *big.Rat:
		return quote(rapid.StringMatching(`-?(0|[1-9][0-9]{0,5})(/[0-9]{1,3})?`).Draw(t, "fraction"))
	case *netip.Addr, *net.IP, *netip.AddrPort, *netip.Prefix:
		a := drawAddr(t)
		return quote(rapid.SampledFrom([]string{"", a.String(), a.StringExpanded(), strings.ToUpper(a.String()), "[" + a.String() + "]:80",
			a.String() + ":80", a.String() + ":080", a.String() + "/0", a.String() + "/32", a.String() + "/128", a.String() + "/129"}).Draw(t, "address"))
	case *any, *jsontext.Value:
		return drawJSON(t, 2)
	case *stdjson.Number, *big.Int:
		return drawNumber(t)
	case *anyText:
		return quote(drawString(t))
	}
	quoted := strings.Contains(tag, ",string")
	switch k := typ.Kind(); k {
	case reflect.Bool:
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
	case reflect.String:
		return quote(drawString(t))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		number := rapid.OneOf(rapid.StringMatching(`-?[1-9]?[0-9](\.0{1,3})?(e[0-3])?`), rapid.Custom(drawNumber)).Draw(t, "integer")
		if quoted {
			return `"` + number + `"`
		}
		return number
	case reflect.Float32, reflect.Float64:
		return drawNumber(t)
	case reflect.Pointer:
		if rapid.IntRange(0, 3).Draw(t, "null") == 0 {
			return "null"
		}
		return drawText(t, typ.Elem(), tag, depth)
	case reflect.Slice, reflect.Array:
		if typ.Elem() == reflect.TypeFor[byte]() {
			n := rapid.IntRange(0, 8).Draw(t, "bytes")
			if k == reflect.Array {
				n = typ.Len()
			}
			text := base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "bytes"))
			switch rapid.IntRange(0, 6).Draw(t, "mistake") {
			case 0:
				text = strings.TrimRight(text, "=")
			case 1:
				text = strings.Replace(text, "=", "B", 1)
			case 2:
				text = strings.NewReplacer("A=", "B=", "Q=", "R=").Replace(text)
			case 3:
				text += "\n"
			}
			return quote(text)
		}
		n := rapid.IntRange(0, 3).Draw(t, "length")
		if k == reflect.Array && rapid.IntRange(0, 9).Draw(t, "wrong length") > 0 {
			n = typ.Len()
		}
		if depth == 0 && k == reflect.Slice {
			n = 0
		}
		items := make([]string, n)
		for i := range items {
			items[i] = drawText(t, typ.Elem(), "", max(0, depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	case reflect.Map:
		return drawObject(t, func(add func(name, text string)) {
			if depth == 0 {
				return
			}
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				name := drawString(t)
				if typ.Key().Kind() != reflect.String {
					name = rapid.OneOf(rapid.StringMatching(`-?[0-9]{1,3}`), rapid.Custom(drawNumber)).Draw(t, "key")
				}
				add(name, drawText(t, typ.Elem(), "", depth-1))
			}
		})
	case reflect.Struct:
		return drawObject(t, func(add func(name, text string)) { drawMembers(t, typ, depth, add) })
	}
	return drawJSON(t, 1)
}

func drawObject(t *rapid.T, members func(add func(name, text string))) string {
	used := map[string]bool{}
	var b strings.Builder
	b.WriteByte('{')
	members(func(name, text string) {
		if used[name] {
			return
		}
		if len(used) > 0 {
			b.WriteByte(',')
		}
		used[name] = true
		quoted, _ := jsontext.AppendQuote(nil, name)
		b.Write(quoted)
		b.WriteByte(':')
		b.WriteString(text)
	})
	b.WriteByte('}')
	return b.String()
}

func drawMembers(t *rapid.T, typ reflect.Type, depth int, add func(name, text string)) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case strings.Contains(tag, "embed"):
			add("more", drawText(t, reflect.TypeFor[any](), "", 0))
			add("count", "12")
			continue
		case f.Anonymous && name == "":
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && inner != typ {
				drawMembers(t, inner, depth, add)
			}
			continue
		case name == "":
			name = f.Name
		}
		optional := strings.Contains(tag, ",omit") || strings.Contains(f.Tag.Get("jsonschema"), "default")
		odds := 40
		if optional || depth == 0 {
			odds = 2
		}
		if rapid.IntRange(0, odds).Draw(t, "absent") == 0 {
			continue
		}
		add(name, drawText(t, f.Type, tag, max(0, depth-1)))
	}
	if rapid.IntRange(0, 30).Draw(t, "more") == 0 {
		add("unknown", "1")
	}
}
