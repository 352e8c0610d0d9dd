package pack

import (
	"maps"
	"slices"
	"sync"
)

// gate lets calls in until the service drains, and knows those that are in.
type gate struct {
	mu       sync.Mutex
	draining bool
	calls    map[*invocation]struct{}
	empty    chan struct{} // made by drain; closed when the last call has left
}

// enter lets a call in; false while draining.
func (g *gate) enter(c *invocation) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.draining {
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
	if g.draining && len(g.calls) == 0 {
		close(g.empty)
	}
}

func (g *gate) isDraining() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.draining
}

// close turns new calls away and gives a channel that is closed once the last call has
// left.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.draining {
		g.draining = true
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
