package idempotency

import "context"

// attempt is one run of the work of a key, as its context carries it.
type attempt struct {
	claim Claim
	outer *attempt // the attempt whose work made this call, if any
}

type attemptContextKey struct{}

// withAttempt gives the context that the work of claim runs in.
func withAttempt(ctx context.Context, claim Claim) context.Context {
	outer, _ := ctx.Value(attemptContextKey{}).(*attempt)
	return context.WithValue(ctx, attemptContextKey{}, &attempt{claim: claim, outer: outer})
}

// insideWorkOf reports whether ctx belongs to the work of key: waiting for that work would then be
// waiting for oneself.
func insideWorkOf(ctx context.Context, key Key) bool {
	a, _ := ctx.Value(attemptContextKey{}).(*attempt)
	for ; a != nil; a = a.outer {
		if a.claim.Key.same(key) {
			return true
		}
	}
	return false
}

// Token gives the fencing token of the attempt whose work ctx belongs to, and false outside the work of
// [Do] and [DoTx]. A later attempt of the same key has a greater token. A system that remembers the
// greatest token it has seen for a key, and refuses a smaller one, cannot be written to by an owner that
// lost its lease without noticing.
func Token(ctx context.Context) (token int64, ok bool) {
	a, ok := ctx.Value(attemptContextKey{}).(*attempt)
	if !ok {
		return 0, false
	}
	return a.claim.Token, true
}
