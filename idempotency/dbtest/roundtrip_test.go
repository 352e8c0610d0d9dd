//go:build unix

package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

// TestRoundTrips counts how often a call waits for the database: what a call costs when the database is
// far away.
func TestRoundTrips(t *testing.T) {
	d := newDatabase(t, sqlstore.PostgreSQL)
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	link := newLink(t, s.Socket())
	d.DSN = strings.Replace(d.DSN, "host="+filepath.Dir(s.Socket()), "host="+link.folder, 1)
	store, db := openStore(t, d, sqlstore.Options{})
	db.SetMaxOpenConns(1) // so that every statement is prepared after its first use
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE effects (thing text NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	keys := 0
	fresh := func() idempotency.Key {
		keys++
		return idempotency.Key{Tenant: "acme", ID: fmt.Sprint(keys)}
	}
	do := func(key idempotency.Key, fail error) error {
		_, err := idempotency.Do(t.Context(), store, key, func(context.Context) (int, error) { return 1, fail })
		return err
	}
	doTx := func(key idempotency.Key) error {
		_, err := idempotency.DoTx(t.Context(), store, key, func(ctx context.Context, tx *sql.Tx) (int, error) {
			_, err := tx.ExecContext(ctx, "INSERT INTO effects (thing) VALUES ($1)", key.ID)
			return 1, err
		})
		return err
	}
	failure := errors.New("failure")
	done := fresh()
	if err := do(done, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		call func() error
		want int
	}{
		{"a replay", func() error { return do(done, nil) }, 1},
		{"a replay in a transaction", func() error { return doTx(done) }, 1},
		{"a first run", func() error { return do(fresh(), nil) }, 2},
		{"a run that fails", func() error { return expect(failure, do(fresh(), failure)) }, 2},
		// Beside the two of its own: begin, the author's insert, commit.
		{"a first run in a transaction", func() error { return doTx(fresh()) }, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.call(); err != nil { // prepares what is to be prepared
				t.Fatal(err)
			}
			before := link.roundTrips()
			if err := test.call(); err != nil {
				t.Fatal(err)
			}
			if got := link.roundTrips() - before; got != test.want {
				t.Errorf("%d round trips, want %d", got, test.want)
			}
		})
	}
}

// expect turns the error that a test wants into none.
func expect(want, got error) error {
	if errors.Is(got, want) {
		return nil
	}
	return fmt.Errorf("got the error %v, want %v", got, want)
}

// link passes bytes between clients and a server and counts how often the client speaks after the
// server has.
type link struct {
	folder string // of the socket that it listens on

	mu    sync.Mutex
	turns int
}

func newLink(t *testing.T, socket string) *link {
	t.Helper()
	folder, err := os.MkdirTemp("", "px") // short: the path of a socket has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	listener, err := net.Listen("unix", filepath.Join(folder, filepath.Base(socket)))
	if err != nil {
		t.Fatal(err)
	}
	l := &link{folder: folder}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			open.Go(func() { l.pass(t, client, socket) })
		}
	})
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		open.Wait()
	})
	return l
}

// pass passes on what one client and the server say until either hangs up.
func (l *link) pass(t *testing.T, client net.Conn, socket string) {
	server, err := net.Dial("unix", socket)
	if err != nil {
		t.Error(err)
		return
	}
	var clientSpeaks bool
	say := func(fromClient bool) func() {
		return func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if fromClient && !clientSpeaks {
				l.turns++
			}
			clientSpeaks = fromClient
		}
	}
	var both sync.WaitGroup
	both.Go(func() { forward(server, client, say(true)) })
	both.Go(func() { forward(client, server, say(false)) })
	both.Wait()
}

// forward copies from one connection to the other and closes both at the end.
func forward(to io.WriteCloser, from io.ReadCloser, spoken func()) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			spoken()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *link) roundTrips() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.turns
}
