package terminal

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Open opens a terminal for a test: what a process writes on its own side is read from the
// other. The caller closes the side of the process; the other closes when the test ends. Where
// there is no terminal to be had, the test is skipped.
func Open(t testing.TB) (side, other *os.File) {
	t.Helper()
	side, other, err := open()
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	t.Cleanup(func() { _ = other.Close() })
	return side, other
}

func open() (side, other *os.File, err error) {
	other, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(int(other.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(other.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		side, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the terminal cannot be used: %w", err), other.Close())
	}
	return side, other, nil
}
