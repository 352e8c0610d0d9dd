package record

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// raw writes what is JSON already, redacted like any other value. What is not JSON after all is not shown:
// the names of fields that hold secrets could not be told.
func (e *encoder) raw(text []byte) {
	if len(text) == 0 {
		e.buf = append(e.buf, "null"...)
		return
	}
	mark, depth := len(e.buf), e.depth
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := e.rawValue(d)
	if err == nil {
		if _, end := d.ReadToken(); !errors.Is(end, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		e.buf, e.depth = e.buf[:mark], depth
		e.string("[" + strconv.Itoa(len(text)) + " bytes that are not JSON]")
	}
}

func (e *encoder) rawValue(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '{':
		if !e.open('{') {
			return d.SkipValue()
		}
		if err := e.rawMembers(d); err != nil {
			return err
		}
		e.close('}')
		return nil
	case '[':
		if !e.open('[') {
			return d.SkipValue()
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			e.comma()
			if e.full() {
				e.string(tooLarge)
				if err := skipRest(d, ']'); err != nil {
					return err
				}
				break
			}
			if err := e.rawValue(d); err != nil {
				return err
			}
		}
		e.close(']')
		_, err := d.ReadToken()
		return err
	case '"':
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		e.string(token.String())
		return nil
	default:
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		e.buf = append(e.buf, value...)
		return nil
	}
}

// rawMembers writes the members of an object that is open.
func (e *encoder) rawMembers(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	seen := make(map[string]int)
	for d.PeekKind() != '}' {
		if e.full() {
			e.key(tooLarge)
			e.buf = append(e.buf, "true"...)
			if err := skipRest(d, '}'); err != nil {
				return err
			}
			break
		}
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		hidden := sensitive(name)
		if seen[name]++; seen[name] > 1 {
			name += " (" + strconv.Itoa(seen[name]) + ")"
		}
		e.key(name)
		if hidden {
			e.string(redacted)
			err = d.SkipValue()
		} else {
			err = e.rawValue(d)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// skipRest skips what is left of the open object or array.
func skipRest(d *jsontext.Decoder, end jsontext.Kind) error {
	for d.PeekKind() != end {
		if err := d.SkipValue(); err != nil {
			return err
		}
	}
	return nil
}
