// Package protocol is the wire vocabulary of pack protocol v2: the messages a runtime and a pack
// service exchange, the index a pack publishes, the manifest a runtime keeps of a tool, and the one
// canonical form of the JSON they are hashed in.
//
// It is data and its codec. It does no I/O, holds no state and knows no other package of this module;
// an author meets it in the values a handler or a check is given ([RunTrace], [CheckResult]) and in
// the entries a pack declares ([Agent], [Flow], [HTTPSpec]). Everything else here serves those who
// build a pack service, a test double of a runtime, or a tool that reads an index.
//
// # Messages
//
// [ParseRequest] reads what a runtime posts to [PathInvoke]: a [*ToolInvoke] or a [*CheckInvoke]. The
// body is checked once, at the door: one JSON value, valid UTF-8, no member twice, no more than 10,000
// levels, no number beyond a float64. After that nothing is decoded that need not be. The input, the
// config, the trace and the call context are slices of the body, exact to the last digit. What it
// cannot accept is an [*Error], the message that answers the call.
//
// The answers are [AppendToolResult], [AppendCheckResult] and [Error.AppendTo], which write into a
// buffer that the caller owns; [ParseResponse] reads them back.
//
// # Open objects
//
// Both sides of the protocol may be newer than this package, so an object of this package keeps what
// it does not know: members without a field of their own are in Unknown, in their JSON form, and are
// written out again. Reading and writing a value therefore loses nothing, numbers included. In what a
// runtime sends ([CallContext], [RunTrace], [ToolManifest]) a known member of an unexpected type is
// no error either: its field stays zero and Unknown has it. In an index, which the pack's own build
// wrote, it is an error that names the place.
//
// # Canonical bytes
//
// An index is signed and compared by its bytes, so there is one way to write it: [AppendCanonical]
// sorts members by UTF-16 code units and writes numbers and strings as ECMA-262's JSON.stringify does.
// [Index.Bytes] is the content of index.json and [Hash] its name in a deployment.
//
// # Ownership
//
// Values are plain data: safe to share between goroutines while nobody writes to them. A function
// that keeps bytes it was given says so; all others copy.
package protocol
