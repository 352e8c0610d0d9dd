package pack

import "sync"

// keptBuffer is the largest buffer that is kept for another call, in bytes: a few large
// answers must not hold memory for ever.
const keptBuffer = 64 << 10

// buffer is memory in which a part of an answer is written. It never holds anything that a
// handler can see: an answer is written after the handler has ended, from what it left, and
// net/http has taken it when the buffer is given back.
type buffer struct{ bytes []byte }

// buffers lends buffers, which are empty.
type buffers struct {
	pool     sync.Pool
	poisoned bool // what is given back is overwritten, for the tests
}

func (p *buffers) get() *buffer {
	if b, ok := p.pool.Get().(*buffer); ok {
		return b
	}
	return &buffer{make([]byte, 0, 512)}
}

// put takes a buffer back; nil is none. A call that panics does not come to give its
// buffers back, and nothing is lost by that.
func (p *buffers) put(b *buffer) {
	if b == nil || cap(b.bytes) > keptBuffer {
		return
	}
	if p.poisoned {
		all := b.bytes[:cap(b.bytes)]
		for i := range all {
			all[i] = '!'
		}
	}
	b.bytes = b.bytes[:0]
	p.pool.Put(b)
}
