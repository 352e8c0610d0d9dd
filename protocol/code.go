package protocol

// Code says why running pack code did not produce a result.
type Code string

// The closed set of codes.
const (
	InputValidationFailed  Code = "input-validation-failed"
	OutputValidationFailed Code = "output-validation-failed"
	HandlerImportFailed    Code = "handler-import-failed"
	HandlerShapeInvalid    Code = "handler-shape-invalid"
	HandlerThrow           Code = "handler-throw"
	CheckShapeInvalid      Code = "check-shape-invalid"
	MalformedMessage       Code = "malformed-message"
	UnknownProtocolVersion Code = "unknown-protocol-version"
	UnexpectedMessageKind  Code = "unexpected-message-kind"
	ToolNotInPack          Code = "tool-not-in-pack"
	CheckNotInPack         Code = "check-not-in-pack"
	ToolVersionMismatch    Code = "tool-version-mismatch"
	DeadlineExceeded       Code = "deadline-exceeded"
	Cancelled              Code = "cancelled"
)
