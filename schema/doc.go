// Package schema derives JSON Schemas from Go types and validates JSON by them.
package schema
