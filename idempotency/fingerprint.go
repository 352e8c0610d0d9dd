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
	var length [8]byte
	for _, s := range scope {
		binary.BigEndian.PutUint64(length[:], uint64(len(s)))
		h.Write(length[:])
		h.Write([]byte(s))
	}
	// The number of scopes closes their list, so that no input can pass for one more of them.
	binary.BigEndian.PutUint64(length[:], uint64(len(scope)))
	h.Write(length[:])
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
