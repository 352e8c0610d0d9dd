package schema

// For derives the schema of T.
func For[T any]() (*Schema, error) { panic("not written yet") }
