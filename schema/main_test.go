package schema_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes generated types and values the same in every run, so that a test fails for a change and not
// by chance. -rapid.seed=N tries others, and the fuzz targets try new ones all the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == seed.DefValue {
		if err := seed.Value.Set("20"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
