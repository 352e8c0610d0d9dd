//go:build unix

package contract_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// A signal ends a process that still waits for its index, too.
func TestSignalWhileTheIndexDoesNotCome(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			index := filepath.Join(t.TempDir(), "index.json")
			if err := syscall.Mkfifo(index, 0o600); err != nil {
				t.Fatal(err)
			}
			svc := launch(t, setup{args: []string{"--index", index, "--host", "127.0.0.1"}})
			pipe, err := os.OpenFile(index, os.O_WRONLY, 0) // waits until the process reads it
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			svc.signal(t, sig)
			if code := svc.wait(t); code != 0 {
				t.Errorf("exit code %d, want 0", code)
			}
			if got := lifecycle(svc); !slices.Equal(got, []string{"draining", "stopped"}) {
				t.Errorf("records %q, want draining, stopped", got)
			}
		})
	}
}
