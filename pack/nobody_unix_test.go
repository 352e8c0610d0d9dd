//go:build unix

package pack_test

import (
	"os"
	"os/exec"
	"syscall"
)

// asNobody takes the rights to write everywhere from a command.
func asNobody(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
}
