package pack

import "net/http"

// Transport is an [http.RoundTripper] that ties an author's outgoing requests to the call
// they are made for. It finds the call in the request's context ([CallFromContext]) and
// sets two headers, each unless the request has one already:
//
//   - traceparent (W3C Trace Context), when the caller sent one: the other system's work
//     then shows up below this call in the trace.
//   - Idempotency-Key, for a tool that is not read-only, on a request whose method is not
//     safe (RFC 9110, section 9.2.1), when the runtime sent a key: the other system can then
//     tell a call that runs again from a new one. A handler that makes several such
//     requests to one system sets a different header on each, such as the key and a word.
//
// A request whose context belongs to no call passes unchanged. A Transport is safe for
// concurrent use and must not be changed once it is used.
type Transport struct {
	// Base makes the requests. Nil: http.DefaultTransport.
	Base http.RoundTripper
}

// RoundTrip implements [http.RoundTripper]. It does not change the request.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	call, ok := CallFromContext(r.Context())
	if !ok {
		return base.RoundTrip(r)
	}
	headers := map[string]string{}
	if call.Trace != (Trace{}) {
		headers["Traceparent"] = call.Trace.String()
	}
	if call.IdempotencyKey != "" && call.CheckID == "" && !call.ReadOnly && !isSafe(r.Method) {
		headers["Idempotency-Key"] = call.IdempotencyKey
	}
	var changed *http.Request
	for name, value := range headers {
		if r.Header.Get(name) != "" {
			continue
		}
		if changed == nil {
			changed = r.Clone(r.Context())
		}
		changed.Header.Set(name, value)
	}
	if changed != nil {
		r = changed
	}
	return base.RoundTrip(r)
}

// isSafe reports whether a method asks for no change (RFC 9110, section 9.2.1).
func isSafe(method string) bool {
	switch method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}
