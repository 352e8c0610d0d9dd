package idempotency

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Fingerprint gives a short text that stands for input: the SHA-256 of its bytes and of every scope, in
// hex. A scope says what else belongs to the identity of the work, such as the tool that does it: the
// same input under another scope has another fingerprint. Scopes are kept apart, so ("ab", "c") and
// ("a", "bc") differ.
func Fingerprint(input []byte, scope ...string) string {
	h := sha256.New()
	// Every part says how long it is before it comes, so that no input can pass for a scope.
	number := func(n int) { h.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) }
	number(len(scope))
	for _, s := range scope {
		number(len(s))
		h.Write([]byte(s))
	}
	h.Write(input)
	return hex.EncodeToString(h.Sum(nil))
}

// FingerprintJSON is [Fingerprint] for an input that is a JSON value: two spellings of one value have
// one fingerprint. White space, the order of an object's members, the escapes of a string and the way a
// fraction is written (0.10, 1e-1) make no difference; whole numbers count digit by digit, also beyond
// 2^53. The value is put into the form of RFC 8785 first, with that exception. input is not changed.
//
// The error says that input is not one valid JSON value with unique member names.
func FingerprintJSON(input []byte, scope ...string) (string, error) {
	value := jsontext.Value(bytes.Clone(input))
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		return "", fmt.Errorf("idempotency: an input without a fingerprint: %w", err)
	}
	return Fingerprint(value, scope...), nil
}
