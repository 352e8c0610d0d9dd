package protocol

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// Response is a message that answers a call: a [*ToolResult], a [*CheckResult] or an [*Error].
type Response interface{ response() }

// ToolResult is the message that carries a tool's output.
type ToolResult struct {
	Output jsontext.Value
}

func (*ToolResult) response()  {}
func (*CheckResult) response() {}
func (*Error) response()       {}

// AppendToolResult appends the message that carries a tool's output, which is valid JSON. It is
// written as it is: not checked, not reformatted. An empty output is null.
func AppendToolResult(b []byte, output jsontext.Value) []byte {
	b = slices.Grow(b, len(output)+len(`{"v":2,"kind":"result","output":}`)+len("null"))
	b = append(b, `{"v":2,"kind":"result","output":`...)
	return append(appendRaw(b, output), '}')
}

// AppendCheckResult appends the message that carries a check's result, which is a valid JSON object:
// what [CheckResult.MarshalJSON] gives.
func AppendCheckResult(b []byte, result jsontext.Value) []byte {
	b = append(b, `{"v":2,"kind":"check-result","result":`...)
	return append(appendRaw(b, result), '}')
}

// ParseResponse reads the body that answers a call with status 200: a [*ToolResult], a [*CheckResult]
// or an [*Error]. The error is about the body itself, when it is none of these; a call that failed is
// no error here. The body is copied.
func ParseResponse(body []byte) (Response, error) {
	if err := scan.Valid(body); err != nil {
		return nil, fmt.Errorf("the response is not valid JSON: %w", err)
	}
	body = slices.Clone(body)
	c, ok := openObject(body)
	if !ok {
		return nil, errors.New("the response is not a JSON object")
	}
	var v, kind, output, result []byte
	for {
		name, value, ok := c.next()
		if !ok {
			break
		}
		switch string(name) {
		case "v":
			v = value
		case "kind":
			kind = value
		case "output":
			output = value
		case "result":
			result = value
		}
	}
	if !isVersion(v) {
		return nil, fmt.Errorf("the response is of protocol v%s, not v2", inJSON(v))
	}
	switch {
	case !isString(kind):
	case string(scan.Unquote(kind)) == "result":
		if output == nil {
			return nil, errors.New("the response has no output")
		}
		return &ToolResult{Output: output}, nil
	case string(scan.Unquote(kind)) == "check-result":
		if result == nil {
			return nil, errors.New("the response has no result")
		}
		r := new(CheckResult)
		if err := r.UnmarshalJSON(result); err != nil {
			return nil, fmt.Errorf("the response's result: %w", err)
		}
		return r, nil
	case string(scan.Unquote(kind)) == "error":
		e := new(Error)
		if err := e.UnmarshalJSON(body); err != nil {
			return nil, fmt.Errorf("the response's error: %w", err)
		}
		return e, nil
	}
	return nil, fmt.Errorf("the response is of an unknown kind, %s", plain(kind))
}

// envelope visits what every message begins with, and is written with whatever was read.
func (v *visitor) envelope(kind string) {
	z := v.zeros
	v.zeros = nil
	version := Version
	integer(v, "v", &version, always)
	v.constant("kind", kind)
	v.zeros = z
}
