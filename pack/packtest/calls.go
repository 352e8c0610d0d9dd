package packtest

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// callHeader carries the id of a call from [Service.invoke] to the server of the same test.
const callHeader = "packtest-call"

// calls knows which calls under way have ended at the service, which is after their answer: a
// service writes a call's record last.
type calls struct {
	last  atomic.Uint64
	ended sync.Map // of an id, a chan struct{}
}

// begin gives a new call's id, and the channel that closes when it has ended.
func (c *calls) begin() (id string, ended <-chan struct{}) {
	id = strconv.FormatUint(c.last.Add(1), 10)
	end := make(chan struct{})
	c.ended.Store(id, end)
	return id, end
}

// forget lets a call go, which may not have come to the server.
func (c *calls) forget(id string) { c.ended.Delete(id) }

// watch is a service's handler that tells which calls have ended.
func (c *calls) watch(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := r.Header.Get(callHeader); id != "" {
			r.Header.Del(callHeader)
			if end, ok := c.ended.LoadAndDelete(id); ok {
				defer close(end.(chan struct{}))
			}
		}
		service.ServeHTTP(w, r)
	})
}

// These bound the wait for records, which a test may itself be in the way of: with an output
// that it reads later, or, more likely, with an OnCall that waits for the test.
const (
	recordsTime       = time.Second
	recordsTimeOnCall = 100 * time.Millisecond
)

// awaitRecords waits for the records of a call that has been answered, or, with nil, for those
// there are, so that they stand in the test's log before what the test says next.
func (s *Service) awaitRecords(ended <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), s.patience)
	defer cancel()
	if ended != nil {
		select {
		case <-ended:
		case <-ctx.Done():
			return
		}
	}
	_ = s.Flush(ctx) // what cannot be written fails the test at its end
}
