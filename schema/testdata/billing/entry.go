// Package billing has a type that another package has too.
package billing

// Entry contains itself.
type Entry struct {
	Amount int64
	Next   *Entry `json:",omitempty"`
}
