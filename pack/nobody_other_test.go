//go:build !unix

package pack_test

import "os/exec"

func asNobody(*exec.Cmd) {}
