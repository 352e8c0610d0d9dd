package protocol

import (
	"fmt"
	"strings"
)

// SemVer is a version by Semantic Versioning 2.0.0, of any size: numbers are not limited to a machine
// word. The zero SemVer is no version and comes before all.
type SemVer struct {
	text                  string
	core                  [3]string // major, minor, patch
	preRelease, buildMeta string    // without the '-' and the '+'
}

// ParseVersion reads a version, exactly as Semantic Versioning 2.0.0 defines one: three numbers
// without leading zeros, an optional pre-release, optional build metadata; no "v" in front and no
// white space. The error says what is wrong.
func ParseVersion(text string) (SemVer, error) {
	v := SemVer{text: text}
	rest, build, hasBuild := strings.Cut(text, "+")
	core, pre, hasPre := strings.Cut(rest, "-")
	numbers := strings.Split(core, ".")
	if len(numbers) != 3 {
		return SemVer{}, fmt.Errorf("version %q is not MAJOR.MINOR.PATCH", text)
	}
	for i, n := range numbers {
		if n == "" || !isNumeric(n) {
			return SemVer{}, fmt.Errorf("version %q: %q is not a number", text, n)
		}
		if n[0] == '0' && n != "0" {
			return SemVer{}, fmt.Errorf("version %q: %q has a leading zero", text, n)
		}
		v.core[i] = n
	}
	if hasPre {
		for id := range strings.SplitSeq(pre, ".") {
			if !isIdentifier(id) {
				return SemVer{}, fmt.Errorf("version %q: %q is not a pre-release identifier (letters, digits and hyphens)", text, id)
			}
			if id[0] == '0' && id != "0" && isNumeric(id) {
				return SemVer{}, fmt.Errorf("version %q: %q has a leading zero", text, id)
			}
		}
		v.preRelease = pre
	}
	if hasBuild {
		for id := range strings.SplitSeq(build, ".") {
			if !isIdentifier(id) {
				return SemVer{}, fmt.Errorf("version %q: %q is not a build identifier (letters, digits and hyphens)", text, id)
			}
		}
		v.buildMeta = build
	}
	return v, nil
}

// String gives the version as it was read.
func (v SemVer) String() string { return v.text }

// PreRelease gives what follows the hyphen, "" for a release.
func (v SemVer) PreRelease() string { return v.preRelease }

// BuildMetadata gives what follows the plus sign, "" when there is none.
func (v SemVer) BuildMetadata() string { return v.buildMeta }

// Compare gives -1, 0 or +1 as v has a lower, the same or a higher precedence than w (Semantic
// Versioning 2.0.0, section 11). Build metadata does not count.
func (v SemVer) Compare(w SemVer) int {
	for i := range v.core {
		if c := compareNumeric(v.core[i], w.core[i]); c != 0 {
			return c
		}
	}
	switch {
	case v.preRelease == w.preRelease:
		return 0
	case v.preRelease == "":
		return 1
	case w.preRelease == "":
		return -1
	}
	a, b := v.preRelease, w.preRelease
	for {
		var x, y string
		var moreA, moreB bool
		x, a, moreA = strings.Cut(a, ".")
		y, b, moreB = strings.Cut(b, ".")
		if c := compareIdentifiers(x, y); c != 0 {
			return c
		}
		switch {
		case !moreA && !moreB:
			return 0
		case !moreA:
			return -1
		case !moreB:
			return 1
		}
	}
}

// CompareVersions orders any two version texts, as an index lists the versions of one tool: by
// precedence, and those of one precedence by their text. Texts that are no versions come first.
func CompareVersions(a, b string) int {
	x, errX := ParseVersion(a)
	y, errY := ParseVersion(b)
	switch {
	case errX == nil && errY == nil:
		if c := x.Compare(y); c != 0 {
			return c
		}
	case errX == nil:
		return 1
	case errY == nil:
		return -1
	}
	return compareUTF16(a, b)
}

func compareIdentifiers(a, b string) int {
	switch numA, numB := isNumeric(a), isNumeric(b); {
	case numA && numB:
		return compareNumeric(a, b)
	case numA:
		return -1
	case numB:
		return 1
	}
	return strings.Compare(a, b)
}

// compareNumeric compares two numbers without leading zeros.
func compareNumeric(a, b string) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

func isNumeric(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' {
			return false
		}
	}
	return s != ""
}
