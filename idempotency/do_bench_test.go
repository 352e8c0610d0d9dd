package idempotency_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
)

func BenchmarkStepKey(b *testing.B) {
	step := idempotency.Step{RunID: exampleRun, Scope: "agent-loop#2/dispatch-tools", ToolID: "acme.refunds.issue", CallID: "call_0"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := step.Key(); err != nil {
			b.Fatal(err)
		}
	}
}

// What Do costs beside the work and the database.
func BenchmarkDo(b *testing.B) {
	do := func(b *testing.B, store idempotency.Store, id string) {
		_, err := idempotency.Do(context.Background(), store, idempotency.Key{Tenant: "acme", ID: id}, func(context.Context) (charge, error) {
			return charge{ID: id, Amount: 100}, nil
		}, idempotency.WithRetention(time.Millisecond))
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("new", func(b *testing.B) {
		store := &idempotency.Memory{MaxRecords: 1_000_000}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			do(b, store, strconv.Itoa(i))
			if i%1000 == 0 {
				if _, err := store.Purge(context.Background(), 2000); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("replay", func(b *testing.B) {
		store := &idempotency.Memory{}
		_, err := idempotency.Do(context.Background(), store, idempotency.Key{Tenant: "acme", ID: "a"}, func(context.Context) (charge, error) {
			return charge{}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			do(b, store, "a")
		}
	})
}
