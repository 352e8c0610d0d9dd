package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

// long outlasts every case; short is over soon, and a case that needs its end asks until it has come.
const (
	long  = time.Hour
	short = 20 * time.Millisecond
)

// acquire takes a key that must be free.
func (s subject) acquire(ctx context.Context, key idempotency.Key, terms idempotency.Terms) (idempotency.Claim, error) {
	record, acquired, err := s.Acquire(ctx, key, terms)
	switch {
	case err != nil:
		return idempotency.Claim{}, fmt.Errorf("acquiring a free key: %w", err)
	case !acquired:
		return idempotency.Claim{}, fmt.Errorf("a free key was not acquired: it is %s", describe(record))
	case record.State != idempotency.Running:
		return idempotency.Claim{}, fmt.Errorf("an acquired key is %s, want %s", record.State, idempotency.Running)
	case record.Key != key:
		return idempotency.Claim{}, fmt.Errorf("an acquired key is %+v, want %+v", record.Key, key)
	}
	return record.Claim(), nil
}

// acquireSoon takes a key as soon as the lease or the record that is in the way is over.
func (s subject) acquireSoon(ctx context.Context, key idempotency.Key, terms idempotency.Terms) (idempotency.Claim, error) {
	for {
		record, acquired, err := s.Acquire(ctx, key, terms)
		if err != nil {
			return idempotency.Claim{}, fmt.Errorf("waiting for the key to be free: %w", err)
		}
		if acquired {
			return record.Claim(), nil
		}
		if err := tick(ctx); err != nil {
			return idempotency.Claim{}, fmt.Errorf("the key did not become free: it is %s", describe(record))
		}
	}
}

// tick lets a little time pass.
func tick(ctx context.Context) error {
	select {
	case <-time.After(short / 4):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// find gives the record of a key that must be taken.
func (s subject) find(ctx context.Context, key idempotency.Key) (idempotency.Record, error) {
	record, acquired, err := s.Acquire(ctx, key, idempotency.Terms{Lease: long})
	switch {
	case err != nil:
		return record, fmt.Errorf("acquiring a taken key: %w", err)
	case acquired:
		return record, errors.New("a taken key was acquired again")
	}
	return record, nil
}

// expectOutcome checks how a finished key stands.
func (s subject) expectOutcome(ctx context.Context, key idempotency.Key, want idempotency.Outcome) error {
	record, err := s.find(ctx, key)
	switch {
	case err != nil:
		return err
	case record.State != want.State || !bytes.Equal(record.Result, want.Result) || record.Failure != want.Failure:
		return fmt.Errorf("the record is %s, want %s", describe(record), describe(idempotency.Record{Outcome: want}))
	case record.LeaseLeft != 0:
		return fmt.Errorf("a finished record has a lease of %s left", record.LeaseLeft)
	}
	return nil
}

// expectLost checks that err says the claim is not current.
func expectLost(action string, err error) error {
	if !errors.Is(err, idempotency.ErrLeaseLost) {
		return fmt.Errorf("%s with a claim that is not current: got the error %v, want ErrLeaseLost", action, err)
	}
	return nil
}

func describe(r idempotency.Record) string {
	return fmt.Sprintf("{state %q, result %q, failure %q, fingerprint %q, token %d, lease left %s}",
		r.State, r.Result, r.Failure, r.Key.Fingerprint, r.Token, r.LeaseLeft)
}

// succeeded is an outcome with a result.
func succeeded(result string) idempotency.Outcome {
	return idempotency.Outcome{State: idempotency.Succeeded, Result: []byte(result)}
}
