package storetest

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

func checkReplay(ctx context.Context, s subject) error {
	key, want := s.key("replay"), succeeded(`{"amount":9007199254740993}`)
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, want, idempotency.Terms{Lease: short}); err != nil {
		return err
	}
	for range 3 {
		if err := s.expectOutcome(ctx, key, want); err != nil {
			return err
		}
		if err := tick(ctx); err != nil { // the end of the lease must make no difference
			return err
		}
	}
	return nil
}

func checkFailure(ctx context.Context, s subject) error {
	key := s.key("failure")
	want := idempotency.Outcome{State: idempotency.Failed, Failure: "the card was declined: \"é\" \U0001f600\n"}
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, want, idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, want)
}

func checkAliases(ctx context.Context, s subject) error {
	key := s.key("aliases")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	outcome := succeeded("result")
	if err := s.Complete(ctx, claim, outcome, idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	copy(outcome.Result, "XXXXXX")
	record, err := s.find(ctx, key)
	if err != nil {
		return err
	}
	copy(record.Result, "YYYYYY")
	return s.expectOutcome(ctx, key, succeeded("result"))
}

func checkAnyBytes(ctx context.Context, s subject) error {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for name, result := range map[string][]byte{
		"none": nil, "every": every, "many": bytes.Repeat(every, 4096), // 1 MiB
	} {
		key, want := s.key("bytes-"+name), idempotency.Outcome{State: idempotency.Succeeded, Result: result}
		claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
		if err != nil {
			return err
		}
		if err := s.Complete(ctx, claim, want, idempotency.Terms{Lease: long}); err != nil {
			return fmt.Errorf("a result of %d bytes: %w", len(result), err)
		}
		record, err := s.find(ctx, key)
		if err != nil {
			return err
		}
		if record.State != idempotency.Succeeded || !bytes.Equal(record.Result, result) {
			return fmt.Errorf("a result of %d bytes came back as %s with %d", len(result), record.State, len(record.Result))
		}
	}
	return nil
}

func checkLateComplete(ctx context.Context, s subject) error {
	key := s.key("late-complete")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: short})
	if err != nil {
		return err
	}
	if err := s.leaseOver(ctx, key); err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, succeeded("late"), idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("late"))
}

func checkCompleteAgain(ctx context.Context, s subject) error {
	key := s.key("complete-again")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	for range 2 {
		if err := s.Complete(ctx, claim, succeeded("result"), idempotency.Terms{Lease: long}); err != nil {
			return err
		}
	}
	return s.expectOutcome(ctx, key, succeeded("result"))
}

func checkRelease(ctx context.Context, s subject) error {
	key := s.key("release")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	for range 2 { // the second changes nothing
		if err := s.Release(ctx, claim); err != nil {
			return err
		}
	}
	key.Fingerprint = "another input" // nothing was recorded, so nothing forbids it
	_, err = s.acquire(ctx, key, idempotency.Terms{Lease: long})
	return err
}

func checkReleaseDone(ctx context.Context, s subject) error {
	key := s.key("release-done")
	claim, err := s.acquire(ctx, key, idempotency.Terms{Lease: long})
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, succeeded("result"), idempotency.Terms{Lease: long}); err != nil {
		return err
	}
	if err := s.Release(ctx, claim); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("result"))
}

func checkExpiry(ctx context.Context, s subject) error {
	key := s.key("expiry")
	terms := idempotency.Terms{Lease: long, Retain: short}
	claim, err := s.acquire(ctx, key, terms)
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, succeeded("result"), terms); err != nil {
		return err
	}
	key.Fingerprint = "another input" // an expired record does not bind the key to its input either
	if _, err := s.acquireSoon(ctx, key, terms); err != nil {
		return err
	}
	return expectLost("Complete", s.Complete(ctx, claim, succeeded("late"), terms))
}

func checkForever(ctx context.Context, s subject) error {
	key := s.key("forever")
	terms := idempotency.Terms{Lease: short}
	claim, err := s.acquire(ctx, key, terms)
	if err != nil {
		return err
	}
	if err := s.Complete(ctx, claim, succeeded("result"), terms); err != nil {
		return err
	}
	for range 8 { // longer than the lease
		if err := tick(ctx); err != nil {
			return err
		}
	}
	if _, err := s.Purge(ctx, 1000); err != nil {
		return err
	}
	return s.expectOutcome(ctx, key, succeeded("result"))
}

func checkExpiryRunning(ctx context.Context, s subject) error {
	key := s.key("expiry-running")
	if _, err := s.acquire(ctx, key, idempotency.Terms{Lease: long, Retain: time.Microsecond}); err != nil {
		return err
	}
	if err := tick(ctx); err != nil {
		return err
	}
	if _, err := s.Purge(ctx, 1000); err != nil {
		return err
	}
	_, err := s.find(ctx, key)
	return err
}

func checkPurge(ctx context.Context, s subject) error {
	const records, batch = 5, 2
	terms := idempotency.Terms{Lease: long, Retain: time.Microsecond}
	for i := range records {
		claim, err := s.acquire(ctx, s.key(fmt.Sprintf("purge-%d", i)), terms)
		if err != nil {
			return err
		}
		if err := s.Complete(ctx, claim, succeeded("result"), terms); err != nil {
			return err
		}
	}
	if n, err := s.Purge(ctx, 0); n != 0 || err != nil {
		return fmt.Errorf("a limit of 0 deleted %d records, error %v", n, err)
	}
	total := 0
	for total < records { // records of other cases may be among them
		n, err := s.Purge(ctx, batch)
		if err != nil {
			return err
		}
		if n > batch || n < 0 {
			return fmt.Errorf("a limit of %d deleted %d records", batch, n)
		}
		total += n
		if n == 0 {
			if err := tick(ctx); err != nil {
				return fmt.Errorf("%d of %d expired records were deleted", total, records)
			}
		}
	}
	return nil
}
