package pack

import (
	"fmt"
	"log/slog"

	"github.com/kindgi/kindgi-go/internal/record"
)

// serves notes that a service of the pack was made, which is the end of registration.
func (b *Builder) serves(log *record.Handler) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.served = log
}

// isLate reports whether a thing is registered when a service of the pack has been made, which does not
// have it. That is a problem of the pack, and an error record of that service, which is running. The
// caller holds b.mu.
func (b *Builder) isLate(at source, thing entry) bool {
	if b.served == nil {
		return false
	}
	err := registrationError(at, "%v is registered too late: the pack's service was made before and does not have it; register before Serve or Builder.Service", thing)
	b.problems = append(b.problems, err)
	b.late = append(b.late, err)
	b.served.Event(slog.LevelError, "registration-late", fmt.Sprintf("registration-late: %v", err), nil,
		slog.Any("problems", []string{err.Error()}))
	return true
}

// lateSince gives the problems of late registrations after the first n.
func (b *Builder) lateSince(n int) []error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.late[n:len(b.late):len(b.late)]
}
