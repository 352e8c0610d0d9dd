package schema

import (
	"errors"

	"github.com/kindgi/kindgi-go/protocol"
)

// FieldError is a problem at one place of a value, for a type's own Validate method, which may join
// several with [errors.Join].
type FieldError struct {
	Path    string // a JSON Pointer (RFC 6901) such as /lines/0/price, "" for the whole value
	Message string // such as: must be after /from

	cause error
}

func (e *FieldError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Unwrap gives the error that an error of [Unmarshal] was made from.
func (e *FieldError) Unwrap() error { return e.cause }

// Issues turns an error of [Unmarshal] or of a type's own Validate method into issues: one for every
// [FieldError] in it, in order, through [errors.Join] and wrapping; any other error is one issue for
// the whole value, with the error's text. The issues have no keyword, since no schema found them. A
// nil error has none.
func Issues(err error) []protocol.Issue {
	if err == nil {
		return nil
	}
	return appendIssues(nil, err)
}

func appendIssues(issues []protocol.Issue, err error) []protocol.Issue {
	switch e := err.(type) { // one step of the walk that errors.As makes
	case nil:
		return issues
	case *FieldError:
		if e == nil {
			return issues
		}
		path := e.Path
		if path != "" && path[0] != '/' {
			path = "/" + path // the name of a member alone
		}
		return append(issues, protocol.Issue{InstancePath: path, Message: e.Message})
	case interface{ Unwrap() error }:
		if hasFieldError(err) {
			return appendIssues(issues, e.Unwrap())
		}
	case interface{ Unwrap() []error }:
		parts := e.Unwrap()
		list := err.Error() == errors.Join(parts...).Error() // no more than its parts, as errors.Join makes it
		if !list && !hasFieldError(err) {
			break
		}
		for _, part := range parts {
			if list || hasFieldError(part) {
				issues = appendIssues(issues, part)
			}
		}
		return issues
	}
	return append(issues, protocol.Issue{Message: err.Error()})
}

func hasFieldError(err error) bool {
	_, ok := errors.AsType[*FieldError](err)
	return ok
}
