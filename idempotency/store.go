package idempotency

import (
	"context"
	"time"
)

// Store keeps the records of keys. [Memory] is one, package sqlstore has another, and an author may
// write one: package storetest proves it.
//
// The rules, numbered as package storetest cites them:
//
//  1. A record belongs to a tenant and an ID, both compared byte by byte. Stores share nothing between
//     tenants.
//  2. At any moment at most one claim of a key is current: the one that the latest successful Acquire
//     of that key gave. This holds among all processes that share the store.
//  3. Every claim of a key has a greater token than all the key's claims before it.
//  4. Time is the store's: one clock, the same for every process. A caller passes durations only, never
//     a point in time.
//  5. All methods may be called concurrently. They end soon after ctx does, with an error that matches
//     ctx's. An error means that the method may or may not have happened.
//  6. A store keeps no memory of a caller's and gives none of its own: the bytes of an [Outcome] are
//     copied on the way in and on the way out, or are never changed.
type Store interface {
	// Acquire gives the caller the key or tells how it stands, in one round trip.
	//
	//  7. Without a record, or with an expired one, it makes a record in state [Running] with the key's
	//     fingerprint, a fresh token and a lease of terms.Lease, and reports acquired.
	//  8. A record in state Running whose lease is over and whose fingerprint is the key's goes to the
	//     caller in the same way, with a greater token.
	//  9. Every other record is given as it stands and is not changed. This includes a record with
	//     another fingerprint, even one whose lease is over: what the first input did is unknown.
	// 10. Of callers that acquire one key at the same time, exactly one does; the others get the record
	//     that it made.
	Acquire(ctx context.Context, key Key, terms Terms) (record Record, acquired bool, err error)

	// Renew makes the lease of a current claim end terms.Lease from now.
	//
	// 11. It succeeds while the claim is current and its record is Running, also after the lease has
	//     ended, as long as nobody else acquired the key.
	// 12. Otherwise the error matches [ErrLeaseLost] and nothing changes.
	Renew(ctx context.Context, claim Claim, terms Terms) error

	// Complete records how the work of a current claim ended.
	//
	// 13. It succeeds while the claim is current, also after the lease has ended. From then on Acquire
	//     gives the outcome, byte by byte, to every caller until the record expires.
	// 14. Otherwise the error matches [ErrLeaseLost] and nothing changes: an owner that lost its lease
	//     cannot record.
	// 15. Completing again with the same claim succeeds, so that a caller that did not get the answer
	//     may repeat the question.
	Complete(ctx context.Context, claim Claim, outcome Outcome, terms Terms) error

	// Release gives a key up without an outcome: the next Acquire gets it at once.
	//
	// 16. It removes the record of a claim that is current and Running, or lets it expire, and the claim is
	//     current no longer. Otherwise it changes nothing, and that is not an error: a record that has an
	//     outcome keeps it.
	Release(ctx context.Context, claim Claim) error

	// Purge deletes records that have expired, at most limit of them, and reports how many. A limit
	// below 1 deletes none. It does not wait for records that others are using.
	//
	// 17. A Running record expires terms.Retain after its lease ends, a finished one terms.Retain after
	//     it was completed. With a Retain of 0 it never expires.
	// 18. An expired record is as good as none, whether it has been purged or not.
	Purge(ctx context.Context, limit int) (deleted int, err error)
}

// TxStore is a [Store] whose records can be written in the author's own database transaction. Tx is the
// transaction, such as *sql.Tx.
type TxStore[Tx any] interface {
	Store

	// Transact begins a transaction and runs fn in it.
	//
	// 19. It commits when fn returns nil, and otherwise rolls back, also when fn panics. It returns
	//     fn's error as it is, or the error of the commit.
	Transact(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error

	// CompleteTx is Complete as a part of tx.
	//
	// 20. Rules 13 to 15 hold once tx commits. When tx rolls back nothing has happened.
	// 21. Of two transactions that complete different claims of one key, at most one commits.
	CompleteTx(ctx context.Context, tx Tx, claim Claim, outcome Outcome, terms Terms) error
}

// Terms says how long a store keeps what.
type Terms struct {
	// Lease is how long a claim holds its key without being renewed. It is positive.
	Lease time.Duration
	// Retain is how long a record is kept. 0 keeps it for good.
	Retain time.Duration
}

// State says how far the work of a key has come.
type State string

const (
	Running   State = "running"   // an owner has the key, and had a lease
	Succeeded State = "succeeded" // the work returned a result
	Failed    State = "failed"    // the work failed with a permanent error
)

// Outcome is how the work of a key ended.
type Outcome struct {
	// State is Succeeded or Failed. In a [Record] it may also be Running.
	State State
	// Result is the encoded result when State is Succeeded. It may be any bytes, also none.
	Result []byte
	// Failure is the text of the error when State is Failed. It is valid UTF-8 without U+0000.
	Failure string
}

// Record is what a store knows of a key.
type Record struct {
	// Key is the record's own: its Fingerprint is that of the call which made the record.
	Key Key
	Outcome
	// Token is the fencing token of the current claim.
	Token int64
	// LeaseLeft is how long a Running record's lease still lasts by the store's clock. It is 0 when the
	// lease is over, and for a finished record.
	LeaseLeft time.Duration
}

// Claim is an owner's hold on a key.
type Claim struct {
	Key   Key
	Token int64
}

// Claim gives the record's current claim.
func (r Record) Claim() Claim { return Claim{Key: r.Key, Token: r.Token} }
