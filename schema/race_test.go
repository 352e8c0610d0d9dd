//go:build race

package schema_test

// raceEnabled says that memory and time are those of the race detector, too.
const raceEnabled = true
