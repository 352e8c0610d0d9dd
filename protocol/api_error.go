package protocol

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// APIError is what a runtime's API answers with when it refuses a request: the error object of
// {"error":{code, message, details, requestId}}.
type APIError struct {
	Code      string // stable, for programs
	Message   string // for people
	Details   jsontext.Value
	RequestID string // what the runtime's operators find the request by; also the X-Request-Id header

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// ParseAPIError reads the body of a refusal. The error is about the body itself, when it is no such
// envelope: a proxy's page, say. The body is copied.
func ParseAPIError(body []byte) (*APIError, error) {
	if err := scan.Valid(body); err != nil {
		return nil, err
	}
	members, ok := openObject(body)
	for ok {
		var name, value []byte
		if name, value, ok = members.next(); ok && string(name) == "error" && isObject(value) {
			e := new(APIError)
			return e, e.UnmarshalJSON(value)
		}
	}
	return nil, errors.New("no error object in the body")
}

// Error gives the message, the code and the request's id, as far as there are any.
func (e *APIError) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if b.Len() == 0 {
		b.WriteString("the runtime refused the request")
	}
	if e.Code != "" {
		b.WriteString(" (" + e.Code + ")")
	}
	if e.RequestID != "" {
		b.WriteString(", request " + e.RequestID)
	}
	return b.String()
}

// MarshalJSON gives the error object, without the envelope around it.
func (e APIError) MarshalJSON() ([]byte, error) { return marshalObject(&e) }

// UnmarshalJSON reads the error object, without the envelope around it.
func (e *APIError) UnmarshalJSON(data []byte) error { return unmarshalObject(data, e, false) }

func (e *APIError) visit(v *visitor) {
	v.open(&e.Unknown, &e.zeros)
	text(v, "code", &e.Code, optional)
	text(v, "message", &e.Message, optional)
	v.raw("details", &e.Details, optional)
	text(v, "requestId", &e.RequestID, optional)
}
