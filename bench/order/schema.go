package order

import _ "embed"

// Schema is the JSON Schema of [Order], for programs that take a document.
//
//go:embed order.schema.json
var Schema []byte

// QuoteSchema is the JSON Schema of [Quote].
//
//go:embed quote.schema.json
var QuoteSchema []byte
