//go:build race

package contract_test

// raceEnabled says that the packs are built with the race detector, as the tests are.
const raceEnabled = true
