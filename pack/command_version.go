package pack

import (
	"cmp"
	"context"
	"fmt"
)

// sdkModule is the path of this SDK's module.
const sdkModule = "github.com/kindgi/kindgi-go"

// runVersion is the command version: what this binary is.
func runVersion(_ context.Context, b *Builder, args []string, p program) int {
	f := newFlags(p, help{
		command: "version",
		summary: "Print what this binary is: pack, artifact, index, SDK and source. The artifact and the index are those that it serves with the same --index.",
	})
	file := f.String("index", "", "the index in `FILE` (default "+envIndex+", else the compiled-in index)")
	asJSON := f.Bool("json", false, "print one line of JSON")
	if rest, code, ok := parseArgs(f, args, p, 0); !ok {
		return code
	} else if len(rest) > 0 {
		return wrongUsage(f, p, "it takes no arguments, got %q", rest[0])
	}
	c, err := servedCatalog(b, cmp.Or(*file, p.getenv(envIndex)))
	if err != nil {
		return failed(p, "version", err)
	}
	x := c.index
	revision, _, modified := vcsStamp()
	v := struct {
		PackID          string `json:"packId"`
		PackVersion     string `json:"packVersion"`
		ArtifactVersion string `json:"artifactVersion"`
		PublishedAt     string `json:"publishedAt"`
		IndexHash       string `json:"indexHash"`
		SDKVersion      string `json:"sdkVersion"`
		Revision        string `json:"revision,omitzero"`
		Modified        bool   `json:"modified"`
	}{x.PackID, x.PackVersion, x.ArtifactVersion, x.PublishedAt, c.hash(), sdkVersion(), revision, modified}
	if *asJSON {
		printLine(p, v)
		return exitOK
	}
	source := cmp.Or(revision, "unknown (the binary carries no version control stamp)")
	switch {
	case modified && revision == "":
		source = "unknown (the repository has no commit yet)"
	case modified:
		source += ", with uncommitted changes"
	}
	_, _ = fmt.Fprintf(p.stdout, "pack      %s %s\nartifact  %s, published at %s\nindex     %s\nsdk       %s %s\nsource    %s\n",
		v.PackID, v.PackVersion, v.ArtifactVersion, v.PublishedAt, v.IndexHash, sdkModule, v.SDKVersion, source)
	return exitOK
}

// servedCatalog gives the catalog that a service has with an index file; "" for the
// compiled-in index.
func servedCatalog(b *Builder, name string) (*catalog, error) {
	if name == "" {
		return newCatalog(b.snapshot(), nil, "")
	}
	file, err := readIndexFile(name)
	if err != nil {
		return nil, err
	}
	return newCatalog(b.snapshot(), file, name)
}

// sdkVersion is the version of this SDK that is linked into the binary.
func sdkVersion() string {
	info := buildInfo()
	if info == nil {
		return "unknown"
	}
	if info.Main.Path == sdkModule {
		return cmp.Or(info.Main.Version, "(devel)")
	}
	for _, m := range info.Deps {
		if m.Path == sdkModule {
			if m.Replace != nil {
				return cmp.Or(m.Replace.Version, "(devel)")
			}
			return m.Version
		}
	}
	return "unknown"
}
