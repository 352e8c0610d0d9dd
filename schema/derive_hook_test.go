package schema_test

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
)

type (
	hooks struct {
		Value   cents          `json:"value"`
		Pointer celsius        `json:"pointer"`
		Both    *celsius       `json:"both"`
		List    []cents        `json:"list"`
		Stamp   stamp          `json:"stamp"`
		Inner   wrapsHook      `json:"inner"`
		Text    anyText        `json:"text"`
		Texts   map[string]any `json:"texts"`
		Any     anything       `json:"any"`
		Choice  *choice        `json:"choice" jsonschema:"description=One of two.,default=a"`
		Tagged  cents          `json:"tagged" jsonschema:"description=The price.,default=1.00"`
	}
	cents    int64   // written as 12.34
	celsius  float64 // written as a number, but never below absolute zero
	stamp    struct{ time.Time }
	anything struct{}
	choice   string

	// wrapsHook has the hook and the methods of the type that it embeds, so it is written as that.
	wrapsHook struct{ cents2 }
	cents2    struct{ n int64 }

	// hookedKey is a map key with a hook.
	hookedKey struct{ s string }

	// anyText holds any text.
	anyText struct{ s string }

	// memberHook describes its members itself.
	memberHook struct {
		Low  int8 `json:"low"`
		High int8 `json:"high,omitempty"`
	}
	embedsHook struct {
		memberHook
		Name string `json:"name"`
	}

	extended struct {
		Name string  `json:"name"`
		Next *string `json:"next"`
		Big  uint64  `json:"big" jsonschema:"default=18446744073709551615"`
		Deep struct {
			Tree []tree `json:"tree"`
		} `json:"deep"`
	}

	aliased struct {
		Alias  alias      `json:"alias"`
		Fields properties `json:"fields"`
	}
	alias      struct{}
	properties struct {
		Level any `json:"level"`
		Name  any `json:"name"`
	}

	hookWithDefinitions struct {
		Reflected reflected `json:"reflected"`
		Again     reflected `json:"again"`
	}
	reflected struct {
		Kind  string      `json:"kind"`
		Inner inner       `json:"inner"`
		Tree  *reflected2 `json:"tree"`
	}
	inner      struct{ A string }
	reflected2 struct {
		Next *reflected2 `json:"next,omitempty"`
	}
)

func (c cents) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d.%02d", c/100, c%100), nil }
func (c *cents) UnmarshalText(b []byte) error {
	n, err := strconv.ParseInt(strings.Replace(string(b), ".", "", 1), 10, 64)
	*c = cents(n)
	return err
}
func (cents) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: `^(0|[1-9][0-9]{0,9})\.[0-9]{2}$`}
}

func (c celsius) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(c), 'f', 2, 64), nil
}
func (c *celsius) UnmarshalJSON(b []byte) (e error) {
	*(*float64)(c), e = strconv.ParseFloat(string(b), 64)
	return
}
func (*celsius) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "number", Minimum: "-273.15", Maximum: "1e9"}
}

func (stamp) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Format: "date-time", Pattern: "^2[0-9]{3}-.*[0-9]Z$"}
}

func (choice) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", OneOf: []*jsonschema.Schema{{Const: "a", Description: "The first."}, {Const: "b"}}}
}

func (a anything) MarshalJSON() ([]byte, error)  { return []byte("null"), nil }
func (a *anything) UnmarshalJSON(b []byte) error { return nil }
func (anything) JSONSchema() *jsonschema.Schema  { return &jsonschema.Schema{} }

func (c cents2) MarshalText() ([]byte, error) { return cents(c.n).MarshalText() }
func (c *cents2) UnmarshalText(b []byte) error {
	return (*cents)(&c.n).UnmarshalText(b)
}
func (cents2) JSONSchema() *jsonschema.Schema { return cents(0).JSONSchema() }

func (k hookedKey) MarshalText() ([]byte, error)  { return []byte(k.s), nil }
func (k *hookedKey) UnmarshalText(b []byte) error { k.s = string(b); return nil }
func (hookedKey) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: "^[a-z]+$"}
}

func (k anyText) AppendText(b []byte) ([]byte, error) { return append(b, k.s...), nil }
func (k *anyText) UnmarshalText(b []byte) error       { k.s = string(b); return nil }

var _ encoding.TextAppender = anyText{}

func (memberHook) JSONSchema() *jsonschema.Schema {
	properties := jsonschema.NewProperties()
	properties.Set("low", &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "9"})
	properties.Set("high", &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "9"})
	return &jsonschema.Schema{
		Type: "object", Properties: properties, Required: []string{"low"},
		AdditionalProperties: jsonschema.FalseSchema,
	}
}

func (extended) JSONSchemaExtend(s *jsonschema.Schema) {
	s.Title = "Extended"
	name, _ := s.Properties.Get("name")
	name.Pattern = "^[a-z]+$"
}

func (alias) MarshalJSON() ([]byte, error)  { return []byte(`{"X":1,"Y":2}`), nil }
func (*alias) UnmarshalJSON(b []byte) error { return nil }
func (alias) JSONSchemaAlias() any          { return point{} }
func (properties) JSONSchemaProperty(n string) any {
	if n == "level" {
		return level(0)
	}
	return nil
}
func (properties) GetFieldDocString(f string) string { return "The field " + f + "." }

func (reflected) JSONSchema() *jsonschema.Schema {
	type plain reflected
	return jsonschema.Reflect(plain{})
}
