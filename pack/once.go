package pack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/schema"
)

// ErrNoKey says that the runtime sent no idempotency key with the call, so that nothing
// can tell the call from its repetition. An older runtime sends none; [AllowMissingKey]
// does the work all the same.
var ErrNoKey = errors.New("the call carries no idempotency key: the runtime sends none (ctx.idempotencyKey); allow that with pack.AllowMissingKey")

// ErrNameUsed says that a handler has done something once already by the same name, or
// without one: it would get the result of that, and what it wants done now would never run.
// [OnceNamed] tells the two apart. It is looked for in a service's calls, not in contexts that
// [WithCall] makes, which may stand for several runs of one call.
var ErrNameUsed = errors.New("this call has used it already; give each thing that it does once a name of its own with pack.OnceNamed")

// Once does the work of a handler once, however often the runtime runs the call: the first
// time by running fn, every later time by giving the recorded result. The key, the tenant
// and the input are those of the call that ctx belongs to; another input under the same
// key is [idempotency.ErrKeyReused]. A context that [WithCall] makes has no input: what is
// recorded in it is given for every input.
//
//	func charge(ctx context.Context, in Order) (Receipt, error) {
//		return pack.Once(ctx, store, func(ctx context.Context) (Receipt, error) {
//			return payments.Charge(ctx, in)
//		})
//	}
//
// A tool that is registered as ReadOnly should have nothing to do once: a runtime calls it without
// asking anybody. The first call of one that does so is a "once-in-read-only" record, at level warn.
//
// [idempotency.Do] says what is promised and what cannot be. A handler that does several
// things once names each ([OnceNamed]). Errors of its own: [ErrNoKey], [ErrNameUsed], and one
// that matches [idempotency.ErrInvalidKey] when the key is not one the protocol allows. After
// an error the handler may try again by the same name.
func Once[Out any](ctx context.Context, store idempotency.Store, fn func(context.Context) (Out, error), options ...OnceOption) (Out, error) {
	o, key, err := onceKey(ctx, options)
	missing := errors.Is(err, ErrNoKey) && o.allowMissing
	if err != nil && !missing {
		var none Out
		return none, err
	}
	return useName(ctx, o.name, func() (Out, error) {
		if missing {
			return fn(ctx)
		}
		return idempotency.Do(ctx, store, key, fn, o.options...)
	})
}

// OnceTx is [Once] for work that writes to the database that also holds the records: fn
// gets a transaction, and what it writes there commits together with the record, or not
// at all. See [idempotency.DoTx].
func OnceTx[Tx, Out any](ctx context.Context, store idempotency.TxStore[Tx], fn func(context.Context, Tx) (Out, error), options ...OnceOption) (Out, error) {
	o, key, err := onceKey(ctx, options)
	if errors.Is(err, ErrNoKey) && o.allowMissing {
		// The work still wants its transaction. Nobody else will ever use this key.
		key.ID, err = "keyless-"+rand.Text(), nil
	}
	if err != nil {
		var none Out
		return none, err
	}
	return useName(ctx, o.name, func() (Out, error) { return idempotency.DoTx(ctx, store, key, fn, o.options...) })
}

// onceNames are the names that one run of a handler has used.
type onceNames struct {
	mu   sync.Mutex
	used map[string]bool
}

// onceNamesKey is the key of the *onceNames in the context that a service gives a handler. The
// context of a unit test has none: it may stand for several runs.
type onceNamesKey struct{}

// useName does the work of one name, unless this run of the handler has done some by that
// name, or is doing it. The name is free again when the work fails.
func useName[Out any](ctx context.Context, name string, work func() (Out, error)) (out Out, err error) {
	names, ok := ctx.Value(onceNamesKey{}).(*onceNames)
	if !ok {
		return work()
	}
	warnReadOnly(ctx)
	names.mu.Lock()
	taken := names.used[name]
	if names.used == nil {
		names.used = map[string]bool{}
	}
	names.used[name] = true
	names.mu.Unlock()
	if taken {
		return out, fmt.Errorf("once: the name %q: %w", name, ErrNameUsed)
	}
	done := false
	defer func() {
		if !done {
			names.mu.Lock()
			defer names.mu.Unlock()
			delete(names.used, name)
		}
	}()
	out, err = work()
	done = err == nil
	return out, err
}

// warnReadOnly records that a tool which says that it only reads does something once, when it
// does so for the first time.
func warnReadOnly(ctx context.Context) {
	call, ok := CallFromContext(ctx)
	if !ok || call.log == nil || call.didOnce == nil || !call.didOnce.CompareAndSwap(false, true) {
		return
	}
	call.log.Event(slog.LevelWarn, "once-in-read-only", "tool "+call.ToolID+" is registered as ReadOnly, and does something once: "+
		"runtimes call read-only tools without asking a person; register it without ReadOnly if it changes anything", nil)
}

// OnceOption changes how [Once] and [OnceTx] work.
type OnceOption func(*onceOptions)

type onceOptions struct {
	allowMissing bool
	name         string
	options      []idempotency.Option
}

// AllowMissingKey does the work when the runtime sent no key, every time it runs the call.
// Without it such a call fails with [ErrNoKey].
func AllowMissingKey() OnceOption { return func(o *onceOptions) { o.allowMissing = true } }

// OnceNamed tells several things apart that one call does once, such as "charge" and
// "mail". Within a call each name is used once; no name is a name like any other.
func OnceNamed(name string) OnceOption { return func(o *onceOptions) { o.name = name } }

// OnceWith passes options on to [idempotency.Do] or [idempotency.DoTx], such as
// [idempotency.WithRetention].
func OnceWith(options ...idempotency.Option) OnceOption {
	return func(o *onceOptions) { o.options = append(o.options, options...) }
}

// onceKey makes the key of the call that ctx belongs to. When the call has none, the error
// is ErrNoKey and the key lacks its ID only.
func onceKey(ctx context.Context, options []OnceOption) (onceOptions, idempotency.Key, error) {
	// What a handler returns is encoded as its schema says, so a recorded result is.
	o := onceOptions{options: []idempotency.Option{idempotency.WithEncoding(schema.Marshal, schema.Unmarshal)}}
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	call, ok := CallFromContext(ctx)
	if !ok {
		return o, idempotency.Key{}, errors.New("once: the context is not that of a handler: pass on the one it got")
	}
	key := idempotency.Key{Tenant: call.TenantID}
	fingerprint, err := call.fingerprint(o.name)
	if err != nil {
		return o, key, err
	}
	key.Fingerprint = fingerprint
	if call.IdempotencyKey == "" {
		return o, key, ErrNoKey
	}
	if key.ID, err = idempotency.ParseKey(call.IdempotencyKey); err != nil {
		return o, key, fmt.Errorf("the runtime's idempotency key: %w", err)
	}
	if o.name != "" {
		key.ID += "/" + o.name
	}
	return o, key, nil
}

// fingerprint stands for the call's input, as the runtime sent it: defaults are not part of
// it, since a new version of the tool may have others.
func (c *Call) fingerprint(name string) (string, error) {
	if len(c.input) == 0 {
		return "", nil
	}
	f, err := idempotency.FingerprintJSON(c.input, c.ToolID, name)
	if err != nil {
		return "", fmt.Errorf("the call's input: %w", err)
	}
	return f, nil
}
