package protocol_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/protocol"
)

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"0.0.4", "1.2.3", "10.20.30", "1.1.2-prerelease+meta", "1.1.2+meta", "1.1.2+meta-valid", "1.0.0-alpha",
		"1.0.0-alpha.beta.1", "1.0.0-alpha0.valid", "1.0.0-0A.is.legal", "1.0.0-rc.1+build.123", "1.0.0--",
		"1.2.3----RC-SNAPSHOT.12.9.1--.12+788", "2.0.0+build.1848", "1.0.0+0.build.1-rc.10000aaa-kk-0.1",
		"99999999999999999999999.999999999999999999.99999999999999999", "1.0.0-0", "1.0.0+01",
	} {
		v, err := protocol.ParseVersion(s)
		if err != nil || v.String() != s {
			t.Errorf("%s: %v, %v", s, v, err)
		}
	}
	for s, reason := range map[string]string{
		"": "MAJOR.MINOR.PATCH", "1": "MAJOR.MINOR.PATCH", "1.2": "MAJOR.MINOR.PATCH", "1.2.3.4": "MAJOR.MINOR.PATCH",
		"v1.2.3": `"v1" is not a number`, " 1.2.3": "is not a number", "1.2.3 ": "is not a number", "-1.2.3": "MAJOR.MINOR.PATCH",
		"1..3": `"" is not a number`, "01.2.3": `"01" has a leading zero`, "1.2.03": "leading zero",
		"1.2.3-": "pre-release identifier", "1.2.3-a..b": "pre-release identifier", "1.2.3-01": "leading zero", "1.2.3-a_b": "pre-release identifier",
		"1.2.3+": "build identifier", "1.2.3+a+b": "build identifier", "1.2.3+é": "build identifier", "１.2.3": "is not a number",
	} {
		if _, err := protocol.ParseVersion(s); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: got %v, want %s", s, err, reason)
		}
	}
	v, err := protocol.ParseVersion("1.2.3-rc.1+b-1.2")
	if err != nil || v.PreRelease() != "rc.1" || v.BuildMetadata() != "b-1.2" {
		t.Errorf("%q, %q, %v", v.PreRelease(), v.BuildMetadata(), err)
	}
}

// The ladder of section 11 of Semantic Versioning 2.0.0, and its corners.
func TestVersionOrder(t *testing.T) {
	t.Parallel()
	ladder := []string{
		"", "nonsense", "0.0.0-0", "0.0.0", "1.0.0-1", "1.0.0--", "1.0.0-A", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
		"1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-beta.99999999999999999999", "1.0.0-beta.a", "1.0.0-rc.1", "1.0.0", "1.0.0+a", "1.0.0+b",
		"1.0.1", "1.9.0", "1.10.0", "2.0.0", "2.1.0", "2.1.1", "10.0.0", "99999999999999999999.0.0", "100000000000000000000.0.0",
	}
	for i, a := range ladder {
		for j, b := range ladder {
			if got := sign(protocol.CompareVersions(a, b)); got != sign(i-j) {
				t.Errorf("CompareVersions(%q, %q) = %d", a, b, got)
			}
		}
	}
	shuffled := slices.Clone(ladder)
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	slices.SortFunc(shuffled, protocol.CompareVersions)
	if !slices.Equal(shuffled, ladder) {
		t.Errorf("sorted: %q", shuffled)
	}

	x, _ := protocol.ParseVersion("1.0.0+a")
	y, _ := protocol.ParseVersion("1.0.0+b")
	if x.Compare(y) != 0 {
		t.Error("build metadata counts")
	}
}

func sign(n int) int { return min(max(n, -1), 1) }
