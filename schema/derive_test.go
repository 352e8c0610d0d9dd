package schema_test

import (
	"bytes"
	"crypto/sha256"
	stdjson "encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/schema"
	billing "github.com/kindgi/kindgi-go/schema/testdata/billing"
	shipping "github.com/kindgi/kindgi-go/schema/testdata/shipping"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i, line := range gotLines {
		if i >= len(wantLines) || line != wantLines[i] {
			t.Errorf("%s:%d differs; run go test -update and look at the difference\ngot %s", file, i+1, line)
			return
		}
	}
	t.Errorf("%s has more lines; run go test -update and look at the difference", file)
}

type (
	scalars struct {
		Bool    bool    `json:"bool"`
		String  string  `json:"string"`
		Int     int     `json:"int"`
		Int8    int8    `json:"int8"`
		Int16   int16   `json:"int16"`
		Int32   int32   `json:"int32"`
		Int64   int64   `json:"int64"`
		Uint    uint    `json:"uint"`
		Uint8   uint8   `json:"uint8"`
		Uint16  uint16  `json:"uint16"`
		Uint32  uint32  `json:"uint32"`
		Uint64  uint64  `json:"uint64"`
		Float32 float32 `json:"float32"`
		Float64 float64 `json:"float64"`
		Named   level   `json:"named"`
	}
	level int8

	presence struct {
		Always    string   `json:"always"`
		OmitEmpty string   `json:"omitEmpty,omitempty"`
		OmitZero  string   `json:"omitZero,omitzero"`
		Pointer   *string  `json:"pointer"`
		Optional  *string  `json:"optional,omitempty"`
		Nullable  *string  `json:"nullable,omitempty" jsonschema:"nullable"`
		Deep      **string `json:"deep"`
		Default   string   `json:"default" jsonschema:"default=x"`
		Any       any      `json:"any"`
		Skipped   string   `json:"-"`
		hidden    *presence
		Untagged  string
	}

	bytesOfAllKinds struct {
		Slice      []byte      `json:"slice"`
		Array0     [0]byte     `json:"array0"`
		Array1     [1]byte     `json:"array1"`
		Array2     [2]byte     `json:"array2"`
		Array3     [3]byte     `json:"array3"`
		Array32    [32]byte    `json:"array32"`
		Named      blob        `json:"named"`
		OfNamed    []octet     `json:"ofNamed"`
		ArrayNamed [4]octet    `json:"arrayNamed"`
		Slices     [][]byte    `json:"slices"`
		Pointer    *[]byte     `json:"pointer"`
		Hardware   hardwareMAC `json:"hardware"`
	}
	blob        []byte
	octet       uint8
	hardwareMAC = net.HardwareAddr

	lists struct {
		Strings  []string    `json:"strings"`
		Array    [3]int8     `json:"array"`
		Pointers []*bool     `json:"pointers"`
		Any      []any       `json:"any"`
		Raw      []rawJSON   `json:"raw"`
		Nested   [][]bool    `json:"nested"`
		Structs  []point     `json:"structs"`
		Named    stringsType `json:"named"`
	}
	rawJSON     = stdjson.RawMessage
	stringsType []string
	point       struct{ X, Y float64 }

	maps struct {
		Any     map[string]any       `json:"any"`
		Strings map[string]string    `json:"strings"`
		Named   map[stringKey]bool   `json:"named"`
		Int8    map[int8]bool        `json:"int8"`
		Uint8   map[uint8]bool       `json:"uint8"`
		Int     map[int]bool         `json:"int"`
		Uint64  map[uint64]bool      `json:"uint64"`
		Hooked  map[hookedKey]bool   `json:"hooked"`
		Nulls   map[string]*int8     `json:"nulls"`
		Structs map[string]point     `json:"structs"`
		Level   map[level]bool       `json:"level"`
		Raw     map[string]rawValue  `json:"raw"`
		Empty   map[string]struct{}  `json:"empty"`
		Lists   map[string][]float32 `json:"lists"`
	}
	stringKey string
	rawValue  = jsontext.Value

	standard struct {
		Time     time.Time      `json:"time"`
		TimePtr  *time.Time     `json:"timePtr"`
		Duration time.Duration  `json:"duration"`
		Wait     time.Duration  `json:"wait" jsonschema_description:"How long to wait."`
		Month    time.Month     `json:"month"`
		BigInt   *big.Int       `json:"bigInt"`
		BigIntV  big.Int        `json:"bigIntV"`
		Rat      *big.Rat       `json:"rat,omitempty"`
		Number   stdjson.Number `json:"number"`
		Addr     netip.Addr     `json:"addr"`
		AddrPort netip.AddrPort `json:"addrPort"`
		Prefix   netip.Prefix   `json:"prefix"`
		IP       net.IP         `json:"ip"`
		Raw      rawJSON        `json:"raw"`
		Value    jsontext.Value `json:"value"`
		Any      any            `json:"any"`
	}

	quoted struct {
		Int64  int64   `json:"int64,string"`
		Uint8  uint8   `json:"uint8,string,omitempty"`
		Int8   *int8   `json:"int8,string"`
		Micros micros_ `json:"micros,string"`
	}
	micros_ int16

	// Embedding.
	base struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	Exported struct {
		Note string `json:"note"`
	}
	embedding struct {
		base
		*Exported
		Name  int     `json:"name"` // hides that of base
		Named base    `json:"named"`
		Inner Address `json:"inner"`
	}
	Address struct {
		Street string `json:"street"`
	}
	left      struct{ A, B string }
	right     struct{ A, C string }
	ambiguous struct {
		left
		right
	}
	tagged struct {
		leftTagged
		right
	}
	leftTagged struct {
		First string `json:"A"`
	}
	SelfEmbedding struct {
		*SelfEmbedding
		A string
	}
	open struct {
		_       struct{} `jsonschema:"additionalProperties=true,description=An open object."`
		Message string   `json:"message"`
	}
	openEmpty struct {
		_ struct{} `json:"-" jsonschema:"additionalProperties=true"`
	}

	// Recursion.
	tree struct {
		Value    int8    `json:"value"`
		Children []*tree `json:"children"`
	}
	forest struct {
		Name  string          `json:"name"`
		First tree            `json:"first"`
		Rest  map[string]tree `json:"rest"`
	}
	ping       struct{ Pong *pong }
	pong       struct{ Ping *ping }
	listOfSelf []listOfSelf
	mapOfSelf  map[string]mapOfSelf
	recursive  struct {
		List listOfSelf   `json:"list"`
		Map  mapOfSelf    `json:"map"`
		Node node[int8]   `json:"node"`
		Text node[string] `json:"text"`
	}
	node[T any] struct {
		Value T        `json:"value"`
		Next  *node[T] `json:"next,omitempty"`
	}
	sameNames struct {
		Bill billing.Entry  `json:"bill"`
		Ship shipping.Entry `json:"ship"`
	}
	twice struct {
		From point `json:"from"`
		To   point `json:"to"`
	}

	page[T any] struct {
		Items []T    `json:"items"`
		Next  string `json:"next,omitempty"`
	}
)

