// Package environ keeps a pack's code from environment variables that are not meant for it.
package environ

// Take reads the named variable and removes it from the process environment and, on Linux,
// from what /proc/PID/environ shows.
func Take(name string) (value string, ok bool, err error) { panic("not written yet") }

// Filter removes every variable from the process environment that is neither declared, nor KINDGI_*,
// nor one every process needs, and gives the removed names, sorted.
func Filter(declared []string) []string { panic("not written yet") }
