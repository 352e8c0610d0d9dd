package protocol_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

// TestOpenObjectsLoseNothing reads random objects, whose members have the names this package knows and
// values of every type, as one of a runtime's and writes them again: the value is the same.
func TestOpenObjectsLoseNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	n := 5000
	if testing.Short() {
		n = 1000
	}
	for range n {
		var b strings.Builder
		randomObject(&b, r, 0)
		for _, v := range []interface {
			json.Marshaler
			json.Unmarshaler
		}{new(protocol.ToolManifest), new(protocol.RunTrace), new(protocol.APIError), new(protocol.Issue), new(protocol.Cause)} {
			if err := v.UnmarshalJSON([]byte(b.String())); err != nil {
				t.Fatalf("%s: %v", &b, err)
			}
			got, err := v.MarshalJSON()
			if err != nil {
				t.Fatalf("%s: %v", &b, err)
			}
			sameValue(t, got, []byte(b.String()))
			if t.Failed() {
				t.Fatalf("read as %T", v)
			}
		}
	}
}

var knownNames = strings.Fields(`id version description input output effects needs needsSpec sandbox limits network mutating spec
	transport codeArtifactRef secretScopes runId tenantId projectId agentId toolCalls toolResults modelCalls userInput
	retrievedFactIds turnNumber totalCostUsd durationMs mode attributes toolId toolName arguments at toolCallId providerId
	promptTokens completionTokens kind resource notes name optional env secrets config capabilities bindings connections as
	memMB cpuMs hosts method urlTemplate headers authorization requestBody timeoutMs parseJson successStatus secretRef envName
	headerName template min max value code message details requestId instancePath params keyword stack unknown`)

func randomObject(b *strings.Builder, r *rand.Rand, depth int) {
	b.WriteByte('{')
	for i, k := range r.Perm(len(knownNames))[:r.IntN(12)] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + knownNames[k] + `":`)
		if knownNames[k] == "kind" && r.IntN(2) == 0 {
			b.WriteString(`"http"`)
			continue
		}
		randomMember(b, r, depth+1)
	}
	b.WriteByte('}')
}

func randomMember(b *strings.Builder, r *rand.Rand, depth int) {
	kind := r.IntN(10)
	if depth > 3 {
		kind = r.IntN(6)
	}
	switch kind {
	case 0:
		b.WriteString([]string{"null", "true", "false"}[r.IntN(3)])
	case 1, 2:
		b.WriteString([]string{"0", "-0", "0.0", "1", "1.0", "1e2", "-7.25", "1e300", "9007199254740993", "0.1", "0.1000000000000000000001",
			"99999999999999999999", "1e-300", "123456789012345678e-5"}[r.IntN(14)])
	case 3, 4, 5:
		b.WriteString([]string{`""`, `"http"`, `"a\u0000\/"`, `"2026-01-02T03:04:05.678Z"`, `"é"`}[r.IntN(5)])
	case 6, 7:
		b.WriteByte('[')
		for i := range r.IntN(3) {
			if i > 0 {
				b.WriteByte(',')
			}
			randomMember(b, r, depth+1)
		}
		b.WriteByte(']')
	default:
		randomObject(b, r, depth+1)
	}
}
