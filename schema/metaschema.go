package schema

// metaschema gives the document of Draft 2020-12 with the URI, or nil.
func metaschema(string) []byte { return nil }
