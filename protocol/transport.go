package protocol

import "time"

// The headers of a call and of its answer (pack protocol, "Transport"), in the form that
// [net/http.Header] has them as keys.
const (
	// HeaderToken carries the token that the runtime and the pack service share. A call without it is
	// refused. It is not Authorization, where platforms put an identity token of their own.
	HeaderToken = "Kindgi-Pack-Token"
	// HeaderTimeout carries the call's deadline, a positive number of milliseconds from now. Without
	// it, or with anything else in it, the call has [DefaultTimeout].
	HeaderTimeout = "Kindgi-Timeout-Ms"
	// HeaderRunID carries the run's id, for records.
	HeaderRunID = "Kindgi-Run-Id"
	// HeaderRequestID carries the request's id, for records.
	HeaderRequestID = "Kindgi-Request-Id"
	// HeaderProtocol carries the version of the protocol that the runtime speaks.
	HeaderProtocol = "Kindgi-Protocol"
	// HeaderTraceParent carries the run's trace (W3C Trace Context). Optional.
	HeaderTraceParent = "Traceparent"
	// HeaderTenantID carries the tenant the call is for, set by the runtime from the deployment it
	// routed the call to. Optional, unless the service is pinned to one tenant
	// (KINDGI_PACK_TENANT_ID): then a call, and a request for [PathInfo], without it or with another
	// tenant in it is refused with 421.
	HeaderTenantID = "Kindgi-Tenant-Id"
	// HeaderDuration carries, in the answer to an invoke, how many whole milliseconds the call took.
	HeaderDuration = "Kindgi-Duration-Ms"
	// HeaderArtifactVersion carries, in the answer to an invoke, the artifact version that answered.
	HeaderArtifactVersion = "Kindgi-Artifact-Version"
)

// The routes of a pack service.
const (
	PathInvoke = "/v1/invoke" // POST a request message, with the token
	PathInfo   = "/v1/info"   // GET an [Info], with the token
	PathHealth = "/healthz"   // GET whether the process is up
	PathReady  = "/readyz"    // GET whether it takes calls
)

// MaxBodyBytes is the largest request body that a pack service reads: 10 MiB.
const MaxBodyBytes = 10 << 20

// DefaultTimeout is a call's deadline when the caller names none.
const DefaultTimeout = 120 * time.Second
