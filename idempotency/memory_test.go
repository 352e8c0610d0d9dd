package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/storetest"
)

func TestMemoryKeepsTheRules(t *testing.T) {
	t.Parallel()
	storetest.Run(t, &idempotency.Memory{})
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &idempotency.Memory{MaxRecords: 3}
		do := func(id string) error {
			_, err := idempotency.Do(t.Context(), store, idempotency.Key{ID: id}, func(context.Context) (int, error) {
				return 1, nil
			}, idempotency.WithRetention(time.Hour))
			return err
		}
		for i := range 3 {
			if err := do(fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := do("one too many"); !errors.Is(err, idempotency.ErrFull) {
			t.Fatalf("got %v, want ErrFull", err)
		}
		if err := do("1"); err != nil {
			t.Fatalf("a full store does not replay: %v", err)
		}
		time.Sleep(2 * time.Hour)
		if err := do("later"); err != nil {
			t.Fatalf("a store full of expired records refuses a new one: %v", err)
		}
		if n := store.Len(); n > 3 {
			t.Errorf("%d records", n)
		}
	})
}

func TestMemoryIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	store := &idempotency.Memory{MaxBytes: 1000}
	do := func(id string) error {
		_, err := idempotency.Do(t.Context(), store, idempotency.Key{ID: id}, func(context.Context) ([]byte, error) {
			return make([]byte, 900), nil
		})
		return err
	}
	if err := do("a"); err != nil {
		t.Fatal(err)
	}
	if err := do("b"); !errors.Is(err, idempotency.ErrFull) {
		t.Fatalf("got %v, want ErrFull", err)
	}
}

func TestPurgeExpired(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &idempotency.Memory{}
		for i := range 10 {
			var options []idempotency.Option
			if i < 7 {
				options = append(options, idempotency.WithRetention(time.Duration(i+1)*time.Minute))
			}
			_, err := idempotency.Do(t.Context(), store, idempotency.Key{ID: fmt.Sprint(i)}, func(context.Context) (int, error) {
				return i, nil
			}, options...)
			if err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(5*time.Minute + time.Second)
		for _, want := range []int{5, 0} {
			if n, err := idempotency.PurgeExpired(t.Context(), store, 2); n != want || err != nil {
				t.Errorf("deleted %d, error %v; want %d", n, err, want)
			}
		}
		if n := store.Len(); n != 5 {
			t.Errorf("%d records are left, want 5", n)
		}
		if _, err := idempotency.PurgeExpired(t.Context(), store, 0); err == nil {
			t.Error("a batch of 0 is not an error")
		}
	})
}
