package pack

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/internal/diff"
	"github.com/kindgi/kindgi-go/protocol"
)

// indexFlags are the flags of the command index.
type indexFlags struct {
	packDir         string
	output          string
	artifactVersion string
	publishedAt     string
	json            bool
	check           bool
	compiledIn      bool
}

// runIndex is the command index: it writes the pack's index, whole or not at all.
func runIndex(_ context.Context, b *Builder, args []string, p program) int {
	var o indexFlags
	f := newFlags(p, help{command: "index", summary: "Write the pack's index, whole or not at all. Exits 1 for every error, also in the value of a flag."})
	f.StringVar(&o.packDir, "pack-dir", ".", "the pack's `DIR`, where index.json is")
	f.StringVar(&o.output, "output", "", "write this `FILE` (default index.json in the pack's directory; - for standard output)")
	f.StringVar(&o.artifactVersion, "artifact-version", "", "the artifact's `VERSION` (default YYYYMMDD.N, counting from the index that is there)")
	f.StringVar(&o.publishedAt, "published-at", "", "the publishing `TIME`, RFC 3339 (default now)")
	f.BoolVar(&o.compiledIn, "compiled-in", false, "with the version and the time of the commit that the binary was built from: the index that it serves without --index")
	f.BoolVar(&o.json, "json", false, "report in one line of JSON")
	f.BoolVar(&o.check, "check", false, "write nothing; fail when the file is not what would be written, its version and time apart")
	if rest, code, ok := parseArgs(f, args, p, 0); !ok {
		return code
	} else if len(rest) > 0 {
		return wrongUsage(f, p, "it takes no arguments, got %q", rest[0])
	} else if o.compiledIn && (o.artifactVersion != "" || o.publishedAt != "") {
		return wrongUsage(f, p, "--compiled-in takes the version and the time from the binary; leave out --artifact-version and --published-at")
	} else if o.json && o.output == "-" && !o.check {
		return wrongUsage(f, p, "--json reports on standard output, where --output - writes the index; name a file")
	}
	if o.output == "" {
		o.output = filepath.Join(o.packDir, "index.json")
	}
	warn(b, p)
	index, data, err := o.make(b, time.Now())
	if err == nil && o.check {
		err = o.compare(data)
	} else if err == nil {
		err = o.write(data, p)
	}
	if err != nil {
		o.reportError(err, p)
		return exitFailed
	}
	o.report(index, data, p)
	return exitOK
}

// indexError is why the command index failed, with the fields of its JSON report.
type indexError struct {
	Code     string
	FilePath string // "" when it is about no file
	Field    string // "" when it is about no field or flag
	err      error
}

func (e *indexError) Error() string { return e.err.Error() }
func (e *indexError) Unwrap() error { return e.err }

// make makes the index with the pins the flags give, and its bytes.
func (o *indexFlags) make(b *Builder, now time.Time) (*protocol.Index, []byte, error) {
	pins, err := o.pins(now)
	if err != nil {
		return nil, nil, err
	}
	index, err := b.Index(pins)
	if err != nil {
		e := &indexError{Code: "invalid-pack", err: err}
		if r, ok := errors.AsType[*RegistrationError](err); ok {
			e.FilePath = r.File
		}
		return nil, nil, e
	}
	data, err := index.Bytes()
	if err != nil {
		return nil, nil, &indexError{Code: "invalid-pack", err: err}
	}
	return index, data, nil
}

// pins gives what the flags pin and, for the rest, the next artifact version and now, or
// for a check what the file has.
func (o *indexFlags) pins(now time.Time) (Pins, error) {
	if o.compiledIn {
		return Pins{}.orBuild(), nil
	}
	pins := Pins{ArtifactVersion: o.artifactVersion}
	if err := pins.check(); err != nil {
		return pins, &indexError{Code: "invalid-argument", Field: "artifact-version", err: err}
	}
	if o.publishedAt != "" {
		at, err := time.Parse(time.RFC3339Nano, o.publishedAt)
		if err == nil && (o.publishedAt[len("2006-01-02T15")] != ':' || strings.Contains(o.publishedAt, ",")) {
			err = errors.New("package time takes more than RFC 3339 has")
		}
		if err != nil || at.IsZero() || (Pins{PublishedAt: at}).check() != nil {
			return pins, &indexError{Code: "invalid-argument", Field: "published-at",
				err: fmt.Errorf("--published-at %q is not an RFC 3339 time, such as 2026-01-31T12:00:00Z", o.publishedAt)}
		}
		pins.PublishedAt = at
	}
	if pins.ArtifactVersion != "" && !pins.PublishedAt.IsZero() {
		return pins, nil
	}
	previous, err := o.previous()
	if !o.check {
		if pins.PublishedAt.IsZero() {
			pins.PublishedAt = now
		}
		if pins.ArtifactVersion == "" {
			// Whatever else the file may hold is about to be replaced.
			pins.ArtifactVersion = nextArtifactVersion(previous, pins.PublishedAt)
		}
		return pins, nil
	}
	if err != nil {
		return pins, err
	}
	pins.ArtifactVersion = cmp.Or(pins.ArtifactVersion, previous.ArtifactVersion)
	if pins.PublishedAt.IsZero() {
		at, err := time.Parse(time.RFC3339Nano, previous.PublishedAt)
		if err != nil {
			return pins, &indexError{Code: "invalid-index", FilePath: o.output, Field: "publishedAt",
				err: fmt.Errorf("%s: publishedAt %q is not a time; write the index again", o.output, previous.PublishedAt)}
		}
		pins.PublishedAt = at
	}
	return pins, nil
}

