package idempotency

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxKeyPart is the longest part of a key, in bytes: the two parts that a database indexes must fit in
// one index entry (PostgreSQL's limit is about 2,700 bytes).
const maxKeyPart = 1024

// Key names a thing that is to be done once. It is a plain value, safe to copy.
//
// Every part is valid UTF-8 without U+0000 and has at most 1,024 bytes; [Do] refuses another key with
// [ErrInvalidKey].
type Key struct {
	// Tenant is whose key it is: the same ID under two tenants is two keys, and nothing recorded for
	// one tenant ever reaches another. A program that serves one tenant may leave it "".
	Tenant string
	// ID is the idempotency key itself: what a runtime sent, what [Step.Key] gave, or an identifier of
	// the author's own. It is compared byte by byte and must not be "".
	ID string
	// Fingerprint stands for the input of the work: see [Fingerprint] and [FingerprintJSON]. A key that
	// comes again with another fingerprint is refused with [ErrKeyReused]. "" is a fingerprint like any
	// other, so leaving it out everywhere means that inputs are not compared.
	Fingerprint string
}

// check reports why no record can have this key.
func (k Key) check() error {
	if k.ID == "" {
		return fmt.Errorf("idempotency: %w: ID is empty", ErrInvalidKey)
	}
	for _, part := range [...]struct{ name, value string }{
		{"Tenant", k.Tenant}, {"ID", k.ID}, {"Fingerprint", k.Fingerprint},
	} {
		switch {
		case len(part.value) > maxKeyPart:
			return fmt.Errorf("idempotency: %w: %s has %d bytes, more than %d", ErrInvalidKey, part.name, len(part.value), maxKeyPart)
		case !utf8.ValidString(part.value):
			return fmt.Errorf("idempotency: %w: %s is not valid UTF-8", ErrInvalidKey, part.name)
		case strings.ContainsRune(part.value, 0):
			return fmt.Errorf("idempotency: %w: %s contains U+0000", ErrInvalidKey, part.name)
		}
	}
	return nil
}

// same reports whether both keys name the same record, whatever their fingerprints.
func (k Key) same(other Key) bool { return k.Tenant == other.Tenant && k.ID == other.ID }
