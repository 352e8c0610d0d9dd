package protocol

import "time"

// Version is the protocol version every message carries in its "v" field.
const Version = 2

// The headers of a call and of its answer, as [net/http.Header.Get] takes them.
const (
	HeaderToken           = "Kindgi-Pack-Token"
	HeaderTimeout         = "Kindgi-Timeout-Ms"
	HeaderRunID           = "Kindgi-Run-Id"
	HeaderRequestID       = "Kindgi-Request-Id"
	HeaderProtocol        = "Kindgi-Protocol"
	HeaderTraceParent     = "Traceparent"
	HeaderTenantID        = "Kindgi-Tenant-Id"
	HeaderDuration        = "Kindgi-Duration-Ms"
	HeaderArtifactVersion = "Kindgi-Artifact-Version"
)

// The routes of a pack service.
const (
	PathInvoke = "/v1/invoke"
	PathInfo   = "/v1/info"
	PathHealth = "/healthz"
	PathReady  = "/readyz"
)

// MaxBodyBytes is the largest request body a pack service reads: 10 MiB.
const MaxBodyBytes = 10 << 20

// DefaultTimeout is a call's deadline when the caller names none.
const DefaultTimeout = 120 * time.Second
