package pack

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// ServeHTTP answers a request. See [Service].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// watched is route with a record of each request that is refused.
func (s *Service) watched(w http.ResponseWriter, r *http.Request) {
	seen := &statusWriter{ResponseWriter: w}
	s.route(seen, r)
	if seen.status >= http.StatusBadRequest {
		s.recordRefusal(r, seen.status)
	}
}

// route is where every request arrives: it checks the route, the method, the token and
// the tenant, in this order, and reads no body before all four are right.
func (s *Service) route(w http.ResponseWriter, r *http.Request) {
	arrival := time.Now()
	defer s.answerPanic(w, r)

	// The path as it was sent: one that only means the same, by its %-escapes or its
	// slashes, is another path, and is not answered by a redirect, which would make a
	// client send its token again.
	path := cmp.Or(r.URL.EscapedPath(), "/") // a target such as http://host has none
	method := http.MethodGet
	switch path {
	case protocol.PathInvoke:
		method = http.MethodPost
	case protocol.PathInfo, protocol.PathHealth, protocol.PathReady:
	default:
		refuse(w, r, http.StatusNotFound, errorBody("No route "+path))
		return
	}
	if r.Method != method {
		w.Header()["Allow"] = []string{method}
		refuse(w, r, http.StatusMethodNotAllowed, errorBody("Use "+method))
		return
	}
	switch path {
	case protocol.PathHealth:
		refuse(w, r, http.StatusOK, []byte(`{"status":"ok"}`))
		return
	case protocol.PathReady:
		if body := s.unready(); body != nil {
			w.Header()["Retry-After"] = retryAfter
			refuse(w, r, http.StatusServiceUnavailable, body)
			return
		}
		refuse(w, r, http.StatusOK, []byte(`{"status":"ready"}`))
		return
	}
	if !s.tokenIsRight(r) {
		refuse(w, r, http.StatusUnauthorized, errorBody("Bad pack token"))
		return
	}
	if pinned := s.options.TenantID; pinned != "" && header(r.Header, protocol.HeaderTenantID) != pinned {
		refuse(w, r, http.StatusMisdirectedRequest, tenantMismatch)
		return
	}
	if path == protocol.PathInfo {
		info, err := s.info()
		if err != nil {
			panic(err) // answered with 500 and recorded; a catalog's texts are valid, so it cannot be
		}
		refuse(w, r, http.StatusOK, info)
		return
	}
	s.invoke(w, r, arrival)
}

var (
	retryAfter     = []string{"1"}
	tenantMismatch = []byte(`{"code":"pack-tenant-mismatch"}`)
)

// header gives the value of a header whose name is in canonical form already, which
// [http.Header.Get] would make sure of every time. One that was sent several times has all
// its values, as a list (RFC 9110, section 5.3): the first may be right and the next one,
// which something between the caller and here might go by, another's. None of the headers
// a service reads is a list, so it counts for none.
func header(h http.Header, name string) string {
	switch values := h[name]; len(values) {
	case 0:
		return ""
	case 1:
		return values[0]
	default:
		return strings.Join(values, ", ")
	}
}

// tokenIsRight compares digests, in constant time, so that neither the time nor the
// length of a wrong token tells anything about the right one.
func (s *Service) tokenIsRight(r *http.Request) bool {
	sent := sha256.Sum256([]byte(header(r.Header, protocol.HeaderToken)))
	return subtle.ConstantTimeCompare(sent[:], s.token[:]) == 1
}

// unready gives the body of the 503 that answers /readyz and invokes, nil when ready.
func (s *Service) unready() []byte {
	if s.gate.isDraining() {
		return errorBody("draining")
	}
	if s.lacksEnv() {
		b := []byte(`{"error":"missing env","missingEnv":[`)
		for i, name := range s.missingEnv {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendQuoted(b, name)
		}
		return append(b, `]}`...)
	}
	return nil
}

// errorBody is the body of an answer that is not a message of the protocol.
func errorBody(text string) []byte {
	return append(appendQuoted([]byte(`{"error":`), text), '}')
}

// appendQuoted appends a JSON string. Invalid UTF-8 becomes U+FFFD.
func appendQuoted(b []byte, text string) []byte {
	b, err := jsontext.AppendQuote(b, text)
	_ = err // only says that invalid UTF-8 was replaced
	return b
}
