package schema

import (
	"encoding/binary"
	"math/bits"
)

// program is a compiled document.
type program struct {
	root  *node
	nodes []*node
	// indexed says that values may be visited so often that containers must be skipped in one step
	// and verdicts remembered, or time would not stay linear in the text.
	indexed bool
}

// node is one compiled subschema: what its own keywords demand of a value, kind by kind, and the
// subschemas it applies to the same value. It is immutable once compiled.
type node struct {
	id     int
	source *value // the subschema, for its issues
	path   *trail // where it stands in its document, a JSON Pointer

	types   kind // the kinds admitted
	integer bool // numbers must be integers
	never   bool // the schema false
	always  bool // admits everything

	number         *numberRules
	text           *textRules
	array          *arrayRules
	object         *objectRules
	constant, enum *equalRules

	ref        *reference
	dynamic    *reference
	allOf      []*node
	anyOf      []*node
	oneOf      []*node
	not        *node
	cond, then *node
	otherwise  *node
	applies    bool // whether any of the above is there

	fills [2]bool // whether filling defaults may change a value here, by mode

	bare bool // no rules of its own for any kind
}

// reference is a $ref or a $dynamicRef.
type reference struct {
	target *node
	text   string // as written
	// inlined says that Ajv compiles the target into the place of the reference, so that its issues'
	// schemaPath begins with the reference's text instead of "#".
	inlined bool
}

type numberRules struct {
	maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf *limit

	format *format
}

type textRules struct {
	maxLength, minLength int // -1: no bound
	pattern              *pattern
	format               *format
	formatLimits         []formatLimit
}

type arrayRules struct {
	maxItems, minItems int // -1: no bound
	prefix             []*node
	items              *node // nil: anything
	contains           *node
	minContains        int
	maxContains        int // -1: no bound
	unique             bool
	unevaluated        *node
	openItems          bool // items or unevaluatedItems is there, whatever it says: all items are evaluated
}

type objectRules struct {
	maxProperties, minProperties int // -1: no bound
	names                        nameTable
	properties                   []property // what the document says about single names, see nameTable
	required                     []int      // indices of properties
	patterns                     []patternRule
	additional                   *node // nil: anything
	propertyNames                *node
	dependentRequired            []dependentRequired
	dependentSchemas             []dependentSchema
	unevaluated                  *node
	requiredMask                 uint64 // when there are at most 64 properties
	defaults                     []*defaultValue
	openAdditional               bool // additionalProperties is there: all members are evaluated
}

// property is what an object schema says about one name.
type property struct {
	name     string
	quoted   string // the name as most texts have it: between quotes, a colon after it
	node     *node  // nil when properties lacks the name
	listed   bool   // in properties
	required bool
}

type patternRule struct {
	pattern *pattern
	node    *node
	source  string
}

type dependentRequired struct {
	property int // index of the name whose presence demands the others
	needs    []int
	keyword  string // dependentRequired, or the older dependencies
}

type dependentSchema struct {
	property int
	node     *node
	keyword  string // dependentSchemas, or the older dependencies
}

// nameTable finds a property by name.
type nameTable struct {
	slots []uint32 // index plus one
	shift uint
	whole bool // the hash is one of whole names
}

func (t *nameTable) hash(name []byte) uint32 {
	if t.whole {
		return hashWholeName(name)
	}
	return hashName(name)
}

// fewProbes is how many slots a name may be from its own before the hash is one of whole names.
const fewProbes = 8

// find gives the index of the property with the name, or -1.
func (o *objectRules) find(name []byte) int {
	if len(o.properties) <= 6 {
		for i := range o.properties {
			if o.properties[i].name == string(name) {
				return i
			}
		}
		return -1
	}
	mask := uint32(len(o.names.slots) - 1)
	for at := o.names.hash(name) >> o.names.shift; ; at++ {
		i := o.names.slots[at&mask]
		if i == 0 {
			return -1
		}
		if o.properties[i-1].name == string(name) {
			return int(i - 1)
		}
	}
}

// index builds the name table.
func (o *objectRules) index() {
	size, log := 8, uint(3)
	for size < 2*len(o.properties) {
		size, log = 2*size, log+1
	}
	o.names = nameTable{slots: make([]uint32, size), shift: 32 - log}
	if !o.fillNames(fewProbes) {
		o.names.whole = true
		clear(o.names.slots)
		o.fillNames(size)
	}
}

// fillNames puts every property into the name table; false when one would be that many slots from its own.
func (o *objectRules) fillNames(most int) bool {
	mask := uint32(len(o.names.slots) - 1)
	for i := range o.properties {
		at := o.names.hash([]byte(o.properties[i].name)) >> o.names.shift
		for probes := 0; o.names.slots[at&mask] != 0; at++ {
			if probes++; probes > most {
				return false
			}
		}
		o.names.slots[at&mask] = uint32(i + 1)
	}
	return true
}

// hashWholeName hashes every byte of a name, for tables of names that are alike. Only the schema's author
// chooses what collides.
func hashWholeName(name []byte) uint32 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(len(name)) * prime
	for ; len(name) >= 8; name = name[8:] {
		h = bits.RotateLeft64((h^binary.LittleEndian.Uint64(name))*prime, 29)
	}
	for _, c := range name {
		h = bits.RotateLeft64((h^uint64(c))*prime, 29)
	}
	return uint32((h * prime) >> 32)
}

// hashName hashes a name by its length and ends.
func hashName(name []byte) uint32 {
	n := len(name)
	if n == 0 {
		return 0
	}
	h := uint32(n)*0x9e3779b1 ^ uint32(name[0])<<24 ^ uint32(name[n-1])<<16 ^ uint32(name[n/2])<<8 ^ uint32(name[n/4])
	if n > 4 {
		h ^= uint32(name[n-2])<<3 ^ uint32(name[2])<<11
	}
	return h * 0x85ebca6b
}
