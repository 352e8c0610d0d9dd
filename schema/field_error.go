package schema

import (
	"errors"
	"reflect"

	"github.com/kindgi/kindgi-go/internal/cause"
	"github.com/kindgi/kindgi-go/protocol"
)

// FieldError is a problem at one place of a value, for a type's own Validate method, which may join
// several with [errors.Join].
type FieldError struct {
	Path    string // a JSON Pointer (RFC 6901) such as /lines/0/price, "" for the whole value
	Message string // such as: must be after /from

	cause error
}

// Error gives the path, if there is one, and the message.
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
//
// As with a schema's issues, 100 are listed, and a last one says how many more there are. The search
// comes to an end even if the error wraps itself.
func Issues(err error) []protocol.Issue {
	c := collector{left: cause.Limit}
	c.collect(err)
	if c.left < 0 && len(c.issues) == 0 {
		c.add(protocol.Issue{Message: err.Error()})
	}
	if c.unlisted > 0 {
		c.issues = append(c.issues, moreIssues(c.unlisted))
	}
	return c.issues
}

// collector makes issues of an error of an author's, which may be of any shape.
type collector struct {
	issues   []protocol.Issue
	unlisted int
	left     int // how many errors may still be looked at
}

func (c *collector) add(i protocol.Issue) {
	if len(c.issues) == maxIssues {
		c.unlisted++
		return
	}
	c.issues = append(c.issues, i)
}

func (c *collector) collect(err error) {
	if c.left--; c.left < 0 {
		return
	}
	switch e := err.(type) { // one step of the walk that errors.As makes
	case nil:
		return
	case *FieldError:
		if e == nil {
			return
		}
		path := e.Path
		if path != "" && path[0] != '/' {
			path = "/" + path // the name of a member alone
		}
		c.add(protocol.Issue{InstancePath: path, Message: e.Message})
		return
	case interface{ Unwrap() error }:
		if c.hasFieldError(err) {
			c.collect(e.Unwrap())
			return
		}
	case interface{ Unwrap() []error }:
		parts := e.Unwrap()
		list := isList(err, parts)
		if !list && !c.hasFieldError(err) {
			break
		}
		for _, part := range parts {
			if list || c.hasFieldError(part) {
				c.collect(part)
			}
		}
		return
	}
	c.add(protocol.Issue{Message: err.Error()})
}

// isList reports whether an error says no more than its parts do, as those of errors.Join.
func isList(err error, parts []error) bool {
	if reflect.TypeOf(err) == joinType {
		return true // without a look at the texts, which are long where joins stand within joins
	}
	joined := errors.Join(parts...)
	return joined != nil && err.Error() == joined.Error()
}

var joinType = reflect.TypeOf(errors.Join(errors.ErrUnsupported))

func (c *collector) hasFieldError(err error) bool {
	_, ok := cause.FindWithin[*FieldError](err, &c.left)
	return ok
}
