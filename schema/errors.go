package schema

// DocumentError is one thing wrong with a schema document. [Compile] and [Schema.Strict] report them,
// joined when there are several.
type DocumentError struct {
	Path   string // where in the document, a JSON Pointer; "" is the whole document
	Reason string // what is wrong, and what to do
}

// Error gives the place in the document and the reason.
func (e *DocumentError) Error() string { return "schema at " + at(e.Path) + ": " + e.Reason }

// at names a place in a document.
func at(path string) string {
	if path == "" {
		return "its root"
	}
	return path
}