// read reads the output file.
func (o *indexFlags) read() ([]byte, error) {
	if o.output == "-" {
		return nil, &indexError{Code: "read-failed", FilePath: o.output, err: errors.New("standard output cannot be read; name a file with --output")}
	}
	info, err := os.Stat(o.output)
	var data []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // a device may have no end, a pipe no beginning
		err = errors.New("it is not a file")
	default:
		data, err = os.ReadFile(o.output)
	}
	if err != nil {
		return nil, &indexError{Code: "read-failed", FilePath: o.output, err: fmt.Errorf("cannot read %s: %w; the command index without --check writes it", o.output, reason(err))}
	}
	return data, nil
}

// previous reads the index that the output file holds.
func (o *indexFlags) previous() (*protocol.Index, error) {
	data, err := o.read()
	if err != nil {
		return nil, err
	}
	index, err := protocol.ParseIndex(data)
	if err != nil {
		return nil, &indexError{Code: "invalid-index", FilePath: o.output, err: prefixed(o.output, err)}
	}
	return index, nil
}

// nextArtifactVersion counts up within the day, in UTC.
func nextArtifactVersion(previous *protocol.Index, now time.Time) string {
	day := now.UTC().Format("20060102")
	n := 0
	if previous != nil {
		if rest, ok := strings.CutPrefix(previous.ArtifactVersion, day+"."); ok {
			if last, ok := digits(rest); ok {
				n = last
			}
		}
	}
	return day + "." + strconv.Itoa(n+1)
}

// write writes the index to the output.
func (o *indexFlags) write(data []byte, p program) error {
	var err error
	if o.output == "-" {
		_, err = p.stdout.Write(data)
	} else {
		err = writeWhole(o.output, data)
	}
	if err != nil {
		return &indexError{Code: "write-failed", FilePath: o.output, err: fmt.Errorf("cannot write %s: %w", o.output, reason(err))}
	}
	return nil
}

// compare reports how the file differs from what would be written.
func (o *indexFlags) compare(want []byte) error {
	have, err := o.read()
	if err != nil {
		return err
	}
	if bytes.Equal(have, want) {
		return nil
	}
	return &indexError{Code: "stale", FilePath: o.output,
		err: fmt.Errorf("%s is stale: write it again with the command index\n--- %s\n+++ the pack\n%s",
			o.output, o.output, strings.TrimSuffix(diff.Lines(string(have), string(want)), "\n"))}
}

// reason drops from a file's error the name that the message has already.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// report says what was done. The hash, which a deployment signs, is for people alone: the
// fields of the JSON report are the same in every language.
func (o *indexFlags) report(x *protocol.Index, data []byte, p program) {
	if !o.json {
		if o.check {
			_, _ = fmt.Fprintf(p.stdout, "%s is up to date\n", o.output)
		} else if o.output != "-" {
			_, _ = fmt.Fprintf(p.stdout, "wrote %s: %s %s, artifact %s, %s, %s, %s, %s, %s\n", o.output, x.PackID, x.PackVersion, x.ArtifactVersion,
				plural(len(x.Tools), "tool"), plural(len(x.Guardrails), "guardrail"), plural(len(x.Agents), "agent"), plural(len(x.Flows), "flow"), protocol.Hash(data))
		}
		return
	}
	type counts struct {
		Tools      int `json:"tools"`
		Guardrails int `json:"guardrails"`
		Agents     int `json:"agents"`
		Flows      int `json:"flows"`
	}
	type value struct {
		PackID          string   `json:"packId"`
		PackVersion     string   `json:"packVersion"`
		ArtifactVersion string   `json:"artifactVersion"`
		PublishedAt     string   `json:"publishedAt"`
		Counts          counts   `json:"counts"`
		OutputPath      string   `json:"outputPath"`
		FileErrors      []string `json:"fileErrors"`
	}
	printLine(p, struct {
		Kind  string `json:"kind"`
		Value value  `json:"value"`
	}{"ok", value{x.PackID, x.PackVersion, x.ArtifactVersion, x.PublishedAt,
		counts{len(x.Tools), len(x.Guardrails), len(x.Agents), len(x.Flows)}, o.output, nil}})
}

// plural counts things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// reportError says why nothing was done.
func (o *indexFlags) reportError(err error, p program) {
	e, ok := errors.AsType[*indexError](err)
	if !ok {
		e = &indexError{Code: "failed", err: err}
	}
	if !o.json {
		failed(p, "index", e.err)
		return
	}
	type report struct {
		Code     string `json:"code"`
		Message  string `json:"message"`
		FilePath string `json:"filePath,omitzero"`
		Field    string `json:"field,omitzero"`
	}
	printLine(p, struct {
		Kind  string `json:"kind"`
		Error report `json:"error"`
	}{"err", report{e.Code, strings.Join(flatten(e.err), "; "), e.FilePath, e.Field}})
}
