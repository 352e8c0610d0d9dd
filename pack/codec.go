package pack

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// The ways in which running an author's code fails, apart from a [throw]. Each keeps what
// went wrong; failure.go makes the protocol's messages of them. None wraps an error of the
// author's, which could pass for one of the service's own.
type (
	// refusal is an input or a configuration that its Go type does not take.
	refusal struct{ issues []protocol.Issue }
	// unencodable is a returned value that JSON cannot hold, and why.
	unencodable struct{ why string }
)

func (e *refusal) Error() string     { return "the value was refused" }
func (e *unencodable) Error() string { return e.why }

// validator is an input type that checks more than a schema can say.
type validator interface{ Validate() error }

// decode decodes valid JSON that v's schema admits into v, a pointer.
func decode[T any](data []byte, v *T) error {
	if len(data) == 0 {
		return nil
	}
	if err := schema.Decode(data, v); err != nil {
		return &refusal{schema.Issues(err)}
	}
	return nil
}

// validate asks v's own validation, if it has one. The pointer's method set holds the
// value's methods too; a T that is itself a pointer has its methods on the value.
func validate[T any](v *T) error {
	check, ok := any(v).(validator)
	if k := reflect.TypeFor[T]().Kind(); !ok && (k == reflect.Pointer || k == reflect.Interface) {
		check, ok = any(*v).(validator)
	}
	if !ok {
		return nil
	}
	if err := check.Validate(); err != nil {
		return &refusal{schema.Issues(err)}
	}
	return nil
}

// encode encodes what an author's function returned.
func encode(v any) ([]byte, error) {
	data, err := schema.Marshal(v)
	if err != nil {
		return nil, &unencodable{err.Error()}
	}
	return data, nil
}

// decodeTrace decodes the run that a check sees; an absent one is empty.
func decodeTrace(data []byte) (*protocol.RunTrace, *protocol.Error) {
	run := new(protocol.RunTrace)
	if len(data) == 0 {
		return run, nil
	}
	if err := run.UnmarshalJSON(data); err != nil {
		return run, &protocol.Error{Code: protocol.MalformedMessage, Message: "`trace` must be an object"}
	}
	return run, nil
}

// prefixed says what an error is about, each of those that it joins; nil stays nil.
func prefixed(what string, err error) error {
	if err == nil {
		return nil
	}
	errs := unjoin(err)
	for i, e := range errs {
		errs[i] = fmt.Errorf("%s: %w", what, e)
	}
	return errors.Join(errs...)
}
