package schema

import (
	stdjson "encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/cause"
)

// reasonError is an error of our own functions: a reason that needs no translation.
type reasonError string

func (e reasonError) Error() string { return string(e) }

const errNotInteger = reasonError("must be integer")

func rangeError(t reflect.Type) error {
	low, high := integerBounds(t)
	return reasonError("must be between " + low + " and " + high)
}

func quoteShort(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return strconv.Quote(s)
}

// encodingError says where a value is not JSON, and why.
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

// encodeError puts an error of json v2 plainly.
func encodeError(err error) error {
	path, why := explain(err)
	const longest = 200 // a value that contains itself has a path of thousands of steps
	if len(path) > longest {
		end := longest
		for !utf8.RuneStart(path[end]) {
			end--
		}
		path = path[:end] + "…"
	}
	switch {
	case why == "encountered a cycle":
		why = "the value contains itself"
	case strings.HasPrefix(why, "unsupported value: "):
		why = strings.TrimPrefix(why, "unsupported value: ") + " is not a number in JSON"
	case why == "":
		if wrong, ok := errors.AsType[*json.SemanticError](err); ok && wrong.GoType != nil {
			why = "JSON has no " + goKindWord(wrong.GoType)
		}
	}
	return &encodingError{path, why, err}
}

// goKindWord names what JSON has no form for.
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

// explain gives the place that an error of json v2 is about, as a JSON Pointer, and the reason without
// the library's own words around it. The reason is "" if the library gives none beside the Go type.
func explain(err error) (path, why string) {
	for {
		switch e := err.(type) { // step by step: each adds to the path
		case *json.SemanticError:
			path = longerPath(path, string(e.JSONPointer))
			if e.Err == nil {
				return path, ""
			}
			err = e.Err
		case *jsontext.SyntacticError:
			path = longerPath(path, string(e.JSONPointer))
			err = e.Err
		case *encodingError: // of a MarshalJSON method that uses this package
			return path + e.path, e.why
		default:
			return path, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "jsontext: ")
		}
	}
}

// longerPath joins the paths of an error and of the error in it: the inner one is counted from the
// same root if it begins with the outer one, else from there.
func longerPath(outer, inner string) string {
	if strings.HasPrefix(inner, outer) {
		return inner
	}
	return outer + inner
}

// decodeError turns an error of json v2 into one with a path and JSON's names.
func decodeError(err error) error {
	wrong, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		path, why := explain(err)
		return &FieldError{Path: path, Message: why, cause: err}
	}
	base := string(wrong.JSONPointer)
	if _, ok := cause.Find[*FieldError](wrong.Err); ok { // an UnmarshalJSON method that uses this package
		var list []error
		for _, issue := range Issues(wrong.Err) {
			list = append(list, &FieldError{Path: base + issue.InstancePath, Message: issue.Message, cause: err})
		}
		return errors.Join(list...)
	}
	if std, ok := cause.Find[*stdjson.UnmarshalTypeError](wrong.Err); ok { // or that uses encoding/json
		if std.Field != "" {
			base += "/" + strings.ReplaceAll(std.Field, ".", "/")
		}
		return &FieldError{Path: base, Message: "must be " + jsonTypeOf(std.Type), cause: err}
	}
	if reason := decodeReason(wrong); reason != "" {
		return &FieldError{Path: base, Message: reason, cause: err}
	}
	path, why := explain(err)
	return &FieldError{Path: path, Message: why, cause: err}
}

// decodeReason says why a JSON value does not fit a Go type, or "" if the error's own text says it.
func decodeReason(wrong *json.SemanticError) string {
	if reason, ok := cause.Find[reasonError](wrong.Err); ok {
		return string(reason)
	}
	t := wrong.GoType
	if t == nil {
		return ""
	}
	if known := knownTypes()[t]; known.noun != "" {
		return "must be " + known.noun
	}
	if cause.Is(wrong.Err, strconv.ErrRange) {
		if isIntegerKind(t.Kind()) {
			return rangeError(t).Error()
		}
		return "is out of range"
	}
	custom := hasMethods(t, jsonMethods) || hasMethods(t, textMethods)
	switch {
	case wrong.Err == nil, cause.Is(wrong.Err, strconv.ErrSyntax):
		return "must be " + jsonTypeOf(t)
	case custom:
		return ""
	case (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem() == byteType:
		return "must be base64"
	case t.Kind() == reflect.Array:
		return "must have " + itoa(t.Len()) + " items"
	}
	return ""
}

// jsonTypeOf is the JSON type that values of a Go type are written as.
func jsonTypeOf(t reflect.Type) string {
	t = pointedTo(t)
	switch k := t.Kind(); {
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
