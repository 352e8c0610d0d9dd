package record_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/internal/record"
)

const (
	traceID  = "4bf92f3577b34da6a3ce929d0e0e4736"
	parentID = "00f067aa0ba902b7"
)

var traceparents = []struct {
	name, header string
	ok           bool
}{
	{"sampled", "00-" + traceID + "-" + parentID + "-01", true},
	{"not sampled", "00-" + traceID + "-" + parentID + "-00", true},
	{"unknown flags", "00-" + traceID + "-" + parentID + "-ff", true},
	{"later version", "01-" + traceID + "-" + parentID + "-01", true},
	{"later version with more", "fe-" + traceID + "-" + parentID + "-01-more-0", true},
	{"later version with a bare dash", "01-" + traceID + "-" + parentID + "-01-", true},
	{"later version with more but no dash", "01-" + traceID + "-" + parentID + "-01more", false},
	{"version 00 with more", "00-" + traceID + "-" + parentID + "-01-more", false},
	{"version ff", "ff-" + traceID + "-" + parentID + "-01", false},
	{"version in capitals", "FE-" + traceID + "-" + parentID + "-01", false},
	{"no version", traceID + "-" + parentID + "-01", false},
	{"trace id of zeros", "00-" + strings.Repeat("0", 32) + "-" + parentID + "-01", false},
	{"parent id of zeros", "00-" + traceID + "-" + strings.Repeat("0", 16) + "-01", false},
	{"trace id in capitals", "00-" + strings.ToUpper(traceID) + "-" + parentID + "-01", false},
	{"parent id in capitals", "00-" + traceID + "-" + strings.ToUpper(parentID) + "-01", false},
	{"flags in capitals", "00-" + traceID + "-" + parentID + "-0A", false},
	{"not hex", "00-" + strings.Replace(traceID, "4", "g", 1) + "-" + parentID + "-01", false},
	{"short trace id", "00-" + traceID[1:] + "-" + parentID + "-01", false},
	{"short", "00-" + traceID + "-" + parentID + "-0", false},
	{"other separators", "00_" + traceID + "_" + parentID + "_01", false},
	{"white space", " 00-" + traceID + "-" + parentID + "-01", false},
	{"beyond ASCII", "00-" + strings.Repeat("é", 16) + "-" + parentID + "-01", false},
	{"empty", "", false},
}

func TestParseTraceParent(t *testing.T) {
	t.Parallel()
	for _, tt := range traceparents {
		got, ok := record.ParseTraceParent(tt.header)
		if ok != tt.ok {
			t.Errorf("%s: %q: got %t, want %t", tt.name, tt.header, ok, tt.ok)
		}
		if ok && (got.TraceID != traceID || got.ParentID != parentID || len(got.Flags) != 2) {
			t.Errorf("%s: got %+v", tt.name, got)
		}
		if !ok && got != (record.TraceParent{}) {
			t.Errorf("%s: an invalid header gave %+v", tt.name, got)
		}
	}
}

func TestNewSpanID(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(`^[0-9a-f]{16}$`)
	seen := make(map[string]bool)
	for range 1000 {
		id := record.NewSpanID()
		if !pattern.MatchString(id) || id == strings.Repeat("0", 16) || seen[id] {
			t.Fatalf("span id %q", id)
		}
		seen[id] = true
	}
}

// traceparentPattern says the grammar once more, in another way.
var traceparentPattern = regexp.MustCompile(`^(?:00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}|[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?s:-.*)?)$`)

func FuzzParseTraceParent(f *testing.F) {
	for _, tt := range traceparents {
		f.Add(tt.header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got, ok := record.ParseTraceParent(header)
		want := traceparentPattern.MatchString(header) && !strings.HasPrefix(header, "ff") &&
			(!strings.HasPrefix(header, "00") || len(header) == 55) &&
			header[3:35] != strings.Repeat("0", 32) && header[36:52] != strings.Repeat("0", 16)
		if ok != want {
			t.Fatalf("%q: got %t, want %t", header, ok, want)
		}
		if ok && header[:55] != header[:2]+"-"+got.TraceID+"-"+got.ParentID+"-"+got.Flags {
			t.Fatalf("%q: got %+v", header, got)
		}
	})
}
