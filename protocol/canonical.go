package protocol

// AppendCanonical appends the canonical form of a JSON document.
func AppendCanonical(b []byte, document []byte, indent string) ([]byte, error) {
	panic("not written yet")
}
