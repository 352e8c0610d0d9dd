package schema

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// textError is an error of ours that says what it means without Go's names.
type textError struct{ text string }

func (e *textError) Error() string { return e.text }

var errNotInteger = &textError{"must be integer"}

func mismatch(_ jsontext.Kind, want string) error { return &textError{"must be " + want} }

func rangeError(t reflect.Type) error {
	low, high := integerBounds(t)
	return &textError{"must be between " + low + " and " + high}
}

func quoteShort(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return strconv.Quote(s)
}

// encodeError says where and why a value is not JSON.
func encodeError(err error) error {
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			return &encodingError{path: string(syntax.JSONPointer), why: syntax.Err.Error(), cause: err}
		}
		return &encodingError{why: strings.TrimPrefix(err.Error(), "json: "), cause: err}
	}
	e := &encodingError{path: string(wrong.JSONPointer), cause: err}
	if wrong.Err != nil {
		e.why = wrong.Err.Error()
	} else if wrong.GoType != nil {
		e.why = "JSON has no " + goKindWord(wrong.GoType)
	}
	return e
}

func goKindWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Chan:
		return "channels"
	case reflect.Func:
		return "functions"
	case reflect.Complex64, reflect.Complex128:
		return "complex numbers"
	}
	return "form for a " + t.Kind().String()
}

type encodingError struct {
	path, why string
	cause     error
}

func (e *encodingError) Error() string {
	if e.path == "" {
		return e.why
	}
	return "at " + e.path + ": " + e.why
}

func (e *encodingError) Unwrap() error { return e.cause }

// decodeError turns an error of json v2 into one with a path and JSON's names.
func decodeError(err error) error {
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok {
		return &FieldError{Path: string(wrong.JSONPointer), Message: decodeReason(wrong), cause: err}
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return &FieldError{Path: string(syntax.JSONPointer), Message: syntax.Err.Error(), cause: err}
	}
	return &FieldError{Message: err.Error(), cause: err}
}

func decodeReason(wrong *json.SemanticError) string {
	if text, ok := errors.AsType[*textError](wrong.Err); ok {
		return text.text
	}
	t := wrong.GoType
	if t == nil {
		if wrong.Err != nil {
			return wrong.Err.Error()
		}
		return "cannot be read"
	}
	if errors.Is(wrong.Err, strconv.ErrRange) {
		if isIntegerKind(t.Kind()) {
			return rangeError(t).Error()
		}
		return "is out of range"
	}
	if wrong.Err != nil && !errors.Is(wrong.Err, strconv.ErrSyntax) {
		return wrong.Err.Error()
	}
	return "must be " + jsonTypeOf(t)
}

// jsonTypeOf is the JSON type that values of a Go type are written as.
func jsonTypeOf(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch k := t.Kind(); {
	case t == timeType:
		return "string"
	case k == reflect.Bool:
		return "boolean"
	case isIntegerKind(k):
		return "integer"
	case k == reflect.Float32 || k == reflect.Float64:
		return "number"
	case k == reflect.String:
		return "string"
	case (k == reflect.Slice || k == reflect.Array) && t.Elem() == byteType:
		return "string"
	case k == reflect.Slice || k == reflect.Array:
		return "array"
	}
	return "object"
}
