package main

import (
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

// A handler is a plain function: a test calls it.
func TestGreet(t *testing.T) {
	t.Parallel()
	got, err := greet(t.Context(), Person{Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Greeting{Text: "Hello, Ada!"}); got != want {
		t.Errorf("greet = %+v, want %+v", got, want)
	}
}

// The index of a pack shows every mistake in its registrations.
func TestPack(t *testing.T) {
	t.Parallel()
	if _, err := hello().Index(pack.Pins{}); err != nil {
		t.Fatal(err)
	}
}
