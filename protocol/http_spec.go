package protocol

import "github.com/go-json-experiment/json/jsontext"

// HTTPSpec is a tool as data: the runtime itself makes the request, no handler runs. Its kind, "http",
// is written for it.
//
//	protocol.HTTPSpec{
//		Method:      "GET",
//		URLTemplate: "https://api.example.com/orders/{number}",
//		Authorization: &protocol.HTTPAuthorization{
//			Kind:      protocol.AuthorizationBearer,
//			SecretRef: &protocol.SecretRef{EnvName: "production", Name: "ORDERS_TOKEN"},
//		},
//	}
type HTTPSpec struct {
	Method string // GET, POST, PUT, PATCH or DELETE
	// URLTemplate is the URL, with {name} where the field of that name of the input goes.
	URLTemplate   string
	Headers       []HTTPHeader       // left out when nil
	Authorization *HTTPAuthorization // nil sends none
	RequestBody   *HTTPRequestBody   // nil sends none
	TimeoutMs     int                // milliseconds; 0 is the runtime's default, 30000
	ParseJSON     *bool              // whether the response is parsed as JSON; nil is the default, true
	SuccessStatus *StatusRange       // nil is the runtime's default

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the spec as a manifest carries it.
func (s HTTPSpec) MarshalJSON() ([]byte, error) { return marshalObject(&s) }

// UnmarshalJSON reads a spec; one of another kind is an error.
func (s *HTTPSpec) UnmarshalJSON(data []byte) error { return unmarshalObject(data, s, true) }

func (s *HTTPSpec) visit(v *visitor) {
	v.open(&s.Unknown, &s.zeros)
	v.constant("kind", "http")
	text(v, "method", &s.Method, required)
	text(v, "urlTemplate", &s.URLTemplate, required)
	list(v, "headers", &s.Headers, optional)
	one(v, "authorization", &s.Authorization, optional)
	one(v, "requestBody", &s.RequestBody, optional)
	integer(v, "timeoutMs", &s.TimeoutMs, optional)
	v.choice("parseJson", &s.ParseJSON, optional)
	one(v, "successStatus", &s.SuccessStatus, optional)
}

// HTTPHeader is a header of an [HTTPSpec]'s request.
type HTTPHeader struct {
	Name  string
	Value string

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the header as a manifest carries it.
func (h HTTPHeader) MarshalJSON() ([]byte, error) { return marshalObject(&h) }

// UnmarshalJSON reads a header.
func (h *HTTPHeader) UnmarshalJSON(data []byte) error { return unmarshalObject(data, h, true) }

func (h *HTTPHeader) visit(v *visitor) {
	v.open(&h.Unknown, &h.zeros)
	text(v, "name", &h.Name, required)
	text(v, "value", &h.Value, required)
}

// The kinds of [HTTPAuthorization] that have fields of their own here.
const (
	AuthorizationBearer = "bearer" // Authorization: Bearer and the secret
	AuthorizationHeader = "header" // a header of its own with the secret
)

// HTTPAuthorization says how an [HTTPSpec]'s request proves who sends it.
type HTTPAuthorization struct {
	Kind       string
	HeaderName string     // for [AuthorizationHeader]; left out when ""
	SecretRef  *SecretRef // for both kinds; left out when nil

	// Unknown has further members, such as those that name a connection the tool declares.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the authorization as a manifest carries it.
func (a HTTPAuthorization) MarshalJSON() ([]byte, error) { return marshalObject(&a) }

// UnmarshalJSON reads an authorization.
func (a *HTTPAuthorization) UnmarshalJSON(data []byte) error { return unmarshalObject(data, a, true) }

func (a *HTTPAuthorization) visit(v *visitor) {
	v.open(&a.Unknown, &a.zeros)
	text(v, "kind", &a.Kind, loose)
	text(v, "headerName", &a.HeaderName, optional)
	one(v, "secretRef", &a.SecretRef, optional)
}

// SecretRef names a secret of the runtime. It holds no secret.
type SecretRef struct {
	EnvName string // the runtime's env the secret is read in
	Name    string

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the reference as a manifest carries it.
func (r SecretRef) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a reference.
func (r *SecretRef) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, true) }

func (r *SecretRef) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	text(v, "envName", &r.EnvName, required)
	text(v, "name", &r.Name, required)
}

// The kinds of [HTTPRequestBody].
const (
	BodyJSONInput        = "json-input"        // the input, as JSON
	BodyInputPassthrough = "input-passthrough" // the input, as it is
	BodyText             = "text"              // Template, with {name} where the input's field goes
)

// HTTPRequestBody is what an [HTTPSpec]'s request sends.
type HTTPRequestBody struct {
	Kind     string
	Template string // for [BodyText]; left out when ""

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the body as a manifest carries it.
func (b HTTPRequestBody) MarshalJSON() ([]byte, error) { return marshalObject(&b) }

// UnmarshalJSON reads a body.
func (b *HTTPRequestBody) UnmarshalJSON(data []byte) error { return unmarshalObject(data, b, true) }

func (b *HTTPRequestBody) visit(v *visitor) {
	v.open(&b.Unknown, &b.zeros)
	text(v, "kind", &b.Kind, required)
	text(v, "template", &b.Template, optional)
}

// StatusRange is a range of HTTP statuses, both ends included.
type StatusRange struct {
	Min int
	Max int

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the range as a manifest carries it.
func (r StatusRange) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a range.
func (r *StatusRange) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, true) }

func (r *StatusRange) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	integer(v, "min", &r.Min, required)
	integer(v, "max", &r.Max, required)
}
