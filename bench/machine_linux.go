package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// machine says on what the numbers were measured.
func machine() string {
	model := "unknown processor"
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range bytes.Lines(b) {
			if name, value, ok := strings.Cut(string(line), ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	var u unix.Utsname
	kernel := "unknown kernel"
	if unix.Uname(&u) == nil {
		kernel = "Linux " + unix.ByteSliceToString(u.Release[:])
	}
	return fmt.Sprintf("%d cores (%s), %s, %s %s/%s", runtime.NumCPU(), model, kernel,
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// work is how much the processors have done since the machine began.
type work struct{ all, steal, ours time.Duration }

func worked() work {
	const tick = 10 * time.Millisecond // USER_HZ, the same on every Linux that Go runs on
	var w work
	if b, err := os.ReadFile("/proc/stat"); err == nil {
		var user, nice, system, idle, wait, irq, soft, steal time.Duration
		if n, _ := fmt.Sscanf(string(b), "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq, &soft, &steal); n == 8 {
			w.all, w.steal = (user+nice+system)*tick, steal*tick
		}
	}
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if unix.Getrusage(who, &u) == nil {
			w.ours += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return w
}

// disturbance says what part of the machine others took between two looks at it.
func disturbance(from, to work, elapsed time.Duration) (others, steal float64) {
	whole := float64(elapsed) * float64(runtime.NumCPU())
	return max(0, float64((to.all-from.all)-(to.ours-from.ours))/whole), float64(to.steal-from.steal) / whole
}

// processors gives the one for the server and the one for the client.
func processors() (server, client int, err error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return 0, 0, err
	}
	var own []int
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			own = append(own, i)
		}
	}
	if len(own) < 2 {
		return 0, 0, fmt.Errorf("the server and the client need a processor each, and there is %d", len(own))
	}
	return own[0], own[1], nil
}
