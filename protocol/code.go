package protocol

import "slices"

// Code says why running pack code did not produce a result. The set is closed: an implementation may
// add no code of its own, and a runtime matches on them.
type Code string

// The codes of the pack protocol.
const (
	// InputValidationFailed: the input is not valid by the tool's input schema, or the input's type
	// refused it. The error has issues.
	InputValidationFailed Code = "input-validation-failed"
	// OutputValidationFailed: what the handler returned is not valid by the tool's output schema
	// (the error has issues), or is not JSON (it has none).
	OutputValidationFailed Code = "output-validation-failed"
	// HandlerImportFailed: the code of the handler could not be loaded.
	HandlerImportFailed Code = "handler-import-failed"
	// HandlerShapeInvalid: what was loaded is no handler.
	HandlerShapeInvalid Code = "handler-shape-invalid"
	// HandlerThrow: the handler or the check failed. The error has a cause.
	HandlerThrow Code = "handler-throw"
	// CheckShapeInvalid: what was loaded is no check.
	CheckShapeInvalid Code = "check-shape-invalid"
	// MalformedMessage: the request is not JSON, or lacks what its kind needs.
	MalformedMessage Code = "malformed-message"
	// UnknownProtocolVersion: the request's v is not [Version].
	UnknownProtocolVersion Code = "unknown-protocol-version"
	// UnexpectedMessageKind: the request's kind is none that a pack service answers.
	UnexpectedMessageKind Code = "unexpected-message-kind"
	// ToolNotInPack: the pack has no tool of that id.
	ToolNotInPack Code = "tool-not-in-pack"
	// CheckNotInPack: the pack has no check of that id.
	CheckNotInPack Code = "check-not-in-pack"
	// ToolVersionMismatch: the pack has the tool, but not in the version the caller named, or in
	// several and the caller named none.
	ToolVersionMismatch Code = "tool-version-mismatch"
	// DeadlineExceeded: the call's time was over before it had a result.
	DeadlineExceeded Code = "deadline-exceeded"
	// Cancelled: the caller closed the connection before the call had a result.
	Cancelled Code = "cancelled"
)

// Codes gives every code, in the order of the protocol's definition.
func Codes() []Code {
	return []Code{
		InputValidationFailed, OutputValidationFailed, HandlerImportFailed, HandlerShapeInvalid,
		HandlerThrow, CheckShapeInvalid, MalformedMessage, UnknownProtocolVersion,
		UnexpectedMessageKind, ToolNotInPack, CheckNotInPack, ToolVersionMismatch, DeadlineExceeded,
		Cancelled,
	}
}

// Known reports whether c is a code of this protocol version.
func (c Code) Known() bool { return slices.Contains(Codes(), c) }
