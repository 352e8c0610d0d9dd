// Package environ keeps a pack's code, and whoever reads /proc, from environment variables that are
// not meant for them.
//
// Unsetting a variable is not enough on Linux: /proc/PID/environ goes on showing the block the
// process was started with. Take and Filter therefore overwrite the entries in that block too.
// Elsewhere (macOS, Windows) nothing but the process environment itself is touched.
//
// Both are meant for the start of a process, before other goroutines read the environment.
package environ

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// ErrStillVisible is what Take's error wraps when the variable has left the process environment,
// but /proc/PID/environ may still show it.
var ErrStillVisible = errors.New("may still be visible in /proc/PID/environ")

// Take reads the named variable and removes it from the process environment and, on Linux, from
// what /proc/PID/environ shows; every occurrence of it, should the block name it more than once.
// ok is false when it is not set (it may be set and empty).
//
// An error wraps [ErrStillVisible]: the value is read and unset all the same, and the error says why
// the block could not be overwritten. It never contains the value.
func Take(name string) (value string, ok bool, err error) {
	value, ok = os.LookupEnv(name)
	if ok {
		value = strings.Clone(value)
		if err := os.Unsetenv(name); err != nil {
			return value, true, fmt.Errorf("unset %s: %w", name, errors.Join(err, ErrStillVisible))
		}
	}
	// Scrubbed even when it is not set now: it may have been when the process started.
	if err := scrub(func(entry string) bool { return entry == name }); err != nil {
		return value, ok, fmt.Errorf("%s %w: %w", name, ErrStillVisible, err)
	}
	return value, ok, nil
}

// Filter removes every variable from the process environment that is neither declared, nor
// KINDGI_*, nor one every process may need (see the pack contract, section 1), and gives the removed
// names, sorted.
//
// What it removes is also overwritten in what /proc/PID/environ shows, as far as the system lets
// it: what hinders that hinders Take as well, whose error says so.
func Filter(declared []string) []string {
	keep := newKeeper(declared)
	var dropped, kept []string
	malformed := false
	for _, entry := range os.Environ() {
		name, _, found := cutEntry(entry)
		switch {
		case !found:
			malformed = true // it has no name to unset it by, but a child process would inherit it
		case keep.keeps(name):
			kept = append(kept, entry)
		default:
			dropped = append(dropped, name)
		}
	}
	for _, name := range dropped {
		// The only error is of a name that could not have been set.
		_ = os.Unsetenv(name)
	}
	if malformed {
		os.Clearenv()
		for _, entry := range kept {
			name, value, _ := cutEntry(entry)
			_ = os.Setenv(name, value)
		}
	}
	_ = scrub(func(name string) bool { return !keep.keeps(name) })
	slices.Sort(dropped)
	return slices.Compact(dropped)
}

// cutEntry splits NAME=value. Windows has names that start with an equals sign ("=C:").
func cutEntry(entry string) (name, value string, ok bool) {
	from := 0
	if foldNames && strings.HasPrefix(entry, "=") {
		from = 1
	}
	i := strings.IndexByte(entry[from:], '=')
	if i < 0 || from+i == 0 {
		return "", "", false
	}
	return entry[:from+i], entry[from+i+1:], true
}
