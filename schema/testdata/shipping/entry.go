// Package shipping has a type that another package has too.
package shipping

// Entry contains itself.
type Entry struct {
	Parcel string
	Next   *Entry `json:",omitempty"`
}
