// Package cause looks for errors within errors of an author's, as [errors.As] and [errors.Is] do, but
// comes to an end also where those would not: an error may wrap itself, or two may wrap each other.
package cause

import (
	"errors"
	"reflect"
)

// Limit is how many errors a search looks at. No error that was made to be read wraps so many.
const Limit = 1 << 16

// Find gives the first error of type E in the tree of err, as [errors.AsType] does. It gives up after
// [Limit] errors.
func Find[E error](err error) (E, bool) {
	left := Limit
	return FindWithin[E](err, &left)
}

// FindWithin is Find for one of several searches that share a limit: left is how many errors they may
// still look at.
func FindWithin[E error](err error, left *int) (E, bool) {
	var found E
	ok := walk(err, left, func(err error) bool {
		e, ok := err.(E)
		if !ok {
			as, has := err.(interface{ As(any) bool })
			if !has || !as.As(&e) {
				return false
			}
		}
		found = e
		return true
	})
	return found, ok
}

// Is reports whether an error in the tree of err matches target, as [errors.Is] does. It gives up after
// [Limit] errors.
func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	comparable := reflect.TypeOf(target).Comparable()
	left := Limit
	return walk(err, &left, func(err error) bool {
		if comparable && err == target {
			return true
		}
		is, has := err.(interface{ Is(error) bool })
		return has && is.Is(target)
	})
}

// walk reports whether match holds for an error of the tree, which it walks as package errors does: an
// error before what it wraps, and that in order. left is how many errors it may still look at.
func walk(err error, left *int, match func(error) bool) bool {
	for err != nil {
		if *left--; *left < 0 {
			return false
		}
		if match(err) {
			return true
		}
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			err = errors.Unwrap(err)
			continue
		}
		for _, part := range joined.Unwrap() {
			if walk(part, left, match) {
				return true
			}
		}
		return false
	}
	return false
}
