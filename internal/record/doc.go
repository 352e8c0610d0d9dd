// Package record writes a pack service's log records: one JSON object a line (the pack contract,
// section 8), or a short form for a terminal.
//
// [Handler] is an [log/slog.Handler] for the records of handlers and checks. [Handler.Event] writes
// the records of the service's own life, and [Handler.Call] the one of each call.
//
// # What a record holds
//
// time, level, severity, subsystem, message, the call's correlation ids, kind and event (of an
// event), then the fields. A field whose name one of those already bears goes under "fields".
// Names are unique in a record: of two fields with one name the later is written.
//
// # What a record never holds
//
// A field named like a secret ([redacted] instead, at any depth), the middle of anything shaped
// like a token, a bearer credential or a URL's password, and, wherever it turns up, the exact value of one
// of the call's secrets.
//
// # What logging never does
//
// Fail, or hold up, a call. Whatever a value's methods do, the record says so and is written; records are
// formatted by the caller and written by a goroutine that lives while there is something to
// write. When the stream stands still, see [New].
package record
