package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"golang.org/x/sync/errgroup"
)

// cases gives what every store must do.
func cases() []testCase {
	return []testCase{
		{"a free key is acquired", "7", "nothing works otherwise", checkFree},
		{"a taken key is not", "2, 9", "the work would be done twice at once", checkTaken},
		{"tenants are apart", "1", "one tenant would get another's results", checkTenants},
		{"identifiers are compared byte by byte", "1", "two different keys would share one record", checkBytes},
		{"one of many acquires", "2, 10", "the work would be done twice at once", checkRace},
		{"an outcome is replayed", "13", "a later call would get another result than the first", checkReplay},
		{"a failure is replayed", "13", "a permanent error would be tried again", checkFailure},
		{"an outcome survives its bytes", "6", "a caller that reuses its buffer would change the record", checkAliases},
		{"an outcome has any bytes", "13", "an encoding other than JSON would break", checkAnyBytes},
		{"another fingerprint is given the record", "9", "one key would stand for two inputs", checkFingerprint},
		{"another fingerprint does not take over", "9", "one key would stand for two inputs", checkFingerprintTakeover},
		{"a lease ends", "8, 3", "a crash would keep the key forever", checkTakeover},
		{"a renewed lease lasts", "11", "long work would be done twice at once", checkRenew},
		{"a lease over can be renewed", "11", "a slow renewal would throw good work away", checkLateRenew},
		{"a lost claim is powerless", "12, 14, 16", "an owner that was too slow would overwrite another's result", checkLost},
		{"an outcome may come late", "13", "work that is done would be done again", checkLateComplete},
		{"an outcome may come twice", "15", "a lost answer would look like a lost lease", checkCompleteAgain},
		{"a released key is free", "16", "a failed call could not be tried again", checkRelease},
		{"a release spares an outcome", "16", "a late release would throw a result away", checkReleaseDone},
		{"a finished claim cannot be renewed", "12", "a late renewal would change a finished record", checkRenewDone},
		{"tokens grow", "3", "a system that fences by token would refuse the rightful owner", checkTokens},
		{"a record expires", "17, 18", "retention would mean nothing", checkExpiry},
		{"a record without retention stays", "17", "a repetition after a long wait would do the work again", checkForever},
		{"a running record does not expire under its lease", "17", "long work with a short retention would be done twice", checkExpiryRunning},
		{"purging is bounded", "17", "a purge would hold the database up", checkPurge},
		{"an ended context ends a call", "5", "a caller that has gone would still be served", checkContext},
	}
}

func checkFree(ctx context.Context, s subject) error {
	key := s.key("free")
	record, acquired, err := s.Acquire(ctx, key, idempotency.Terms{Lease: long})
	switch {
	case err != nil:
		return err
	case !acquired || record.State != idempotency.Running || record.Key != key:
		return fmt.Errorf("acquired %t, %s", acquired, describe(record))
	case record.LeaseLeft <= long/2 || record.LeaseLeft > long:
		return fmt.Errorf("the lease has %s left, want about %s", record.LeaseLeft, long)
	case len(record.Result) > 0 || record.Failure != "":
		return fmt.Errorf("a new record has an outcome: %s", describe(record))
	}
	return nil
}

func checkTaken(ctx context.Context, s subject) error {
	key := s.key("taken")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	record, err := s.find(ctx, key)
	switch {
	case err != nil:
		return err
	case record.State != idempotency.Running || record.Token != claim.Token:
		return fmt.Errorf("the record is %s, want the running one of token %d", describe(record), claim.Token)
	case record.LeaseLeft <= long/2 || record.LeaseLeft > long:
		return fmt.Errorf("the lease has %s left, want about %s", record.LeaseLeft, long)
	}
	return nil
}

