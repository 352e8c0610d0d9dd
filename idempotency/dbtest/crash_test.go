//go:build unix

package dbtest

import (
	"bufio"
	"context"
	crand "crypto/rand"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

var kills = flag.Int("kills", 50, "how many processes each crash test kills; 1000 is the long mode")

const (
	crashWorkers = 4
	crashLease   = 250 * time.Millisecond
)

// TestCrash lets several processes do the same things once while it kills them, and stops some for
// longer than their lease, at random moments.
//
// With DoTx every thing must have happened exactly once, whatever died when. With Do, whose effect is
// not in the record's transaction, it may have happened more than once, and the test counts how often;
// but everybody who got a result must have got the same.
func TestCrash(t *testing.T) {
	for _, mode := range []struct {
		name  string
		useTx bool
	}{{"DoTx", true}, {"Do", false}} {
		t.Run(mode.name, func(t *testing.T) {
			forEachDialect(t, func(t *testing.T, dialect sqlstore.Dialect) {
				crash(t, dialect, mode.useTx)
			})
		})
	}
}

func crash(t *testing.T, dialect sqlstore.Dialect, useTx bool) {
	began := time.Now()
	d := newDatabase(t, dialect)
	_, db := openStore(t, d, sqlstore.Options{})
	// No constraint helps: two effects of one key would be two rows.
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE effects (thing integer NOT NULL, nonce text NOT NULL)"); err != nil {
		t.Fatal(err)
	}

	c := &chaos{t: t, task: task{Kind: "crash", Database: d, UseTx: useTx, Lease: crashLease}, results: map[int]string{}}
	last := c.run()
	effects := readEffects(t, db)
	repeated := 0
	for thing, nonces := range effects {
		result, known := c.results[thing]
		switch {
		case !known:
			t.Errorf("thing %d: nobody got a result", thing)
		case useTx && len(nonces) != 1:
			t.Errorf("thing %d happened %d times", thing, len(nonces))
		case !slices.Contains(nonces, result):
			t.Errorf("thing %d: the result %s is not one that happened: %s", thing, result, nonces)
		}
		if len(nonces) > 1 {
			repeated++
		}
	}
	for thing := range last + 1 {
		if len(effects[thing]) == 0 {
			t.Errorf("thing %d did not happen", thing)
		}
	}
	if c.killedAtWork == 0 {
		t.Error("no process was killed at work, so the test proves nothing")
	}
	t.Logf("%d things; %d results, the same for everyone who got one; %d kills, %d of them in the middle of the work; "+
		"%d processes stopped beyond their lease; %d calls failed and were repeated; %d things happened more than once; %s",
		len(effects), c.got, c.killed, c.killedAtWork, c.stopped, c.failed, repeated, time.Since(began).Round(time.Millisecond))
}

// readEffects gives what happened to each thing.
func readEffects(t *testing.T, db *sql.DB) map[int][]string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT thing, nonce FROM effects ORDER BY thing")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	effects := map[int][]string{}
	for rows.Next() {
		var thing int
		var nonce string
		if err := rows.Scan(&thing, &nonce); err != nil {
			t.Fatal(err)
		}
		effects[thing] = append(effects[thing], nonce)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return effects
}

// chaos starts workers, kills them, and keeps what they say.
type chaos struct {
	t    *testing.T
	task task

	mu           sync.Mutex
	results      map[int]string // by thing
	highest      int            // the greatest thing with a result
	got          int
	killed       int
	killedAtWork int
	stopped      int
	failed       int
	readers      sync.WaitGroup
}

// member is a worker and what it is doing.
type member struct {
	*worker
	alive  atomic.Bool  // it has said something
	atWork atomic.Int64 // how many of its things are between begin and end
	paused atomic.Bool
	dead   atomic.Bool
}

// run lets workers work and die until there were enough kills, then lets them finish, and gives the
// number of the last thing.
func (c *chaos) run() (last int) {
	members := make([]*member, crashWorkers)
	for i := range members {
		members[i] = c.start(i)
	}
	var pauses sync.WaitGroup
	for c.killed < *kills {
		time.Sleep(rand.N(25 * time.Millisecond)) // the random moment
		i := c.victim(members)
		m := members[i]
		if m.paused.Load() || !m.alive.Load() {
			continue
		}
		if rand.IntN(6) == 0 {
			m.paused.Store(true)
			c.stopped++
			pauses.Go(func() { c.pause(m) })
			continue
		}
		m.dead.Store(true)
		if err := m.cmd.Process.Signal(syscall.SIGKILL); err != nil {
			c.t.Fatalf("killing worker %d: %v", i, err)
		}
		if m.atWork.Load() > 0 {
			c.killedAtWork++
		}
		c.killed++
		members[i] = c.start(i)
	}
	pauses.Wait()
	c.mu.Lock()
	last = (c.highest/crashBlock+4)*crashBlock - 1 // who is further already finishes its block
	c.mu.Unlock()
	for _, m := range members {
		if _, err := fmt.Fprintln(m.stdin, last); err != nil {
			c.t.Errorf("telling worker %d to finish: %v", m.task.Worker, err)
		}
	}
	c.readers.Wait()
	for _, m := range members {
		_ = m.stdin.Close() // it has ended
		if m.err != nil {
			c.t.Errorf("worker %d did not finish: %v", m.task.Worker, m.err)
		}
	}
	// A last process that has seen nothing replays everything.
	w := c.task
	w.Worker = crashWorkers
	m := c.startTask(w)
	if _, err := fmt.Fprintln(m.stdin, last); err != nil {
		c.t.Error(err)
	}
	c.readers.Wait()
	if m.err != nil {
		c.t.Errorf("the last worker did not finish: %v", m.err)
	}
	return last
}

