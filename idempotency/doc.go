// Package idempotency does a thing once, however often it is asked for.
//
// A runtime may run the same call again: after a wait, a retry or a crash. Each time the call carries
// the same idempotency key. [Do] runs the work of a key once and gives every other call the recorded
// result:
//
//	key := idempotency.Key{Tenant: tenant, ID: id, Fingerprint: idempotency.Fingerprint(input)}
//	charge, err := idempotency.Do(ctx, store, key, func(ctx context.Context) (Charge, error) {
//		return gateway.Charge(ctx, card, amount, gateway.IdempotencyKey(id))
//	})
//
// [DoTx] does so for work that writes to the database in which the records are kept: effect and record
// commit together. [Step] makes the keys that runtimes send, and [ParseKey] checks one.
//
// # Stores
//
// A [Store] keeps the records. [Memory] keeps them in one process; package sqlstore keeps them in
// PostgreSQL or SQLite, for any number of processes. Package storetest proves a store of one's own.
//
// # What is promised
//
//   - Once a result is recorded, every call of the key gets that result, until the record expires.
//   - While one call runs the work, no other does, as long as its process lives and reaches the store at
//     least once per lease. The others wait.
//   - When that process dies, the key can be tried again after the lease ends. The lease is short
//     ([WithLease], 30 seconds by default) and renewed while the work runs.
//   - An owner that lost its lease to another cannot record: each claim of a key has a [Token], and the
//     store accepts the newest one only.
//   - With DoTx the effect happens exactly once, whatever dies when.
//
// # What cannot be promised
//
// The work of Do may have an effect outside of the store: a charge, a mail, a ticket. If the process
// dies after the effect and before the record, nothing here knows about the effect, and the next call
// does the work again. The same holds when an owner is cut off for longer than its lease and goes on
// all the same, and when the store fails at the wrong moment ([ErrNotRecorded]). No library can close
// this gap from one side alone. One of these does, each with the other side's help:
//
//   - Pass the key on. A system that takes an Idempotency-Key header, or a client token, does its part
//     once, and the work may run again without harm. This is the best way when there is one.
//   - Put the key into a unique column of what the work makes, and look for it first: the second attempt
//     finds the first one's row, ticket or file.
//   - Write to the author's own database with DoTx. What must reach another system goes into an outbox
//     table in the same transaction and is sent from there, with the key.
//   - Let the other system refuse an attempt older than the newest it has seen, by the [Token].
//
// Where none of them is possible, such as for a plain mail, the effect happens at least once, and a
// short lease only makes the second time less likely.
//
// An expired record ([WithRetention]) is forgotten, and the key is new again. By default nothing
// expires.
package idempotency
