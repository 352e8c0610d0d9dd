package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
}

// runIndex is the command index: it writes the pack's index, whole or not at all.
func runIndex(_ context.Context, b *Builder, args []string, p program) int {
	var o indexFlags
	f := newFlags("index", "", "Write the pack's index, whole or not at all.")
	f.StringVar(&o.packDir, "pack-dir", ".", "the pack's `DIR`, where index.json is")
	f.StringVar(&o.output, "output", "", "write this `FILE` (default index.json in the pack's directory; - for standard output)")
	f.StringVar(&o.artifactVersion, "artifact-version", "", "the artifact's `VERSION` (default YYYYMMDD.N, counting from the index that is there)")
	f.StringVar(&o.publishedAt, "published-at", "", "the publishing `TIME`, RFC 3339 (default now)")
	f.BoolVar(&o.json, "json", false, "report in one line of JSON")
	f.BoolVar(&o.check, "check", false, "write nothing; fail when the file is not what would be written, its version and time apart")
	if rest, code, ok := parseArgs(f, args, p, 0); !ok {
		return code
	} else if len(rest) > 0 {
		return wrongUsage(f, p, "index takes no arguments, got %q", rest[0])
	}
	if o.output == "" {
		o.output = filepath.Join(o.packDir, "index.json")
	}
	warn(b, p)
	index, err := o.make(b, time.Now())
	if err == nil && o.check {
		err = o.compare(index)
	} else if err == nil {
		err = o.write(index, p)
	}
	if err != nil {
		o.reportError(err, p)
		return exitFailed
	}
	o.report(index, p)
	return exitOK
}

// indexError is why the command index failed, with the fields of its JSON report.
type indexError struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	FilePath string `json:"filePath,omitzero"`
	Field    string `json:"field,omitzero"`
}

func (e *indexError) Error() string { return e.Message }

// make makes the index with the pins the flags give.
func (o *indexFlags) make(b *Builder, now time.Time) (*protocol.Index, error) {
	previous, err := o.previous()
	if err != nil && !o.check {
		previous = nil // it is about to be replaced
	} else if err != nil {
		return nil, err
	}
	pins := Pins{ArtifactVersion: o.artifactVersion, PublishedAt: now}
	if o.publishedAt != "" {
		at, err := time.Parse(time.RFC3339Nano, o.publishedAt)
		if err != nil {
			return nil, &indexError{Code: "invalid-argument", Field: "published-at",
				Message: fmt.Sprintf("--published-at %q is not an RFC 3339 time, such as 2026-01-31T12:00:00Z", o.publishedAt)}
		}
		pins.PublishedAt = at
	}
	if pins.ArtifactVersion == "" {
		pins.ArtifactVersion = nextArtifactVersion(previous, now)
	}
	if o.check {
		pins.ArtifactVersion = previous.ArtifactVersion
		at, err := time.Parse(time.RFC3339Nano, previous.PublishedAt)
		if err != nil {
			return nil, &indexError{Code: "invalid-index", FilePath: o.output, Field: "publishedAt",
				Message: fmt.Sprintf("%s: publishedAt %q is not a time", o.output, previous.PublishedAt)}
		}
		pins.PublishedAt = at
	}
	index, err := b.Index(pins)
	if err != nil {
		e := &indexError{Code: "invalid-pack", Message: strings.Join(flatten(err), "; ")}
		if r, ok := errors.AsType[*RegistrationError](err); ok {
			e.FilePath = r.File
		}
		return nil, e
	}
	return index, nil
}

// previous reads the index that the output file holds; nil when there is no file.
func (o *indexFlags) previous() (*protocol.Index, error) {
	if o.output == "-" {
		return nil, nil // no file, and no error
	}
	data, err := os.ReadFile(o.output)
	if errors.Is(err, fs.ErrNotExist) && !o.check {
		return nil, nil // no file, and no error
	}
	if err != nil {
		return nil, &indexError{Code: "read-failed", FilePath: o.output, Message: fmt.Sprintf("cannot read %s: %v; write it with index", o.output, reason(err))}
	}
	index, err := protocol.ParseIndex(data)
	if err != nil {
		return nil, &indexError{Code: "invalid-index", FilePath: o.output, Message: fmt.Sprintf("%s: %v", o.output, err)}
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
func (o *indexFlags) write(index *protocol.Index, p program) error {
	data, err := index.Bytes()
	if err != nil {
		return &indexError{Code: "invalid-pack", Message: err.Error()}
	}
	if o.output == "-" {
		_, err = p.stdout.Write(data)
	} else {
		err = writeWhole(o.output, data)
	}
	if err != nil {
		return &indexError{Code: "write-failed", FilePath: o.output, Message: fmt.Sprintf("cannot write %s: %v", o.output, reason(err))}
	}
	return nil
}

// writeWhole writes a file whole or not at all: into a temporary file beside it, which
// then takes its name.
func writeWhole(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // err says more than why this failed, too
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // an index is public
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// compare reports how the file differs from what would be written.
func (o *indexFlags) compare(index *protocol.Index) error {
	want, err := index.Bytes()
	if err != nil {
		return &indexError{Code: "invalid-pack", Message: err.Error()}
	}
	have, err := os.ReadFile(o.output)
	if err != nil {
		return &indexError{Code: "read-failed", FilePath: o.output, Message: fmt.Sprintf("cannot read %s: %v", o.output, reason(err))}
	}
	if bytes.Equal(have, want) {
		return nil
	}
	return &indexError{Code: "stale", FilePath: o.output,
		Message: fmt.Sprintf("%s is stale (- is the file, + is the pack); write it again with index\n%s", o.output, lineDiff(string(have), string(want)))}
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

// report says what was done.
func (o *indexFlags) report(x *protocol.Index, p program) {
	if !o.json {
		if o.check {
			_, _ = fmt.Fprintf(p.stdout, "%s is up to date\n", o.output)
		} else if o.output != "-" {
			_, _ = fmt.Fprintf(p.stdout, "wrote %s: %s %s, artifact %s, %d tools, %d guardrails, %d agents, %d flows\n",
				o.output, x.PackID, x.PackVersion, x.ArtifactVersion, len(x.Tools), len(x.Guardrails), len(x.Agents), len(x.Flows))
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

// reportError says why nothing was done.
func (o *indexFlags) reportError(err error, p program) {
	if !o.json {
		_, _ = fmt.Fprintf(p.stderr, "index: %v\n", err)
		return
	}
	e, ok := errors.AsType[*indexError](err)
	if !ok {
		e = &indexError{Code: "failed", Message: err.Error()}
	}
	printLine(p, struct {
		Kind  string      `json:"kind"`
		Error *indexError `json:"error"`
	}{"err", e})
}
