package idempotency

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"sync"
	"time"
)

// Memory is a [Store] in the memory of one process: for tests, for development, and for work whose
// repetitions all reach the same process before it ends. It forgets everything with the process, so it
// does not keep a promise across a restart or between replicas. The zero value is ready to use; it must
// not be copied after that.
type Memory struct {
	// MaxRecords is how many records are kept at most, running ones included. When they are all needed,
	// a new key is refused with [ErrFull]: forgetting one would let its work be done again. 0 means
	// 100,000. It must not change once the store is in use.
	MaxRecords int
	// MaxBytes is how many bytes of keys and outcomes make the store refuse a new key. Work that has
	// begun is recorded all the same. 0 means 256 MiB. It must not change once the store is in use.
	MaxBytes int64

	Flights

	mu       sync.Mutex
	records  map[memoryName]*memoryRecord
	expiring expiryHeap // the records that expire some time
	bytes    int64
	token    int64
}

const (
	defaultMaxRecords = 100_000
	defaultMaxBytes   = 256 << 20
)

type memoryName struct{ tenant, id string }

type memoryRecord struct {
	record  Record
	lease   time.Time // the lease's end
	expires time.Time // zero: never
	place   int       // in the heap, -1: not there
}

func (r *memoryRecord) size() int64 {
	return int64(len(r.record.Key.Tenant) + len(r.record.Key.ID) + len(r.record.Key.Fingerprint) +
		len(r.record.Result) + len(r.record.Failure))
}

// Acquire gives the caller the key or tells how it stands: see [Store].
func (m *Memory) Acquire(ctx context.Context, key Key, terms Terms) (Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	name := memoryName{key.Tenant, key.ID}
	r := m.records[name]
	if r != nil && r.expired(now) {
		m.remove(r)
		r = nil
	}
	if r != nil {
		leaseOver := r.record.State == Running && !now.Before(r.lease)
		if !leaseOver || r.record.Key.Fingerprint != key.Fingerprint {
			return r.snapshot(now), false, nil
		}
	} else {
		r = &memoryRecord{record: Record{Key: key, Outcome: Outcome{State: Running}}, place: -1}
		if err := m.add(name, r, now); err != nil {
			return Record{}, false, err
		}
	}
	m.token++
	r.record.Token = m.token
	m.lease(r, terms, now)
	return r.snapshot(now), true, nil
}

// Renew makes a current claim's lease end later: see [Store].
func (m *Memory) Renew(ctx context.Context, claim Claim, terms Terms) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.current(claim)
	if r == nil || r.record.State != Running {
		return ErrLeaseLost
	}
	m.lease(r, terms, time.Now())
	return nil
}

// Complete records how a current claim's work ended: see [Store].
func (m *Memory) Complete(ctx context.Context, claim Claim, outcome Outcome, terms Terms) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.current(claim)
	if r == nil {
		return ErrLeaseLost
	}
	m.bytes -= r.size()
	outcome.Result = bytes.Clone(outcome.Result)
	r.record.Outcome = outcome
	m.bytes += r.size()
	m.expire(r, terms, time.Now())
	return nil
}

// Release gives a current claim up: see [Store].
func (m *Memory) Release(ctx context.Context, claim Claim) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.current(claim); r != nil && r.record.State == Running {
		m.remove(r)
	}
	return nil
}

// Purge deletes at most limit expired records: see [Store]. A store that is full purges by itself.
func (m *Memory) Purge(ctx context.Context, limit int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.purge(limit, time.Now()), nil
}

// Len gives the number of records, expired ones that are not yet purged included.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.records)
}

// current gives the record of a claim that is current, or nil.
func (m *Memory) current(claim Claim) *memoryRecord {
	r := m.records[memoryName{claim.Key.Tenant, claim.Key.ID}]
	if r == nil || r.record.Token != claim.Token {
		return nil
	}
	return r
}

// add keeps a new record if there is room for it.
func (m *Memory) add(name memoryName, r *memoryRecord, now time.Time) error {
	maxRecords, maxBytes := m.MaxRecords, m.MaxBytes
	if maxRecords <= 0 {
		maxRecords = defaultMaxRecords
	}
	if maxBytes <= 0 {
		maxBytes = defaultMaxBytes
	}
	full := func() bool { return len(m.records) >= maxRecords || m.bytes >= maxBytes }
	for full() && m.purge(1, now) > 0 {
	}
	if full() {
		return fmt.Errorf("%w: %d records, %d bytes", ErrFull, len(m.records), m.bytes)
	}
	if m.records == nil {
		m.records = make(map[memoryName]*memoryRecord)
	}
	m.records[name] = r
	m.bytes += r.size()
	return nil
}

func (m *Memory) remove(r *memoryRecord) {
	delete(m.records, memoryName{r.record.Key.Tenant, r.record.Key.ID})
	m.bytes -= r.size()
	if r.place >= 0 {
		heap.Remove(&m.expiring, r.place)
	}
}

func (m *Memory) purge(limit int, now time.Time) (deleted int) {
	for deleted < limit && len(m.expiring) > 0 && m.expiring[0].expired(now) {
		m.remove(m.expiring[0])
		deleted++
	}
	return deleted
}

// lease begins r's lease, or begins it anew.
func (m *Memory) lease(r *memoryRecord, terms Terms, now time.Time) {
	r.lease = now.Add(terms.Lease)
	m.expire(r, terms, r.lease)
}

// expire lets r expire terms.Retain after from.
func (m *Memory) expire(r *memoryRecord, terms Terms, from time.Time) {
	switch {
	case terms.Retain == 0:
		r.expires = time.Time{}
		if r.place >= 0 {
			heap.Remove(&m.expiring, r.place)
		}
	case r.place >= 0:
		r.expires = from.Add(terms.Retain)
		heap.Fix(&m.expiring, r.place)
	default:
		r.expires = from.Add(terms.Retain)
		heap.Push(&m.expiring, r)
	}
}

func (r *memoryRecord) expired(now time.Time) bool {
	return !r.expires.IsZero() && !now.Before(r.expires)
}

// snapshot gives a copy of the record as a caller may keep it.
func (r *memoryRecord) snapshot(now time.Time) Record {
	record := r.record
	record.Result = bytes.Clone(record.Result)
	if record.State == Running {
		record.LeaseLeft = max(r.lease.Sub(now), 0)
	}
	return record
}

// expiryHeap orders records by when they expire; each knows its place.
type expiryHeap []*memoryRecord

func (h expiryHeap) Len() int           { return len(h) }
func (h expiryHeap) Less(i, j int) bool { return h[i].expires.Before(h[j].expires) }
func (h expiryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

func (h *expiryHeap) Push(x any) {
	r := x.(*memoryRecord)
	r.place = len(*h)
	*h = append(*h, r)
}

func (h *expiryHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	r.place = -1
	return r
}
