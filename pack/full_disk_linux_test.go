package pack_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a disk that fills up while the index is written the old one stays as it was, and nothing is
// left beside it.
func TestIndexOnAFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(script string) (string, error) {
		cmd := exec.Command("/bin/sh", "-ec", script, shopPath(t), filepath.Join(dir, "index.json"), dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{ // a file system that nobody else sees
			Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	const mount = `mount -t tmpfs -o size=16k none "$2"
`
	if out, err := in(mount); err != nil {
		t.Skipf("SKIPPED: cannot mount here: %v: %s", err, out)
	}
	// One page is the old index, one for the new one's beginning is free.
	out, err := in(mount + `printf precious > "$1"
dd if=/dev/zero of="$2/filler" bs=4096 count=2 2>/dev/null
if "$0" index --output "$1"; then echo written; fi
echo "code $?"; cat "$1"; echo; ls -A "$2"`)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := "index: cannot write " + filepath.Join(dir, "index.json") + ": no space left on device\n"
	if !strings.HasPrefix(out, want) || strings.Contains(out, "written") || !strings.HasSuffix(out, "\nprecious\nfiller\nindex.json\n") {
		t.Errorf("got %q, want %q, the old index, and no other file", out, want)
	}
}