func checkTenants(ctx context.Context, s subject) error {
	mine, theirs := s.key("shared"), s.key("shared")
	theirs.Tenant += "-other"
	claim, err := s.acquire(ctx, mine, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, succeeded("mine"), idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	other, err := s.acquire(ctx, theirs, idempotency.Terms{Lease: long})
	if err != nil {
		return fmt.Errorf("the same ID of another tenant: %w", err)
	}
	if err := s.Release(ctx, other); err != nil {
		return err
	}
	return s.expectOutcome(ctx, mine, succeeded("mine"))
}

func checkBytes(ctx context.Context, s subject) error {
	long1024 := strings.Repeat("x", 1024)
	for _, id := range []string{
		"a", "A", "a ", " a", "a\t", "ä", "a\u0308", "%", "_", "'", `"`, `\`, "\u2028", "\U0001f600", long1024, long1024[:1023],
	} {
		if _, err := s.acquire(ctx, s.key(id), idempotency.Terms{Lease: long}); err != nil {
			return fmt.Errorf("the ID %.20q: %w", id, err)
		}
	}
	// The border between tenant and ID counts, too.
	left, right := s.key("c"), s.key("bc")
	left.Tenant += "b"
	for _, key := range []idempotency.Key{left, right} {
		if _, err := s.acquire(ctx, key, idempotency.Terms{Lease: long}); err != nil {
			return err
		}
	}
	return nil
}

func checkRace(ctx context.Context, s subject) error {
	const callers = 16
	for round := range 8 {
		key := s.key(fmt.Sprintf("race-%d", round))
		var records [callers]idempotency.Record
		var won [callers]bool
		start := make(chan struct{})
		group, ctx := errgroup.WithContext(ctx)
		for i := range callers {
			group.Go(func() (err error) {
				<-start
				records[i], won[i], err = s.Acquire(ctx, key, idempotency.Terms{Lease: long})
				return err
			})
		}
		close(start)
		if err := group.Wait(); err != nil {
			return err
		}
		winners := 0
		for i := range callers {
			if won[i] {
				winners++
			}
			if records[i].Token != records[0].Token || records[i].State != idempotency.Running {
				return fmt.Errorf("two callers see %s and %s", describe(records[0]), describe(records[i]))
			}
		}
		if winners != 1 {
			return fmt.Errorf("%d of %d callers acquired one key", winners, callers)
		}
	}
	return nil
}

func checkFingerprint(ctx context.Context, s subject) error {
	key := s.key("fingerprint")
	other := key
	other.Fingerprint = "another input"
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	for _, state := range []idempotency.State{idempotency.Running, idempotency.Succeeded} {
		record, err := s.find(ctx, other)
		if err != nil {
			return err
		}
		if record.State != state || record.Key != key {
			return fmt.Errorf("the record is %s, want the %s one of fingerprint %q", describe(record), state, key.Fingerprint)
		}
		if err := s.Complete(ctx, claim, succeeded("result"), idempotency.Terms{Lease: long}); err != nil {
			return err
		}
	}
	return nil
}

func checkFingerprintTakeover(ctx context.Context, s subject) error {
	key := s.key("fingerprint-takeover")
	other := key
	other.Fingerprint = "another input"
	if _, err := s.acquire(ctx, key, idempotency.Terms{Lease: short}); err != nil {
		return err
	}
	for {
		record, err := s.find(ctx, other)
		if err != nil {
			return err
		}
		if record.Key != key {
			return fmt.Errorf("the record is %s, want the one of fingerprint %q", describe(record), key.Fingerprint)
		}
		if record.LeaseLeft == 0 {
			break // and with the lease over the key was still not given away
		}
		if err := tick(ctx); err != nil {
			return err
		}
	}
	_, err := s.acquireSoon(ctx, key, idempotency.Terms{Lease: long})
	return err
}

func checkTakeover(ctx context.Context, s subject) error {
	key := s.key("takeover")
	first, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	second, err := s.acquireSoon(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if second.Token <= first.Token {
		return fmt.Errorf("the token went from %d to %d", first.Token, second.Token)
	}
	record, err := s.find(ctx, key)
	if err != nil {
		return err
	}
	if record.Token != second.Token || record.LeaseLeft <= long/2 {
		return fmt.Errorf("the record is %s, want the claim of token %d with a lease of %s", describe(record), second.Token, long)
	}
	return nil
}

func checkRenew(ctx context.Context, s subject) error {
	key := s.key("renew")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: time.Minute})
	if err != nil {
		return err
	}
	if err := s.Renew(ctx, claim, idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	record, err := s.find(ctx, key)
	switch {
	case err != nil:
		return err
	case record.Token != claim.Token:
		return fmt.Errorf("a renewal changed the token from %d to %d", claim.Token, record.Token)
	case record.LeaseLeft <= long/2:
		return fmt.Errorf("the renewed lease has %s left, want about %s", record.LeaseLeft, long)
	}
	return nil
}

func checkLateRenew(ctx context.Context, s subject) error {
	key := s.key("late-renew")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	if err := s.leaseOver(ctx, key); err != nil {
		return err
	}
	if err := s.Renew(ctx, claim, idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	_, err = s.find(ctx, key)
	return err
}

// leaseOver waits until a key's lease is over, without taking it.
func (s subject) leaseOver(ctx context.Context, key idempotency.Key) error {
	key.Fingerprint = "only looking" // which never acquires
	for {
		record, err := s.find(ctx, key)
		if err != nil || record.LeaseLeft == 0 {
			return err
		}
		if err := tick(ctx); err != nil {
			return fmt.Errorf("the lease did not end: %w", err)
		}
	}
}

func checkLost(ctx context.Context, s subject) error {
	key := s.key("lost")
	lost, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	current, err := s.acquireSoon(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	powerless := func() error {
		if err := expectLost("Renew", s.Renew(ctx, lost, idempotency.Terms{Lease: long})); err != nil {
			return err
		}
		if err := expectLost("Complete", s.Complete(ctx, lost, succeeded("lost"), idempotency.Terms{Lease: long})); err != nil {
			return err
		}
		if err := s.Release(ctx, lost); err != nil {
			return fmt.Errorf("releasing with a claim that is not current: %w", err)
		}
		return nil
	}
	if err := powerless(); err != nil {
		return err
	}
	record, err := s.find(ctx, key)
	if err != nil {
		return err
	}
	if record.State != idempotency.Running || record.Token != current.Token {
		return fmt.Errorf("the lost claim changed the record to %s", describe(record))
	}
	if err := s.Complete(ctx, current, succeeded("current"), idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	if err := powerless(); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("current"))
}

func checkRenewDone(ctx context.Context, s subject) error {
	key := s.key("renew-done")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, succeeded("result"), idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	if err := expectLost("Renew", s.Renew(ctx, claim, idempotency.Terms{Lease: long})); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("result"))
}

func checkTokens(ctx context.Context, s subject) error {
	key := s.key("tokens")
	last := int64(-1 << 63)
	for range 5 {
		claim, err := s.acquireSoon(ctx, key, idempotency.Terms{Lease: short / 4})
		if err != nil {
			return err
		}
		if claim.Token <= last {
			return fmt.Errorf("the token went from %d to %d", last, claim.Token)
		}
		last = claim.Token
	}
	// A key that is given up and acquired at once has a new claim too, however coarse the store's clock is.
	for range 50 {
		if err := s.Release(ctx, idempotency.Claim{Key: key, Token: last}); err != nil {
			return err
		}
		claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
		if err != nil {
			return err
		}
		if claim.Token <= last {
			return fmt.Errorf("the token went from %d to %d when the key was given up and acquired again", last, claim.Token)
		}
		last = claim.Token
	}
	return nil
}

func checkContext(ctx context.Context, s subject) error {
	key := s.key("context")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, _, acquireErr := s.Acquire(ended, s.key("context-2"), idempotency.Terms{Lease: long})
	_, purgeErr := s.Purge(ended, 1)
	for method, err := range map[string]error{
		"Acquire":  acquireErr,
		"Renew":    s.Renew(ended, claim, idempotency.Terms{Lease: long}),
		"Complete": s.Complete(ended, claim, succeeded("result"), idempotency.Terms{Lease: long}),
		"Release":  s.Release(ended, claim),
		"Purge":    purgeErr,
	} {
		if !errors.Is(err, context.Canceled) {
			return fmt.Errorf("%s in a cancelled context: got the error %v, want context.Canceled", method, err)
		}
	}
	return nil
}
