package protocol

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// IndexVersion is the version of the index's envelope.
const IndexVersion = 1

// Index is what a pack publishes about itself: index.json.
type Index struct {
	V               int // the envelope's version; 0 is written as [IndexVersion]
	PackID          string
	PackVersion     string // semver
	ArtifactVersion string // names this build of the pack
	PublishedAt     string // UTC with milliseconds: 2006-01-02T15:04:05.000Z
	Tools           []IndexTool
	Guardrails      []IndexGuardrail
	Agents          []Agent
	Flows           []Flow
	Env             *IndexEnv // nil when the pack declares no env name

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// IndexEnv lists the names of the process's environment that a pack declares. A nil list is written
// as [].
type IndexEnv struct {
	Optional []string
	Required []string

	Unknown map[string]jsontext.Value // further members, kept
	zeros   zeros
}

// MarshalJSON gives the index as JSON, its lists in the order they have. The form that is published
// is [Index.Bytes]'s.
func (x Index) MarshalJSON() ([]byte, error) { return marshalObject(&x) }

// size is about how long the index is as JSON.
func (x *Index) size() int {
	n := 512
	for i := range x.Tools {
		n += 256 + len(x.Tools[i].Description) + len(x.Tools[i].Input) + len(x.Tools[i].Output)
	}
	for i := range x.Guardrails {
		n += 512 + len(x.Guardrails[i].ConfigSchema)
	}
	return n + 1024*(len(x.Agents)+len(x.Flows))
}

// UnmarshalJSON reads an index, as [ParseIndex] does but for the checks across entries.
func (x *Index) UnmarshalJSON(data []byte) error { return unmarshalObject(data, x, true) }

func (x *Index) visit(v *visitor) {
	v.open(&x.Unknown, &x.zeros)
	v.version("v", &x.V, IndexVersion)
	text(v, "packId", &x.PackID, required)
	text(v, "packVersion", &x.PackVersion, required)
	text(v, "artifactVersion", &x.ArtifactVersion, required)
	text(v, "publishedAt", &x.PublishedAt, required)
	list(v, "tools", &x.Tools, required)
	list(v, "guardrails", &x.Guardrails, required)
	list(v, "agents", &x.Agents, required)
	list(v, "flows", &x.Flows, required)
	one(v, "env", &x.Env, optional)
}

// MarshalJSON gives the names as an index carries them.
func (e IndexEnv) MarshalJSON() ([]byte, error) { return marshalObject(&e) }

// UnmarshalJSON reads the names.
func (e *IndexEnv) UnmarshalJSON(data []byte) error { return unmarshalObject(data, e, true) }

func (e *IndexEnv) visit(v *visitor) {
	v.open(&e.Unknown, &e.zeros)
	v.texts("optional", &e.Optional, always)
	v.texts("required", &e.Required, always)
}

// IndexVersionError is the error of [ParseIndex] for an index whose envelope this package cannot read.
type IndexVersionError struct {
	V string // the envelope's v as JSON, "undefined" when it has none
}

// Error gives the text that operators match on.
func (e *IndexVersionError) Error() string {
	return fmt.Sprintf("Index envelope v%s is not v%d", e.V, IndexVersion)
}

// ParseIndex reads an index file. It refuses what is no JSON object; then an envelope of another
// version, with an [*IndexVersionError]; then members that lack or are of another type than the pack
// contract's section 5, and entries that are there twice. Problems of the last kind are all in the
// error, each naming its place as a JSON Pointer (RFC 6901): it is joined (errors.Join), so a caller
// lists them one by one through Unwrap() []error. Members that it does not know are kept.
//
// The document is copied.
func ParseIndex(document []byte) (*Index, error) {
	if err := scan.Valid(document); err != nil {
		return nil, fmt.Errorf("the index is not valid JSON: %w", err)
	}
	members, ok := openObject(document)
	if !ok {
		return nil, fmt.Errorf("the index is not an object but %s", show(document[scan.Space(document, 0):]))
	}
	var version []byte
	for {
		name, value, ok := members.next()
		if !ok {
			break
		}
		if string(name) == "v" {
			version = value
		}
	}
	if n, ok := wholeNumber([]byte(cmp.Or(string(version), "null"))); !ok || n != IndexVersion {
		return nil, &IndexVersionError{V: inJSON(version)}
	}
	x := new(Index)
	if err := x.UnmarshalJSON(document); err != nil {
		return nil, err
	}
	if err := errors.Join(x.problems()...); err != nil {
		return nil, err
	}
	return x, nil
}

// problems gives what is wrong between the entries of an index.
func (x *Index) problems() []error {
	var problems []error
	entries := func(list string, n int, id func(i int) (id, version string)) {
		first := make(map[[2]string]int, n)
		for i := range n {
			id, version := id(i)
			key := [2]string{id, version}
			j, twice := first[key]
			switch {
			case id == "":
				problems = append(problems, fmt.Errorf("%s/id is empty", element(list, i)))
			case twice && version == "":
				problems = append(problems, fmt.Errorf("%s: %q is at %s already", element(list, i), id, element(list, j)))
			case twice:
				problems = append(problems, fmt.Errorf("%s: %q %s is at %s already", element(list, i), id, version, element(list, j)))
			default:
				first[key] = i
			}
		}
	}
	entries("tools", len(x.Tools), func(i int) (string, string) { return x.Tools[i].ID, x.Tools[i].Version })
	entries("guardrails", len(x.Guardrails), func(i int) (string, string) { return x.Guardrails[i].ID, "" })
	entries("agents", len(x.Agents), func(i int) (string, string) { return x.Agents[i].ID, x.Agents[i].Version })
	entries("flows", len(x.Flows), func(i int) (string, string) { return x.Flows[i].ID, x.Flows[i].Version })
	return problems
}

// Sort puts the entries in the order an index has them in: by id in UTF-16 order (the versions of one
// id in semver order), env names sorted.
func (x *Index) Sort() {
	x.Tools = sortEntries(x.Tools, func(t *IndexTool) (string, string) { return t.ID, t.Version })
	x.Guardrails = sortEntries(x.Guardrails, func(g *IndexGuardrail) (string, string) { return g.ID, "" })
	x.Agents = sortEntries(x.Agents, func(a *Agent) (string, string) { return a.ID, a.Version })
	x.Flows = sortEntries(x.Flows, func(f *Flow) (string, string) { return f.ID, f.Version })
	if x.Env != nil {
		env := *x.Env
		env.Optional = slices.SortedFunc(slices.Values(env.Optional), compareUTF16)
		env.Required = slices.SortedFunc(slices.Values(env.Required), compareUTF16)
		x.Env = &env
	}
}

// Bytes gives the index's canonical bytes, the content of index.json: tools, guardrails, agents and
// flows sorted by id in UTF-16 order (the versions of one id in semver order), env names sorted, all
// else in the form of [AppendCanonical] with an indent of two spaces and one trailing newline. Lists
// inside an entry keep the order they have: there it is the author's. The index is not changed.
//
// It fails when a raw value in the index is not JSON or has no canonical form.
func (x *Index) Bytes() ([]byte, error) {
	sorted := *x
	sorted.Sort()
	document, err := marshalObject(&sorted)
	if err != nil {
		return nil, fmt.Errorf("index of pack %q: %w", x.PackID, err)
	}
	b, err := AppendCanonical(nil, document, "  ")
	if err != nil {
		return nil, fmt.Errorf("index of pack %q: %w", x.PackID, err)
	}
	return append(b, '\n'), nil
}

func sortEntries[E any](list []E, key func(*E) (id, version string)) []E {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b E) int {
		idA, versionA := key(&a)
		idB, versionB := key(&b)
		return cmp.Or(compareUTF16(idA, idB), CompareVersions(versionA, versionB))
	})
	return list
}

// Hash is "sha256:" and the hex SHA-256 of an index file, byte for byte: the indexHash of [Info] and
// of a deployment.
func Hash(file []byte) string {
	sum := sha256.Sum256(file)
	return "sha256:" + hex.EncodeToString(sum[:])
}
