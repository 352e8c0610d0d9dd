//go:build unix

package dbtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// workerEnv holds the task of a process that is a worker of a test, in JSON.
const workerEnv = "IDEMPOTENCY_DBTEST_WORKER"

// task is what a worker process does.
type task struct {
	Kind     string // "crash" or "load"
	Database database
	Worker   int // its number

	// Of a crash worker.
	UseTx bool
	First int // the first key
	Lease time.Duration

	// Of a load worker.
	Load       string
	Duration   time.Duration
	Goroutines int
}

// runWorker does the task that the environment holds and gives the process's exit status.
func runWorker(text string) int {
	var t task
	err := json.Unmarshal([]byte(text), &t)
	if err == nil {
		switch t.Kind {
		case "crash":
			err = crashWorker(t)
		case "load":
			err = loadWorker(t)
		default:
			err = fmt.Errorf("unknown kind of task %q", t.Kind)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "worker %d: %v\n", t.Worker, err)
		return 1
	}
	return 0
}

// worker is a worker process as its test sees it.
type worker struct {
	task  task
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string // what it writes, line by line; closed when it has ended
	err   error       // how it ended; read after lines is closed
}

// startWorker starts a process that does a task: this test program, told so by its environment.
func startWorker(t task) (*worker, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &worker{task: t, cmd: exec.Command(self), lines: make(chan string, 64)}
	w.cmd.Env = append(os.Environ(), workerEnv+"="+string(text))
	w.cmd.Stderr = os.Stderr
	if w.stdin, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(w.lines)
		scanner := bufio.NewScanner(stdout)
		for scanner.Scan() {
			w.lines <- scanner.Text()
		}
		w.err = errors.Join(scanner.Err(), w.cmd.Wait())
	}()
	return w, nil
}

// mustStartWorker starts a worker that does not outlive t.
func mustStartWorker(t testing.TB, todo task) *worker {
	t.Helper()
	w, err := startWorker(todo)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.cmd.Process.Kill() }) // it has ended unless the test failed
	return w
}
