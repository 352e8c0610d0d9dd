package environ

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// scrub overwrites, in the environment block the process was started with, every entry whose name
// is wanted gone, and then looks whether it is. A missing "=" makes an entry nameless: its name is
// then all of it.
func scrub(gone func(name string) bool) error {
	return scrubWith(gone, blockAddress, writeMem, writeVM)
}

// blockAddress is stackAddress, asked once: the block stays where the process was given it.
var blockAddress = sync.OnceValues(stackAddress)

// scrubWith is scrub with the ways to find the block and to write to it, so that tests can take one away.
func scrubWith(gone func(name string) bool, locate func() (int64, error), write ...func(int64, []byte) error) error {
	block, err := readProc("/proc/self/environ")
	if err != nil {
		return err
	}
	defer clear(block) // no second copy of a secret waits for the collector
	spans := entries(block, gone)
	if len(spans) == 0 {
		return nil
	}
	start, err := locate()
	if err != nil {
		return err
	}
	for _, s := range spans {
		if err := overwrite(start+int64(s.from), s.to-s.from, write); err != nil {
			return err
		}
	}
	after, err := readProc("/proc/self/environ")
	if err != nil {
		return err
	}
	defer clear(after)
	if len(entries(after, gone)) > 0 {
		return errors.New("overwriting the environment block had no effect")
	}
	return nil
}

// span is where in the block an entry is, without its closing NUL.
type span struct{ from, to int }

func entries(block []byte, gone func(string) bool) []span {
	var spans []span
	for from := 0; from < len(block); {
		to := len(block)
		if i := bytes.IndexByte(block[from:], 0); i >= 0 {
			to = from + i
		}
		if to > from {
			name, _, _ := bytes.Cut(block[from:to], []byte("="))
			if gone(string(name)) {
				spans = append(spans, span{from, to})
			}
		}
		from = to + 1
	}
	return spans
}

// overwrite fills size bytes at the address with NULs, in the first way that works: the name goes
// with the value, and a reader of the block sees empty entries.
func overwrite(address int64, size int, ways []func(int64, []byte) error) error {
	zeros := make([]byte, size)
	var errs []error
	for _, write := range ways {
		err := write(address, zeros)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// writeMem writes through /proc/self/mem, which needs /proc to be writable.
func writeMem(address int64, p []byte) error {
	const name = "/proc/self/mem"
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: name, Err: err}
	}
	n, err := unix.Pwrite(fd, p, address)
	for err == unix.EINTR {
		n, err = unix.Pwrite(fd, p, address)
	}
	switch {
	case err != nil:
		err = &os.PathError{Op: "write", Path: name, Err: err}
	case n != len(p):
		err = &os.PathError{Op: "write", Path: name, Err: io.ErrShortWrite}
	}
	return errors.Join(err, unix.Close(fd))
}

// readProc reads a file of /proc. Package os would look whether it can be polled, and how long it is,
// for each of the few that a service reads while it starts.
func readProc(name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer unix.Close(fd)
	data := make([]byte, 0, 4096)
	for {
		n, err := unix.Read(fd, data[len(data):cap(data)])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, &os.PathError{Op: "read", Path: name, Err: err}
		case n == 0:
			return data, nil
		}
		if data = data[:len(data)+n]; len(data) == cap(data) {
			grown := make([]byte, len(data), 2*cap(data))
			copy(grown, data)
			clear(data) // no second copy of a secret waits for the collector
			data = grown
		}
	}
}

// writeVM writes with process_vm_writev(2), which works under a read-only /proc.
func writeVM(address int64, p []byte) error {
	local := []unix.Iovec{{Base: &p[0]}}
	local[0].SetLen(len(p))
	remote := []unix.RemoteIovec{{Base: uintptr(address), Len: len(p)}}
	n, err := unix.ProcessVMWritev(os.Getpid(), local, remote, 0)
	if err != nil {
		return os.NewSyscallError("process_vm_writev", err)
	}
	if n != len(p) {
		return fmt.Errorf("process_vm_writev: %w", io.ErrShortWrite)
	}
	return nil
}

// stackAddress gives the address of the environment block: env_start, field 50 of
// /proc/PID/stat (proc(5)).
func stackAddress() (int64, error) {
	stat, err := readProc("/proc/self/stat")
	if err != nil {
		return 0, err
	}
	// The second field is the program's name in parentheses, and may hold any character.
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	const first, envStart = 3, 50 // rest starts with the third field
	fields := bytes.Fields(rest)
	if len(fields) <= envStart-first {
		return 0, errors.New("/proc/self/stat has no env_start field")
	}
	address, err := strconv.ParseInt(string(fields[envStart-first]), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("/proc/self/stat: env_start: %w", err)
	}
	if address == 0 {
		return 0, errors.New("/proc/self/stat does not tell env_start")
	}
	return address, nil
}
