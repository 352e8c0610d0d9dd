package storetest_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/storetest"
)

// simple is a store as simple as one can be, with a fault if one is named. It is a map under a lock, and
// a transaction is the map's copy.
type simple struct {
	fault   string
	mu      sync.Mutex // held by a transaction from its beginning to its end
	records map[string]entry
	token   int64
}

type entry struct {
	record  idempotency.Record
	lease   time.Time
	expires time.Time
}

// is reports whether the store has the fault.
func (s *simple) is(fault string) bool { return s.fault == fault }

func (s *simple) name(key idempotency.Key) string {
	switch {
	case s.is("tenants share"):
		return key.ID
	case s.is("tenant and ID run together"):
		return key.Tenant + key.ID
	case s.is("case does not count"):
		return key.Tenant + "/" + strings.ToLower(key.ID)
	case s.is("long IDs are cut"):
		return key.Tenant + "/" + key.ID[:min(len(key.ID), 1000)]
	}
	return key.Tenant + "/" + key.ID
}

func (s *simple) ended(ctx context.Context) error {
	if s.is("contexts do not count") {
		return nil
	}
	return ctx.Err()
}

func (s *simple) Acquire(ctx context.Context, key idempotency.Key, terms idempotency.Terms) (idempotency.Record, bool, error) {
	if err := s.ended(ctx); err != nil {
		return idempotency.Record{}, false, err
	}
	if s.is("looking and taking are two steps") {
		s.mu.Lock()
		e, ok := s.records[s.name(key)]
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
		if !ok {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.take(key, terms), true, nil
		}
		return e.record, false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.records[s.name(key)]
	if !ok || (s.expired(e) && !s.is("an expired record counts until it is purged")) {
		return s.take(key, terms), true, nil
	}
	running := e.record.State == idempotency.Running
	left := time.Until(e.lease)
	same := e.record.Key.Fingerprint == key.Fingerprint
	switch {
	case s.is("everybody acquires"):
		return s.take(key, terms), true, nil
	case running && left <= 0 && same && !s.is("leases never end"),
		running && left <= 0 && s.is("a lease that is over goes to any input"):
		return s.take(key, terms), true, nil
	case !same && s.is("another input starts anew"):
		return s.take(key, terms), true, nil
	}
	record := e.record
	if running {
		record.LeaseLeft = max(left, 0)
	}
	if !s.is("the caller gets the store's bytes") {
		record.Result = bytes.Clone(record.Result)
	}
	if s.is("the fingerprint is the caller's") {
		record.Key = key
	}
	return record, false, nil
}

func (s *simple) expired(e entry) bool {
	return !e.expires.IsZero() && !time.Now().Before(e.expires)
}

func (s *simple) take(key idempotency.Key, terms idempotency.Terms) idempotency.Record {
	if !s.is("tokens stand still") {
		s.token++
	}
	e := entry{record: idempotency.Record{Key: key, Token: s.token, Outcome: idempotency.Outcome{State: idempotency.Running}}}
	s.lease(&e, terms)
	if s.records == nil {
		s.records = map[string]entry{}
	}
	s.records[s.name(key)] = e
	record := e.record
	record.LeaseLeft = terms.Lease
	return record
}

func (s *simple) lease(e *entry, terms idempotency.Terms) {
	e.lease = time.Now().Add(terms.Lease)
	s.retain(e, terms, e.lease)
	if s.is("retention counts from the beginning") {
		s.retain(e, terms, time.Now())
	}
}

func (s *simple) retain(e *entry, terms idempotency.Terms, from time.Time) {
	e.expires = time.Time{}
	if terms.Retain > 0 || s.is("a retention of 0 is none") {
		e.expires = from.Add(terms.Retain)
	}
	if s.is("nothing expires") {
		e.expires = time.Time{}
	}
}

// current gives the entry of a claim.
func (s *simple) current(claim idempotency.Claim) (entry, bool) {
	e, ok := s.records[s.name(claim.Key)]
	return e, ok && (e.record.Token == claim.Token || s.is("any claim will do"))
}

func (s *simple) Renew(ctx context.Context, claim idempotency.Claim, terms idempotency.Terms) error {
	if err := s.ended(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.current(claim)
	switch {
	case s.is("renewals do nothing"):
		return nil
	case s.is("a renewal is a new claim"):
		s.take(claim.Key, terms)
		return nil
	case !ok,
		e.record.State != idempotency.Running && !s.is("a finished record is renewed"),
		!time.Now().Before(e.lease) && s.is("a late renewal fails"):
		return idempotency.ErrLeaseLost
	}
	e.record.State = idempotency.Running
	s.lease(&e, terms)
	s.records[s.name(claim.Key)] = e
	return nil
}

func (s *simple) Complete(ctx context.Context, claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	if err := s.ended(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.complete(claim, outcome, terms)
}

func (s *simple) complete(claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	e, ok := s.current(claim)
	switch {
	case !ok,
		e.record.State != idempotency.Running && s.is("completing twice fails"),
		!time.Now().Before(e.lease) && s.is("a late outcome fails"):
		return idempotency.ErrLeaseLost
	}
	if !s.is("the store keeps the caller's bytes") {
		outcome.Result = bytes.Clone(outcome.Result)
	}
	if s.is("results are text") {
		outcome.Result = bytes.ToValidUTF8(outcome.Result, []byte("?"))
	}
	if s.is("failures are lost") {
		outcome.Failure = ""
	}
	e.record.Outcome = outcome
	s.retain(&e, terms, time.Now())
	s.records[s.name(claim.Key)] = e
	return nil
}

func (s *simple) Release(ctx context.Context, claim idempotency.Claim) error {
	if err := s.ended(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.current(claim)
	if ok && !s.is("releases do nothing") && (e.record.State == idempotency.Running || s.is("a release removes outcomes")) {
		delete(s.records, s.name(claim.Key))
	}
	return nil
}

func (s *simple) Purge(ctx context.Context, limit int) (deleted int, err error) {
	if err := s.ended(ctx); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, e := range s.records {
		if s.expired(e) && (deleted < limit || s.is("purges have no limit")) && !s.is("purges do nothing") {
			delete(s.records, name)
			deleted++
		}
	}
	return deleted, nil
}

// simpleTx is a transaction of a simple store.
type simpleTx struct{ store *simple }

func (s *simple) Transact(ctx context.Context, fn func(context.Context, simpleTx) error) error {
	if s.is("transactions are not isolated") {
		return fn(ctx, simpleTx{s})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := maps.Clone(s.records)
	done := false
	defer func() {
		if !done && !s.is("a panic commits") {
			s.records = before
		}
	}()
	if err := fn(ctx, simpleTx{s}); err != nil {
		done = s.is("an error commits")
		if s.is("errors are swallowed") {
			return nil
		}
		return err
	}
	done = !s.is("nothing commits")
	return nil
}

func (s *simple) CompleteTx(ctx context.Context, tx simpleTx, claim idempotency.Claim, outcome idempotency.Outcome, terms idempotency.Terms) error {
	if s.is("transactions are not isolated") {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	return tx.store.complete(claim, outcome, terms)
}

// faults gives, for each fault, a rule that the store then breaks.
func faults() map[string]int {
	return map[string]int{
		"tenants share":                               1,
		"tenant and ID run together":                  1,
		"case does not count":                         1,
		"long IDs are cut":                            1,
		"everybody acquires":                          9,
		"looking and taking are two steps":            10,
		"tokens stand still":                          3,
		"contexts do not count":                       5,
		"the caller gets the store's bytes":           6,
		"the store keeps the caller's bytes":          6,
		"leases never end":                            8,
		"another input starts anew":                   9,
		"a lease that is over goes to any input":      9,
		"the fingerprint is the caller's":             9,
		"renewals do nothing":                         11,
		"a renewal is a new claim":                    11,
		"a late renewal fails":                        11,
		"a finished record is renewed":                12,
		"any claim will do":                           14,
		"results are text":                            13,
		"failures are lost":                           13,
		"a late outcome fails":                        13,
		"completing twice fails":                      15,
		"releases do nothing":                         16,
		"a release removes outcomes":                  16,
		"a retention of 0 is none":                    17,
		"retention counts from the beginning":         17,
		"nothing expires":                             17,
		"purges have no limit":                        17,
		"an expired record counts until it is purged": 18,
		"purges do nothing":                           17,
	}
}

func txFaults() map[string]int {
	return map[string]int{
		"an error commits": 19, "a panic commits": 19, "errors are swallowed": 19, "nothing commits": 20,
		"any claim will do": 20, "transactions are not isolated": 20,
	}
}

func TestCheckPassesASoundStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, &simple{})
	storetest.RunTx(t, &simple{})
	if err := storetest.Check(t.Context(), &simple{}); err != nil {
		t.Error(err)
	}
	if err := storetest.CheckTx(t.Context(), &simple{}); err != nil {
		t.Error(err)
	}
}

func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	for fault, rule := range faults() {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			expectRule(t, rule, storetest.CheckWithin(t.Context(), &simple{fault: fault}, brief))
		})
	}
}

func TestCheckTxFindsFaults(t *testing.T) {
	t.Parallel()
	for fault, rule := range txFaults() {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			expectRule(t, rule, storetest.CheckTxWithin(t.Context(), &simple{fault: fault}, brief))
		})
	}
}

// brief bounds a case in which a faulty store never does what is waited for.
const brief = 250 * time.Millisecond

var ruleNumbers = regexp.MustCompile(`\(rules? ([0-9, ]+)\)`)

// expectRule checks that err names the rule.
func expectRule(t *testing.T, rule int, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("the fault was not found")
	}
	var found []string
	for _, match := range ruleNumbers.FindAllStringSubmatch(err.Error(), -1) {
		found = append(found, strings.Split(match[1], ", ")...)
	}
	if !slices.Contains(found, fmt.Sprint(rule)) {
		t.Errorf("rule %d is not among those that failed:\n%v", rule, err)
	}
}
