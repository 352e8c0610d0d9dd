package idempotency

import (
	"errors"
	"strings"
)

var (
	// ErrInvalidKey says that a text or a [Key] cannot be an idempotency key: see [ParseKey] and [Key].
	ErrInvalidKey = errors.New("not an idempotency key")

	// ErrInProgress says that the work of a key is running elsewhere and that the call did not wait, or
	// not longer, for its result. When the call's context ended the wait, the error matches the
	// context's error as well.
	ErrInProgress = errors.New("the work of this key is in progress")

	// ErrKeyReused says that a key was used before with another fingerprint: the caller sent one key for
	// two different inputs. Trying again does not help.
	ErrKeyReused = errors.New("the key was used before with another input")

	// ErrLeaseLost says that the key went to another owner while the work was running, or may have: the
	// lease could not be renewed in time. Nothing was recorded by this call. A later call gets what the
	// other owner records.
	ErrLeaseLost = errors.New("the lease of the key was lost")

	// ErrNotRecorded says that the work was done but that its outcome could not be recorded, because the
	// store failed until the call gave up. Once the lease ends the work may be done again.
	ErrNotRecorded = errors.New("the work was done but not recorded")

	// ErrFull says that a bounded store has no room for another key. The work was not begun.
	ErrFull = errors.New("the store is full")
)

// PermanentError is a failure that is recorded: every later call of the key gets it instead of another
// try.
type PermanentError struct {
	// Message is the text of the error that the work returned, the same in every call.
	Message string
	// Err is the error itself, in the call whose work returned it. An error does not survive being
	// written down, so in every later call it is nil. What callers must be able to tell apart later
	// belongs in the result, not in an error.
	Err error
}

// Error gives e.Message.
func (e *PermanentError) Error() string { return e.Message }

// Unwrap gives e.Err.
func (e *PermanentError) Unwrap() error { return e.Err }

// Permanent marks an error of the work as final: [Do] and [DoTx] record it, and the work is never tried
// again under its key. An error without the mark is not recorded, and the next call of the key tries
// again. The mark is found anywhere in the chain of errors that the work returns. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &PermanentError{Message: err.Error(), Err: err}
}

// failureText gives the text of err as every store can hold it.
func failureText(err error) string {
	return strings.ToValidUTF8(strings.ReplaceAll(err.Error(), "\x00", "\uFFFD"), "\uFFFD")
}
