package record

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// error writes {name, message, code?, stack?, cause?}.
func (e *encoder) error(err error) {
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			e.buf = append(e.buf, "null"...)
			return
		}
		if !e.enter(v) {
			return
		}
		defer e.leave()
	}
	if !e.open('{') {
		return
	}
	e.key("name")
	e.string(ErrorName(err))
	e.key("message")
	e.text(err, "Error", func() ([]byte, error) { return []byte(err.Error()), nil })
	e.code(err)
	if stack := stackOf(err); stack != "" {
		e.stacked = true
		if e.stacks {
			e.key("stack")
			e.string(stack)
		}
	}
	switch causes := causesOf(err); {
	case len(causes) == 1:
		e.key("cause")
		e.error(causes[0])
	case len(causes) > 1:
		e.key("cause")
		if e.open('[') {
			for _, cause := range causes {
				e.comma()
				if e.full() {
					e.string(tooLarge)
					break
				}
				e.error(cause)
			}
			e.close(']')
		}
	}
	e.close('}')
}

// ErrorName gives the name of an error: what its Name method gives, else its type's name without its
// package. Errors whose type has no name of its own, such as those of errors.New, fmt.Errorf and
// errors.Join, are "Error", and the runtime's are "RuntimeError".
func ErrorName(err error) string {
	const unnamed = "Error"
	if err == nil {
		return unnamed
	}
	if named, ok := any(err).(interface{ Name() string }); ok {
		if name, failed := try(err, "Name", func() (string, error) { return named.Name(), nil }); failed == "" && name != "" {
			return name
		}
	}
	t := reflect.TypeOf(err)
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[") // without type arguments
	if name == "" {
		return unnamed
	}
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		switch t.PkgPath() {
		case "errors", "fmt":
			return unnamed
		case "runtime":
			return "RuntimeError"
		}
	}
	return name
}

// code writes the code an error has: of a Code method, or of a Code field, when it is text or a whole number.
func (e *encoder) code(err error) {
	v, failed := try(err, "Code", func() (reflect.Value, error) {
		if coded, ok := any(err).(interface{ Code() string }); ok {
			return reflect.ValueOf(coded.Code()), nil
		}
		v := reflect.ValueOf(err)
		if m := v.MethodByName("Code"); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
			return m.Call(nil)[0], nil
		}
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return reflect.Value{}, nil
		}
		f, ok := v.Type().FieldByName("Code")
		if !ok || !f.IsExported() {
			return reflect.Value{}, nil
		}
		return v.FieldByIndexErr(f.Index)
	})
	if failed != "" || !v.IsValid() || !v.CanInterface() || v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.key("code")
		e.value(v)
	}
}

// stackOf gives the stack an error carries, by a StackTrace or a Stack method; most carry none.
func stackOf(err error) string {
	stack, _ := try(err, "StackTrace", func() (string, error) {
		v := reflect.ValueOf(err)
		m := v.MethodByName("StackTrace")
		if !m.IsValid() {
			m = v.MethodByName("Stack")
		}
		if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
			return "", nil
		}
		switch stack := m.Call(nil)[0].Interface().(type) {
		case string:
			return stack, nil
		case []byte:
			return string(stack), nil
		case []uintptr:
			return frames(stack), nil
		default:
			return fmt.Sprintf("%+v", stack), nil
		}
	})
	return strings.TrimSpace(stack)
}

// frames writes program counters as a panic does.
func frames(counters []uintptr) string {
	var b strings.Builder
	for it := runtime.CallersFrames(counters); ; {
		f, more := it.Next()
		if f.Function != "" {
			fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}

// causesOf gives what an error wraps.
func causesOf(err error) []error {
	causes, _ := try(err, "Unwrap", func() (causes []error, _ error) {
		switch wrapper := any(err).(type) {
		case interface{ Unwrap() error }:
			if cause := wrapper.Unwrap(); cause != nil {
				causes = []error{cause}
			}
		case interface{ Unwrap() []error }:
			for _, cause := range wrapper.Unwrap() {
				if cause != nil {
					causes = append(causes, cause)
				}
			}
		}
		return causes, nil
	})
	return causes
}
