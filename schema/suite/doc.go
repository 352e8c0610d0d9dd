// Package suite holds the schema package against others: the official JSON Schema Test Suite, and
// another validator for Go. It is a module of its own, so that neither ever reaches an importer of the
// SDK.
package suite
