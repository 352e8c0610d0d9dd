package cause_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"github.com/kindgi/kindgi-go/internal/cause"
)

// loop wraps what its functions give.
type (
	loop  struct{ next func() error }
	loops struct{ next func() []error }
)

func (*loop) Error() string      { return "a loop" }
func (l *loop) Unwrap() error    { return l.next() }
func (*loops) Error() string     { return "loops" }
func (l *loops) Unwrap() []error { return l.next() }

// uncomparable cannot be compared, and panics where it is.
type uncomparable []int

func (uncomparable) Error() string { return "uncomparable" }

// alias passes for other errors by its methods.
type alias struct{}

func (alias) Error() string        { return "alias" }
func (alias) Is(target error) bool { return target == io.EOF }
func (alias) As(target any) bool {
	e, ok := target.(**fs.PathError)
	if ok {
		*e = &fs.PathError{Op: "alias", Path: "x", Err: io.EOF}
	}
	return ok
}

// An error that has an end is searched as package errors searches it.
func TestSameAsErrors(t *testing.T) {
	t.Parallel()
	path := &fs.PathError{Op: "open", Path: "x", Err: io.EOF}
	for _, err := range []error{
		nil, io.EOF, path, alias{}, uncomparable{1}, (*fs.PathError)(nil),
		fmt.Errorf("outer: %w", path), fmt.Errorf("%w, %w", io.ErrClosedPipe, path),
		errors.Join(errors.New("a"), fmt.Errorf("b: %w", errors.Join(alias{}, path))),
		fmt.Errorf("%w", uncomparable{1}), errors.Join(io.ErrClosedPipe),
	} {
		if err == error((*fs.PathError)(nil)) {
			continue // its Unwrap panics, which is the caller's
		}
		for _, target := range []error{nil, io.EOF, io.ErrClosedPipe, uncomparable{1}, path} {
			if got, want := cause.Is(err, target), errors.Is(err, target); got != want {
				t.Errorf("Is(%v, %v) = %v, want %v", err, target, got, want)
			}
		}
		got, ok := cause.Find[*fs.PathError](err)
		want, wantOK := errors.AsType[*fs.PathError](err)
		if ok != wantOK || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("Find in %v gives %v, %v; want %v, %v", err, got, ok, want, wantOK)
		}
	}
}

// Where package errors would search for ever, the search ends; and it finds what comes before.
func TestErrorsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	self := &loop{}
	self.next = func() error { return self }
	a, b := &loop{}, &loop{}
	a.next, b.next = func() error { return b }, func() error { return a }
	tree := &loops{}
	tree.next = func() []error { return []error{io.EOF, tree, tree} }
	fresh := &loop{}
	fresh.next = func() error { return &loop{fresh.next} }
	for name, err := range map[string]error{
		"itself": self, "each other": a, "a tree": tree, "always another": fresh,
		"wrapped": fmt.Errorf("outer: %w", errors.Join(io.ErrNoProgress, self)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if cause.Is(err, io.ErrClosedPipe) {
				t.Error("found what is not there")
			}
			if _, ok := cause.Find[*fs.PathError](err); ok {
				t.Error("found a type that is not there")
			}
			if joined := errors.Join(io.ErrUnexpectedEOF, err); !cause.Is(joined, io.ErrUnexpectedEOF) {
				t.Error("did not find what comes first")
			}
		})
	}
	if !cause.Is(tree, io.EOF) {
		t.Error("did not find what a tree without an end begins with")
	}
}