type derivation struct {
	rule string
	typ  reflect.Type
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

var derivations = []derivation{
	{"struct{} is a closed object without members", typeOf[struct{}]()},
	{"a pointer is what it points to", typeOf[*point]()},
	{"any is anything", typeOf[any]()},
	{"map[string]any is any object", typeOf[map[string]any]()},
	{"a list", typeOf[[]string]()},
	{"scalars have the bounds of their types", typeOf[scalars]()},
	{"which members are required, and which may be null", typeOf[presence]()},
	{"bytes are base64, named byte types are numbers", typeOf[bytesOfAllKinds]()},
	{"lists and arrays", typeOf[lists]()},
	{"maps and their keys", typeOf[maps]()},
	{"types of the standard library", typeOf[standard]()},
	{"numbers in strings", typeOf[quoted]()},
	{"embedded structs", typeOf[embedding]()},
	{"two embedded fields of one name hide each other", typeOf[ambiguous]()},
	{"a name from a tag wins over one that is not", typeOf[tagged]()},
	{"a struct that embeds itself", typeOf[SelfEmbedding]()},
	{"a struct may be open", typeOf[open]()},
	{"a struct may be open and empty", typeOf[openEmpty]()},
	{"a type that contains itself", typeOf[tree]()},
	{"a type that contains itself, used in another", typeOf[forest]()},
	{"two types that contain each other", typeOf[ping]()},
	{"a list of itself", typeOf[listOfSelf]()},
	{"cycles of lists, maps and generic types", typeOf[recursive]()},
	{"types of one name from two packages", typeOf[sameNames]()},
	{"a type used twice is written twice", typeOf[twice]()},
	{"a generic type", typeOf[page[point]]()},

	{"tags of strings", typeOf[stringTags]()},
	{"tags of numbers", typeOf[numberTags]()},
	{"tags of lists", typeOf[listTags]()},
	{"tags of objects", typeOf[objectTags]()},
	{"tags of any", typeOf[anyTags]()},
	{"defaults, nested", typeOf[defaults]()},
	{"groups of members", typeOf[groups]()},
	{"commas in tags", typeOf[commas]()},

	{"a type's own JSONSchema method", typeOf[hooks]()},
	{"an embedded type's JSONSchema method", typeOf[embedsHook]()},
	{"JSONSchemaExtend", typeOf[extended]()},
	{"JSONSchemaAlias and JSONSchemaProperty", typeOf[aliased]()},
	{"definitions that a hook brings along", typeOf[hookWithDefinitions]()},
}

func TestDerivation(t *testing.T) {
	t.Parallel()
	var all bytes.Buffer
	for _, d := range derivations {
		s, err := schema.ForType(d.typ)
		if err != nil {
			t.Errorf("%s: %v", d.rule, err)
			continue
		}
		document := jsontext.Value(s.JSON()).Clone()
		if err := document.Indent(); err != nil {
			t.Errorf("%s: %v", d.rule, err)
		}
		fmt.Fprintf(&all, "# %s: %v\n%s\n\n", d.rule, d.typ, document)
	}
	golden(t, "derivations.golden", all.Bytes())
}

// TestAjvCompilesDerivations looks at the answer of Ajv's strict mode to the schemas in the golden file,
// which testdata/ajv/derived.mjs records.
func TestAjvCompilesDerivations(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(filepath.Join("testdata", "derivations.golden"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "derivations.ajv.json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		SHA256   string            `json:"sha256"`
		Compiled int               `json:"compiled"`
		Refused  map[string]string `json:"refused"`
	}
	if err := stdjson.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.SHA256 != fmt.Sprintf("%x", sha256.Sum256(document)) {
		t.Error("the answer is about another golden file: run npm install && node derived.mjs in testdata/ajv")
	}
	if answer.Compiled != len(derivations) || len(answer.Refused) > 0 {
		t.Errorf("Ajv compiles %d of %d and refuses %v", answer.Compiled, len(derivations), answer.Refused)
	}
}

// TestDerivationIsStable derives each type again: the same bytes.
func TestDerivationIsStable(t *testing.T) {
	t.Parallel()
	for _, d := range derivations {
		first, err := schema.ForType(d.typ)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			again, err := schema.ForType(d.typ)
			if err != nil || !bytes.Equal(first.JSON(), again.JSON()) {
				t.Fatalf("%s: not the same: %v", d.rule, err)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	var all bytes.Buffer
	for _, r := range refusals {
		_, err := schema.ForType(r.typ)
		if err == nil {
			t.Errorf("%s: not refused", r.rule)
			continue
		}
		if refused, ok := errors.AsType[*schema.TypeError](err); !ok {
			t.Errorf("%s: %v", r.rule, err)
		} else if refused.Reason == "" || refused.Advice == "" || refused.Type == nil {
			t.Errorf("%s: %#v leaves something out", r.rule, refused)
		}
		// The name of the type says nothing to a reader of the file.
		text := strings.ReplaceAll(err.Error(), strings.ReplaceAll(r.typ.String(), "interface {}", "any"), "T")
		fmt.Fprintf(&all, "# %s\n%s\n\n", r.rule, text)
	}
	golden(t, "refusals.golden", all.Bytes())
}
