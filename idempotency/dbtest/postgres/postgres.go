//go:build unix

// Package postgres starts a PostgreSQL server of one's own for tests.
package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrNotInstalled says that there is no PostgreSQL on this machine and that none could be installed.
var ErrNotInstalled = errors.New("PostgreSQL is not installed (on Debian: apt-get install postgresql)")

// startTime bounds how long a server may take to start, on a busy machine too.
const startTime = 2 * time.Minute

// Server is a running server. Its data is in a temporary folder and gone with it. When the program that
// started it dies, whatever the reason, the server ends and its data is gone, too.
type Server struct {
	folder string // data, socket and log
	server *exec.Cmd
	hold   io.Closer // the server runs until it is closed
	exited chan struct{}
}

// Start makes a database and starts a server for it, reachable only by a socket in a temporary folder.
// settings are more of the server's settings, such as "max_connections=200".
//
// The programs initdb and postgres are looked for in PATH and where Debian puts them. When they are not
// there and the environment says CI=true, Start installs them with apt-get, which needs root. Otherwise
// the error matches [ErrNotInstalled]. As root the server runs as the user postgres, or else nobody:
// PostgreSQL refuses to run as root.
func Start(ctx context.Context, settings ...string) (*Server, error) {
	bin, err := programs(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "pg") // short: the path of a socket has 107 bytes at most
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, exited: make(chan struct{})}
	if err := s.start(ctx, bin, settings); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

// programs gives the folder of the server's programs.
func programs(ctx context.Context) (string, error) {
	if bin := find(); bin != "" {
		return bin, nil
	}
	if os.Getenv("CI") != "true" {
		return "", ErrNotInstalled
	}
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends", "postgresql"}} {
		install := exec.CommandContext(ctx, "apt-get", args...)
		install.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := install.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: apt-get %s: %w\n%s", ErrNotInstalled, args[0], err, out)
		}
	}
	if bin := find(); bin != "" {
		return bin, nil
	}
	return "", ErrNotInstalled
}

// find gives the folder of the newest version's programs, or "".
func find() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	paths, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(paths) == 0 {
		return ""
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(strings.Split(path, "/")[4]) // a folder of another kind counts as version 0
		return n
	}
	return filepath.Dir(slices.MaxFunc(paths, func(a, b string) int { return version(a) - version(b) }))
}

// keeper is the script that runs the server: until its standard input closes, which happens when Stop
// closes it and also when the program dies, or until the server ends by itself. Interrupting a server
// ends it at once; what it was doing is rolled back.
const keeper = `
folder=$1; shift
"$@" </dev/null &
server=$!
exec 3<&0
{ cat <&3 >/dev/null; kill -INT $server; } >/dev/null 2>&1 &
wait $server
status=$?
rm -rf "$folder" 2>/dev/null
exit $status`

// start makes the database, starts the server and waits until it answers.
func (s *Server) start(ctx context.Context, bin string, settings []string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	as, err := serverUser()
	if err != nil {
		return err
	}
	if as != nil {
		if err := os.Chown(s.folder, int(as.Uid), int(as.Gid)); err != nil {
			return err
		}
	}
	data := filepath.Join(s.folder, "data")
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"),
		"--pgdata="+data, "--username=test", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	initdb.Dir = s.folder
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	args := []string{"-D", data, "-k", s.folder, "-c", "listen_addresses=", "-c", "max_connections=100"}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	var log bytes.Buffer
	s.server = exec.Command("/bin/sh", append([]string{"-c", keeper, "keeper", s.folder, filepath.Join(bin, "postgres")}, args...)...)
	s.server.Dir = "/"
	s.server.Stdout, s.server.Stderr = &log, &log
	s.server.SysProcAttr = &syscall.SysProcAttr{Credential: as, Setpgid: true} // so that a terminal's ^C leaves it to Stop
	if s.hold, err = s.server.StdinPipe(); err != nil {
		return err
	}
	if err := s.server.Start(); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	go func() {
		_ = s.server.Wait() // how it ended is read from ProcessState
		close(s.exited)
	}()
	for {
		ready := exec.CommandContext(ctx, filepath.Join(bin, "pg_isready"), "--host="+s.folder, "--quiet")
		if ready.Run() == nil {
			return nil
		}
		select {
		case <-s.exited:
			return fmt.Errorf("postgres ended with %v\n%s", s.server.ProcessState, log.Bytes())
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("postgres does not answer: %w", ctx.Err()), s.Stop())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// serverUser gives the user to run the server as, nil for the one who runs the test.
func serverUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody")
}

// Socket gives the path of the server's socket.
func (s *Server) Socket() string { return filepath.Join(s.folder, ".s.PGSQL.5432") }

// DSN gives the data source name of the server's database, as github.com/jackc/pgx/v5 reads it.
func (s *Server) DSN() string {
	return "host=" + s.folder + " user=test dbname=postgres sslmode=disable"
}

// Stop ends the server, whether or not anyone is connected, and deletes its data.
func (s *Server) Stop() error {
	if err := s.hold.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	select {
	case <-s.exited:
	case <-time.After(startTime):
		return errors.New("postgres does not end")
	}
	return os.RemoveAll(s.folder)
}
