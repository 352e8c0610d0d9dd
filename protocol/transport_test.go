package protocol_test

import (
	"net/http"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

// A header's name must be a key of http.Header as it is, and on the wire the protocol's name.
func TestHeaders(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		protocol.HeaderToken:           "kindgi-pack-token",
		protocol.HeaderTimeout:         "kindgi-timeout-ms",
		protocol.HeaderRunID:           "kindgi-run-id",
		protocol.HeaderRequestID:       "kindgi-request-id",
		protocol.HeaderProtocol:        "kindgi-protocol",
		protocol.HeaderTraceParent:     "traceparent",
		protocol.HeaderTenantID:        "kindgi-tenant-id",
		protocol.HeaderDuration:        "kindgi-duration-ms",
		protocol.HeaderArtifactVersion: "kindgi-artifact-version",
	} {
		if got := http.CanonicalHeaderKey(want); got != name {
			t.Errorf("%s is %s", got, name)
		}
	}
}
