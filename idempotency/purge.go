package idempotency

import (
	"context"
	"fmt"
)

// PurgeExpired deletes all records of store that have expired, batch by batch, and reports how many it
// deleted. Each batch is a short piece of work, so calls of the store go on in between; a few hundred
// records make a good batch. When ctx ends it stops between two batches, or in one.
//
// Call it now and then, from one process or from several. Records kept for good are not touched.
func PurgeExpired(ctx context.Context, store Store, batch int) (deleted int, err error) {
	if batch < 1 {
		return 0, fmt.Errorf("idempotency: a batch of %d records deletes none", batch)
	}
	for {
		n, err := store.Purge(ctx, batch)
		deleted += n
		if err != nil || n < batch {
			return deleted, err
		}
	}
}
