package pack

import (
	"runtime/debug"
	"sync"
	"time"
)

// unstamped is the artifact version of a binary that carries no version control stamp.
const unstamped = "devel"

// orBuild fills in what is not pinned from the binary's version control stamp: the day
// of the commit and the first 12 digits of its revision, with ".dirty" after them when
// the tree had uncommitted changes. Every replica of one binary gets the same values.
// A binary without a stamp (built outside a repository, with -buildvcs=false, or by go
// run) is the artifact "devel", published at the Unix epoch.
func (p Pins) orBuild() Pins {
	if p.ArtifactVersion != "" && !p.PublishedAt.IsZero() {
		return p
	}
	revision, at, modified := vcsStamp()
	if p.PublishedAt.IsZero() {
		p.PublishedAt = at
	}
	if p.ArtifactVersion == "" {
		p.ArtifactVersion = unstamped
		if revision != "" {
			p.ArtifactVersion = at.UTC().Format("20060102") + "." + revision[:min(12, len(revision))]
			if modified {
				p.ArtifactVersion += ".dirty"
			}
		}
	}
	return p
}

// vcsStamp reads what the go command recorded about the commit a binary was built from.
func vcsStamp() (revision string, at time.Time, modified bool) {
	at = time.Unix(0, 0)
	info := buildInfo()
	if info == nil {
		return "", at, false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.time":
			if t, err := time.Parse(time.RFC3339, s.Value); err == nil {
				at = t
			}
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return revision, at, modified
}

// buildInfo is what the go command recorded about the binary, nil when there is nothing. Each reading
// parses all of it.
var buildInfo = sync.OnceValue(func() *debug.BuildInfo {
	info, _ := debug.ReadBuildInfo()
	return info
})
