package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindgi/kindgi-go/protocol"
)

// NoPromises configures the guardrail acme.orders.no-promises.
type NoPromises struct {
	Words []string `json:"words" jsonschema:"minItems=1,uniqueItems=true" jsonschema_description:"Words that an answer must not have."`
}

// CheckNoPromises lets no answer pass that promises what the desk cannot keep.
func CheckNoPromises(_ context.Context, c NoPromises, run *protocol.RunTrace) (protocol.CheckResult, error) {
	answer := strings.ToLower(run.Output)
	for _, word := range c.Words {
		if strings.Contains(answer, strings.ToLower(word)) {
			return protocol.CheckResult{Reason: fmt.Sprintf("the answer says %q", word)}, nil
		}
	}
	return protocol.CheckResult{Passed: true}, nil
}
