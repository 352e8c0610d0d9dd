package schema

import (
	stdjson "encoding/json"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// knownType is what is known of a type of the standard library: its schema, or why it has none.
type knownType struct {
	schema         func() object
	noun           string // what a value must be, where no schema was asked before
	reason, advice string
}

// knownTypes is made when the first type is looked for.
var knownTypes = sync.OnceValue(func() map[reflect.Type]knownType {
	return map[reflect.Type]knownType{
		reflect.TypeFor[jsontext.Value]():     {schema: func() object { return object{} }},
		reflect.TypeFor[stdjson.RawMessage](): {schema: func() object { return object{} }},
		numberType:                            {schema: func() object { return object{"type": "number"} }},
		bigIntType:                            {schema: func() object { return object{"type": "integer"} }, noun: "integer"},
		reflect.TypeFor[big.Rat]():            {schema: ratSchema, noun: "a fraction such as 3/4"},
		timeType:                              {schema: timeSchema, noun: "an RFC 3339 date-time"},
		durationType:                          {schema: durationSchema},
		reflect.TypeFor[netip.Addr]():         {schema: textSchema("An IP address.", func() string { return optionalText(ipAddress(true)) }), noun: "an IP address"},
		reflect.TypeFor[netip.AddrPort]():     {schema: textSchema("An IP address and a port.", func() string { return optionalText(ipAddressAndPort()) }), noun: "an IP address and a port"},
		reflect.TypeFor[netip.Prefix]():       {schema: textSchema("An IP network in CIDR notation.", func() string { return optionalText(ipPrefix()) }), noun: "an IP network in CIDR notation"},
		reflect.TypeFor[net.IP]():             {schema: textSchema("An IP address.", func() string { return optionalText(ipAddress(false)) }), noun: "an IP address"},

		reflect.TypeFor[url.URL](): {
			reason: "a url.URL is written as the parts it is made of, and not all of them",
			advice: "use a string with the tag `jsonschema:\"format=uri\"`",
		},
		reflect.TypeFor[big.Float](): {
			reason: "a big.Float read from text has the precision that it had before, so digits are lost",
			advice: "use a float64, a json.Number, or a string",
		},
	}
})

// timeSchema is the part of ajv-formats' date-time that time.Time reads without loss: RFC 3339 with
// an upper-case T and Z, no leap second, nine digits of a second at most, and minutes in the offset.
func timeSchema() object {
	return object{
		"type":   "string",
		"format": "date-time",
		"pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?` +
			`(?:Z|[+-][0-9]{2}:[0-9]{2})$`,
	}
}

// durationUnit is what the schema of a time.Duration says.
const durationUnit = "A duration in nanoseconds."

func durationSchema() object {
	s := integerSchema(durationType)
	s["description"] = durationUnit
	return s
}

func ratSchema() object {
	return object{
		"type": "string", "description": "A fraction, such as 3/4.",
		"pattern": "^-?(?:0|[1-9][0-9]*)(?:/[1-9][0-9]*)?$",
	}
}

func textSchema(description string, pattern func() string) func() object {
	return func() object {
		return object{"type": "string", "description": description, "pattern": pattern()}
	}
}

// optionalText is the pattern of a text that is empty for the zero value.
func optionalText(pattern string) string { return "^(?:" + pattern + ")?$" }

const (
	ipByte  = `(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	ipv4    = `(?:` + ipByte + `\.){3}` + ipByte
	ipGroup = `[0-9A-Fa-f]{1,4}`
)

// ipv6 gives the pattern of an IPv6 address (RFC 4291, section 2.2): eight groups, of which a run of
// zeros may be left out. Of the forms with an IPv4 address in them it has only the one that is
// written, that of an IPv4-mapped address.
func ipv6() string {
	const before, after = `(?:` + ipGroup + `:)`, `(?::` + ipGroup + `)`
	p := `::ffff:` + ipv4 + `|` + before + `{7}(?:` + ipGroup + `|:)|:(?:` + after + `{1,7}|:)`
	for n := 1; n <= 6; n++ { // groups before the gap, then as many as leave at least one for the gap
		p += `|` + before + `{` + itoa(n) + `}(?:` + after + times(1, 7-n) + `|:)`
	}
	return p
}

func ipAddress(zones bool) string {
	if zones {
		return ipv4 + `|(?:` + ipv6() + `)(?:%.+)?`
	}
	return ipv4 + `|` + ipv6()
}

func ipAddressAndPort() string {
	return `(?:` + ipv4 + `|\[(?:` + ipv6() + `)(?:%[^\]]+)?\]):(?:` + rangePattern("0", "65535") + `)`
}

func ipPrefix() string {
	return ipv4 + `/(?:` + rangePattern("0", "32") + `)|(?:` + ipv6() + `)/(?:` + rangePattern("0", "128") + `)`
}
