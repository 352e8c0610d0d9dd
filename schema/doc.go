// Package schema derives JSON Schemas from Go types and validates JSON by them.
//
// # What is for whom
//
// The author of a pack writes types, tags and hooks, and needs of this package only [FieldError], for an
// input's own validation. To look at a schema, or to use one in a test: [For], [Compile], [Schema.JSON],
// [Schema.Validate], [Schema.FillDefaults], [Marshal] and [Unmarshal]. These take any bytes.
//
// Whoever builds a service on it finds the same steps without the check that bytes are JSON, which a
// service makes once: [Schema.Check], [Schema.Fill], [Schema.Decode], the function [Decode]. They may
// panic on what is not valid JSON. [Schema.Append] and [Append] write into a buffer, [Inert] tells whether
// a type's codec runs the author's code, [Issues] turns an error of the codec into issues.
//
// # From a Go type to a schema
//
// [For] derives the schema of a type: Draft 2020-12, as the reference validator's strict mode takes it.
// [Marshal] and [Unmarshal] are the codec that it describes. The two agree: whatever the schema admits
// is decoded without error or loss, and whatever a handler returns is encoded as JSON that the schema
// admits, but for values that break a limit of a tag and those that no schema can speak of, such as
// NaN. A type for which that cannot be promised is refused, with a [*TypeError] for each of its
// problems.
//
//	Go                               JSON Schema
//	bool, string                     boolean, string
//	int8 to int64, uint8 to uint64   integer, from the type's least value to its greatest; 1.0 and
//	                                 1e3 are integers too
//	float64, float32                 number; of a float32, within its range
//	*T                               [T, "null"]; with omitempty or omitzero, plain T: the encoder
//	                                 leaves a nil pointer out
//	[]T, [N]T                        array; of N items
//	[]byte, [N]byte                  string in base64, padded and canonical (RFC 4648, section 4);
//	                                 of N bytes
//	a list of a named byte type      array of integers
//	map[string]T                     object with any names
//	map[int8]T and other integers    object whose names are integers of the type, without leading
//	                                 zeros
//	struct                           object of its fields, and no other members
//	struct{}                         object without members
//	any, json.RawMessage,
//	jsontext.Value                   {}: anything
//	json.Number                      number
//	time.Time                        string, date-time (RFC 3339) that a time.Time holds exactly: no
//	                                 leap second, nine digits of a second at most
//	time.Duration                    integer: nanoseconds, which the description says
//	*big.Int                         integer, within a float64's range
//	*big.Rat                         string: 3/4
//	netip.Addr, AddrPort, Prefix,
//	net.IP                           string; the zero value is ""
//	a type with text methods         string, if the methods take any text: a number of probes must
//	                                 come back as they were; else it needs a hook
//	a type with JSON methods         what its hook says; without one it is refused
//	a type that contains itself      a reference into $defs; every other type is written out where it
//	                                 is used
//
// Interfaces other than any, channels, functions, complex numbers, url.URL (use a string with
// format=uri), big.Float and embedded pointers to unexported structs are refused.
//
// A pointer given to For is what it points to: null is never an answer.
//
// The fields of a struct are those that [encoding/json] knows, by the rules of its version 2: names
// match exactly, embedded structs give their fields to the outer one, the shallowest of two with one
// name wins. A field is required unless it has omitempty or omitzero, which mean what they mean in
// encoding/json (omitempty never leaves out a struct, such as a time.Time: [Schema.Warnings] names such a
// field), or a default, or comes through an embedded pointer. The option string writes an
// integer as a string. The options embed (a map[string]T or jsontext.Value that holds the members no
// field names, so the object is open) and inline, its name before Go 1.27, are best given both.
//
// A struct that shall admit members it has no field for says so in a field of its own:
//
//	_ struct{} `jsonschema:"additionalProperties=true"`
//
// The decoder ignores such members. A struct with no other field needs the tag json:"-" beside.
//
// # Tags
//
// The tags are those of github.com/invopop/jsonschema, read strictly: an unknown keyword, a value of
// the wrong kind, a keyword that does not fit the field's type or a default that the schema refuses is
// an error that shows the form to write.
//
//	Number string   `json:"number" jsonschema:"minLength=1,maxLength=20,pattern=^[A-Z]"`
//	Colour string   `json:"colour" jsonschema:"enum=red,enum=green,default=red"`
//	Count  int      `json:"count" jsonschema:"minimum=0,maximum=100"`
//	Tags   []string `json:"tags" jsonschema:"minItems=1,uniqueItems=true,minLength=2"`
//	Note   string   `json:"note,omitempty" jsonschema_description:"Commas, as many as you like."`
//	Where  Options  `json:"where" jsonschema:"default={}"`
//
// A comma inside a value is written \\, in a tag; JSON values (of lists, objects and any) may have
// their own. Keywords for strings and numbers on a list are for its items; lists take their default
// whole, as JSON, or item by item. The keywords are title, description, default, example, enum, const,
// minLength, maxLength, pattern, format, contentEncoding, contentMediaType, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, multipleOf, minItems, maxItems, uniqueItems, minProperties,
// maxProperties, deprecated, readOnly, writeOnly, $comment, oneof_type and anyof_type (of an any),
// oneof_required and anyof_required (groups of optional members, of which one is given), and, without
// a value, nullable (null is admitted beside omitempty) and required. Patterns mean what they mean in
// ECMA-262 with the flag u.
//
// # Hooks
//
// A type may state its schema itself, with a method JSONSchema() *jsonschema.Schema, or change the one
// that is derived, with JSONSchemaExtend(*jsonschema.Schema). JSONSchemaAlias, JSONSchemaProperty and
// GetFieldDocString work as they do in invopop/jsonschema. A hook beats everything else that is known
// of a type. The hook of an embedded struct describes the members that the struct gives to the outer
// one, not the outer one. A type of another package gets a hook by being embedded:
//
//	type ID struct{ uuid.UUID }
//
//	func (ID) JSONSchema() *jsonschema.Schema {
//		return &jsonschema.Schema{Type: "string", Format: "uuid"}
//	}
//
// # The codec
//
// Values are encoded and decoded by github.com/go-json-experiment/json, which is encoding/json/v2, with
// one set of options: nil slices and maps are [] and {}, never null; maps are written in the order of
// their keys; duplicate names and invalid UTF-8 are refused. Numbers in an any arrive as
// [encoding/json.Number], so that no digit of one is lost, and are written as they came.
//
// # From a schema to a verdict
//
// [Compile] takes any schema of Draft 2020-12 and turns it into a program over the bytes of a JSON text.
// [Schema.Validate] runs it: a first pass says whether the value is valid, without building anything of
// it and, but for rare schemas and values, without allocating; only a value that failed is walked again
// for its issues. [Schema.FillDefaults] puts defaults in, and copies only where one is missing.
//
// Verdicts, defaults and issues are those of Ajv 8 in strict mode with ajv-formats, issue for issue and
// in Ajv's order: instancePath, schemaPath, keyword, params, message, propertyName. [Schema.Strict] says
// why that mode would refuse a schema; Compile itself does not ask. Ajv's own additions to the draft are
// understood: nullable, dependencies, formatMinimum and its kin. The formats are those of ajv-formats'
// full mode; others annotate.
//
// There are these differences, each of them tested:
//
//   - Numbers are exact. 0.07 is a multiple of 0.01, 9007199254740993 is above 9007199254740992, and a
//     limit that a float64 cannot hold is reported with its own digits.
//   - Where Ajv departs from the draft and the draft's test suite, the draft is followed: contains
//     evaluates only the items that match; a branch that evaluates no item leaves it to
//     unevaluatedItems; a branch, condition or dependent schema that does not apply takes nothing away from
//     what others evaluate; $dynamicRef finds the anchor that it names; and names such as toString are not
//     members of every object.
//   - Defaults are filled in first and the filled value is validated, as a pack service does. Ajv does
//     both at once, so that its const, enum, anyOf and the like see an object before its own properties
//     have filled it.
//   - Patterns are ECMA-262's with the flag u, checked in linear time. One with a lookaround or a
//     back-reference is refused by name, and so are the few Unicode properties that Go has no table for.
//
// Everything is bounded. Time is linear in the value for every schema, recursive ones included; a schema
// that would apply itself to one value without end is refused by Compile, and so is one that contains itself
// and has more than 64 subschemas apply each other to one value. At most a hundred issues, and
// 256 KiB of them, are listed; a last one without a keyword then says that there are more. A value may
// nest 10,000 levels. References never fetch anything: what they may lead to, beside the document itself
// and the draft's metaschemas, is given to a [Compiler].
//
// Schemas are immutable, and all their methods may be called at the same time. No method keeps the bytes
// that it is given.
package schema
