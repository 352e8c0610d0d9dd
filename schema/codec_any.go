package schema

import (
	stdjson "encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// decodeAny reads any JSON value into nil, a bool, a string, a json.Number, a []any or a
// map[string]any.
func decodeAny(dec *jsontext.Decoder, v *any) error {
	value, err := readAny(dec)
	if err != nil {
		return err
	}
	*v = value
	return nil
}

func readAny(dec *jsontext.Decoder) (any, error) {
	switch dec.PeekKind() {
	case '{':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		object := make(map[string]any)
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			if object[key], err = readAny(dec); err != nil {
				return nil, err
			}
		}
		_, err := dec.ReadToken()
		return object, err
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		array := []any{}
		for dec.PeekKind() != ']' {
			item, err := readAny(dec)
			if err != nil {
				return nil, err
			}
			array = append(array, item)
		}
		_, err := dec.ReadToken()
		return array, err
	case '0':
		value, err := dec.ReadValue()
		return stdjson.Number(value), err
	}
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '"':
		return token.String(), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}