// victim chooses a worker: any one, or, every other time, one that is at work if there is one.
func (c *chaos) victim(members []*member) int {
	order := rand.Perm(len(members))
	if rand.IntN(2) == 0 {
		for _, i := range order {
			if members[i].atWork.Load() > 0 && !members[i].paused.Load() {
				return i
			}
		}
	}
	return order[0]
}

// pause stops a process for longer than its lease: to the others it looks dead, and then it goes on.
func (c *chaos) pause(m *member) {
	defer m.paused.Store(false)
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := m.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			c.t.Errorf("%s to worker %d: %v", signal, m.task.Worker, err)
		}
		if signal == syscall.SIGSTOP {
			time.Sleep(2 * crashLease)
		}
	}
}

func (c *chaos) start(i int) *member {
	w := c.task
	w.Worker = i
	c.mu.Lock()
	w.First = max(0, c.highest-crashBlock)
	c.mu.Unlock()
	return c.startTask(w)
}

func (c *chaos) startTask(todo task) *member {
	m := &member{worker: mustStartWorker(c.t, todo)}
	c.readers.Go(func() {
		for line := range m.lines {
			c.read(m, line)
		}
		if m.err != nil && !m.dead.Load() {
			c.t.Errorf("worker %d ended by itself: %v", todo.Worker, m.err)
		}
	})
	return m
}

// read takes in one line of a worker.
func (c *chaos) read(m *member, line string) {
	m.alive.Store(true)
	fields := strings.SplitN(line, " ", 3)
	if len(fields) < 2 {
		return // cut off by a kill
	}
	thing, err := strconv.Atoi(fields[1])
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case fields[0] == "begin":
		m.atWork.Add(1)
	case fields[0] == "end":
		m.atWork.Add(-1)
	case fields[0] == "failed":
		c.failed++
		if c.failed%500 == 0 {
			c.t.Logf("call %d that failed: %s", c.failed, line)
		}
	case fields[0] == "got" && len(fields) == 3 && len(fields[2]) == len(crand.Text()):
		c.got++
		c.highest = max(c.highest, thing)
		if first, ok := c.results[thing]; ok && first != fields[2] {
			c.t.Errorf("thing %d: one call got %s, another %s", thing, first, fields[2])
		}
		c.results[thing] = fields[2]
	}
}

// crashBlock is how many things the workers do in an order of their own, before they go on to the next
// that many: they meet, but not always.
const crashBlock = 8

// crashWorker does all things, block by block and each of them twice, until it is told which thing is
// the last, or dies.
func crashWorker(t task) error {
	db, err := t.Database.open()
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(6)
	store, err := sqlstore.New(db, t.Database.Dialect, sqlstore.Options{})
	if err != nil {
		return err
	}
	var last atomic.Int64
	last.Store(1 << 62)
	go func() {
		scanner := bufio.NewScanner(os.Stdin)
		for scanner.Scan() {
			if n, err := strconv.ParseInt(scanner.Text(), 10, 64); err == nil {
				last.Store(n)
			}
		}
		os.Exit(1) // the test has died
	}()
	var group errgroup.Group
	for range 2 {
		group.Go(func() error {
			for block := t.First / crashBlock; int64(block*crashBlock) <= last.Load(); block++ {
				for _, i := range rand.Perm(crashBlock) {
					insist(t, store, db, block*crashBlock+i)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// insist does one thing as often as it takes to get a result.
func insist(t task, store *sqlstore.Store, db *sql.DB, thing int) {
	for {
		nonce, err := crashDo(context.Background(), t, store, db, thing)
		if err == nil {
			fmt.Printf("got %d %s\n", thing, nonce)
			return
		}
		fmt.Printf("failed %d %q\n", thing, err)
	}
}

var errBadLuck = errors.New("bad luck")

// crashDo does one thing: it makes a row and gives what is in it. Sometimes it fails after that.
func crashDo(ctx context.Context, t task, store *sqlstore.Store, db *sql.DB, thing int) (string, error) {
	key := idempotency.Key{Tenant: "acme", ID: strconv.Itoa(thing)}
	work := func(ctx context.Context, in interface {
		ExecContext(context.Context, string, ...any) (sql.Result, error)
	}) (string, error) {
		fmt.Printf("begin %d\n", thing)
		defer fmt.Printf("end %d\n", thing)
		nonce := crand.Text()
		if _, err := in.ExecContext(ctx, "INSERT INTO effects (thing, nonce) VALUES ($1, $2)", thing, nonce); err != nil {
			return "", err
		}
		time.Sleep(rand.N(4 * time.Millisecond))
		if t.UseTx && rand.IntN(20) == 0 {
			return "", errBadLuck
		}
		return nonce, nil
	}
	if t.UseTx {
		return idempotency.DoTx(ctx, store, key, func(ctx context.Context, tx *sql.Tx) (string, error) {
			return work(ctx, tx)
		}, idempotency.WithLease(t.Lease))
	}
	return idempotency.Do(ctx, store, key, func(ctx context.Context) (string, error) {
		return work(ctx, db)
	}, idempotency.WithLease(t.Lease))
}
