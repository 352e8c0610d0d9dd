package idempotency

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// ParseKey checks that text is the idempotency key of a step, a version 5 UUID in the form of
// RFC 9562, section 4 (8-4-4-4-12 hex digits, nothing around them), and gives it in lower case: hex
// digits are read in either case, and two spellings of one key must not become two records. The error
// matches [ErrInvalidKey].
func ParseKey(text string) (string, error) {
	if len(text) != 36 {
		return "", fmt.Errorf("idempotency: %w: it has %d bytes, a UUID has 36", ErrInvalidKey, len(text))
	}
	if text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return "", fmt.Errorf("idempotency: %w: it is not grouped 8-4-4-4-12 by hyphens", ErrInvalidKey)
	}
	var id [16]byte
	digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return "", fmt.Errorf("idempotency: %w: it has a character that is not a hex digit", ErrInvalidKey)
	}
	if version := id[6] >> 4; version != 5 {
		return "", fmt.Errorf("idempotency: %w: it is a UUID of version %d, not 5", ErrInvalidKey, version)
	}
	if id[8]>>6 != 0b10 {
		return "", fmt.Errorf("idempotency: %w: it is not a UUID of the variant that RFC 9562 describes", ErrInvalidKey)
	}
	return strings.ToLower(text), nil
}
