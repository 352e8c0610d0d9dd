package terminal

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Open opens a terminal: what a process writes on its own side is read from the other. The
// caller closes both.
func Open() (side, other *os.File, err error) {
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
