//go:build unix

package dbtest

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

var loadTime = flag.Duration("load", 300*time.Millisecond, "how long each part of the load test lasts; 10s gives figures worth quoting")

const (
	loadWorkers    = 8
	loadGoroutines = 4
	loadReplays    = 1000 // keys that are there to be replayed
)

// loads are the parts of the load test.
var loads = []struct{ name, what string }{
	{"new", "each call has a new key"},
	{"new-tx", "each call has a new key and writes a row in its transaction"},
	{"replay", "each call has one of 1,000 keys that are done"},
	{"contended", "all processes call the same new keys at the same time"},
}

// TestLoad lets eight processes call one PostgreSQL server as fast as they can, and logs how many calls
// a second they make.
func TestLoad(t *testing.T) {
	d := newDatabase(t, sqlstore.PostgreSQL)
	store, db := openStore(t, d, sqlstore.Options{})
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE effects (thing text NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	for i := range loadReplays {
		if _, err := loadDo(t.Context(), store, "replay-"+strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, load := range loads {
		t.Run(load.name, func(t *testing.T) {
			total := runLoad(t, task{Kind: "load", Database: d, Load: load.name, Duration: *loadTime, Goroutines: loadGoroutines})
			if total.Calls == 0 {
				t.Error("no call was made")
			}
			slices.Sort(total.Took)
			at := func(share float64) time.Duration {
				if len(total.Took) == 0 {
					return 0
				}
				return total.Took[int(share*float64(len(total.Took)-1))]
			}
			t.Logf("%s: %.0f calls a second from %d processes with %d goroutines each; half of them took less than %s, 99 in 100 less than %s",
				load.what, float64(total.Calls)/loadTime.Seconds(), loadWorkers, loadGoroutines,
				at(0.5).Round(10*time.Microsecond), at(0.99).Round(10*time.Microsecond))
		})
	}
}

// loadResult is what a load worker reports.
type loadResult struct {
	Calls int
	Took  []time.Duration // of some of the calls
}

// runLoad runs the task in all processes at once and adds up what they report.
func runLoad(t *testing.T, todo task) loadResult {
	workers := make([]*worker, loadWorkers)
	for i := range workers {
		todo.Worker = i
		workers[i] = mustStartWorker(t, todo)
	}
	for i, w := range workers {
		if line := <-w.lines; line != "ready" {
			t.Fatalf("worker %d says %q", i, line)
		}
	}
	for _, w := range workers {
		if _, err := fmt.Fprintln(w.stdin, "go"); err != nil {
			t.Fatal(err)
		}
	}
	var total loadResult
	for i, w := range workers {
		var result loadResult
		if err := json.Unmarshal([]byte(<-w.lines), &result); err != nil {
			t.Fatalf("worker %d: %v", i, err)
		}
		for range w.lines {
		}
		if w.err != nil {
			t.Fatalf("worker %d: %v", i, w.err)
		}
		total.Calls += result.Calls
		total.Took = append(total.Took, result.Took...)
	}
	return total
}

// loadDo is a call that does nothing else.
func loadDo(ctx context.Context, store *sqlstore.Store, id string) (string, error) {
	return idempotency.Do(ctx, store, idempotency.Key{Tenant: "acme", ID: id, Fingerprint: "input"},
		func(context.Context) (string, error) {
			return "a result of usual length, such as an order's number", nil
		})
}

// loadWorker makes calls for the task's time, after it was told to begin.
func loadWorker(t task) error {
	db, err := t.Database.open()
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(t.Goroutines + 1)
	db.SetMaxIdleConns(t.Goroutines + 1)
	store, err := sqlstore.New(db, t.Database.Dialect, sqlstore.Options{})
	if err != nil {
		return err
	}
	// Connections and statements are made before the clock starts.
	var warm errgroup.Group
	for g := range t.Goroutines {
		warm.Go(func() error {
			_, err := loadDo(context.Background(), store, fmt.Sprintf("warm-%s-%d-%d", t.Load, t.Worker, g))
			return err
		})
	}
	if err := warm.Wait(); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	end := time.Now().Add(t.Duration)
	var mu sync.Mutex
	var total loadResult
	var group errgroup.Group
	for g := range t.Goroutines {
		group.Go(func() error {
			var mine loadResult
			for n := 0; time.Now().Before(end); n++ {
				start := time.Now()
				if err := loadCall(t, store, g, n); err != nil {
					return err
				}
				mine.Calls++
				if rand.IntN(20) == 0 {
					mine.Took = append(mine.Took, time.Since(start))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			total.Calls += mine.Calls
			total.Took = append(total.Took, mine.Took...)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(total)
}

// loadCall makes goroutine g's call number n.
func loadCall(t task, store *sqlstore.Store, g, n int) error {
	ctx := context.Background()
	switch t.Load {
	case "new":
		_, err := loadDo(ctx, store, fmt.Sprintf("new-%d-%d-%d", t.Worker, g, n))
		return err
	case "new-tx":
		id := fmt.Sprintf("new-tx-%d-%d-%d", t.Worker, g, n)
		_, err := idempotency.DoTx(ctx, store, idempotency.Key{Tenant: "acme", ID: id, Fingerprint: "input"},
			func(ctx context.Context, tx *sql.Tx) (string, error) {
				_, err := tx.ExecContext(ctx, "INSERT INTO effects (thing) VALUES ($1)", id)
				return id, err
			})
		return err
	case "replay":
		_, err := loadDo(ctx, store, "replay-"+strconv.Itoa(rand.IntN(loadReplays)))
		return err
	case "contended":
		_, err := loadDo(ctx, store, "contended-"+strconv.Itoa(n))
		return err
	default:
		return fmt.Errorf("unknown load %q", t.Load)
	}
}
