package pack

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// gate lets calls in until the service drains, and knows those that are in.
type gate struct {
	draining atomic.Bool // set under mu
	mu       sync.Mutex
	calls    map[*invocation]struct{}
	empty    chan struct{} // made by drain; closed when the last call has left
}

// enter lets a call in; false while draining.
func (g *gate) enter(c *invocation) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.draining.Load() {
		return false
	}
	g.calls[c] = struct{}{}
	return true
}

// leave notes that a call is answered, to its last byte.
func (g *gate) leave(c *invocation) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, c)
	if g.draining.Load() && len(g.calls) == 0 {
		close(g.empty)
	}
}

func (g *gate) isDraining() bool { return g.draining.Load() }

// close turns new calls away and gives a channel that is closed once the last call has
// left.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.draining.Load() {
		g.draining.Store(true)
		g.empty = make(chan struct{})
		if len(g.calls) == 0 {
			close(g.empty)
		}
	}
	return g.empty
}

// cancel ends every call that is in, with a cause.
func (g *gate) cancel(cause error) {
	g.mu.Lock()
	calls := slices.Collect(maps.Keys(g.calls))
	g.mu.Unlock()
	for _, c := range calls {
		c.abort(cause)
	}
}
