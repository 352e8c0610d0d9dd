package schema

import (
	"embed"
	"strings"
)

// The metaschemas of Draft 2020-12, as published by the JSON Schema organisation, for documents that
// refer to them. Checking a document does not need them: checkKeywords says the same, faster.
//
//go:embed metaschema/*.json
var metaschemas embed.FS

// metaschema gives the metaschema with the URI, or nil.
func metaschema(uri string) []byte {
	name, ok := strings.CutPrefix(uri, "https://json-schema.org/draft/2020-12/")
	if !ok {
		return nil
	}
	name = strings.TrimPrefix(name, "meta/")
	if strings.ContainsAny(name, "/.") {
		return nil
	}
	document, err := metaschemas.ReadFile("metaschema/" + name + ".json")
	if err != nil {
		return nil
	}
	return document
}
