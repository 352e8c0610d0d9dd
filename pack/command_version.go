package pack

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"

	"github.com/kindgi/kindgi-go/protocol"
)

// sdkModule is the path of this SDK's module.
const sdkModule = "github.com/kindgi/kindgi-go"

// runVersion is the command version: what this binary is.
func runVersion(_ context.Context, b *Builder, args []string, p program) int {
	f := newFlags("version", "", "Print what this binary is: pack, artifact, index, SDK and source.")
	asJSON := f.Bool("json", false, "print one line of JSON")
	if rest, code, ok := parseArgs(f, args, p, 0); !ok {
		return code
	} else if len(rest) > 0 {
		return wrongUsage(f, p, "version takes no arguments, got %q", rest[0])
	}
	x, err := b.Index(Pins{})
	if err != nil {
		return failed(p, "version", err)
	}
	file, err := x.Bytes()
	if err != nil {
		return failed(p, "version", err)
	}
	revision, _, modified := vcsStamp()
	v := struct {
		PackID          string `json:"packId"`
		PackVersion     string `json:"packVersion"`
		ArtifactVersion string `json:"artifactVersion"`
		IndexHash       string `json:"indexHash"`
		SDKVersion      string `json:"sdkVersion"`
		Revision        string `json:"revision,omitzero"`
		Modified        bool   `json:"modified"`
	}{x.PackID, x.PackVersion, x.ArtifactVersion, protocol.Hash(file), sdkVersion(), revision, modified}
	if *asJSON {
		printLine(p, v)
		return exitOK
	}
	source := cmp.Or(revision, "unknown (the binary carries no version control stamp)")
	if modified {
		source += ", with uncommitted changes"
	}
	_, _ = fmt.Fprintf(p.stdout, "pack      %s %s\nartifact  %s\nindex     %s\nsdk       %s %s\nsource    %s\n",
		v.PackID, v.PackVersion, v.ArtifactVersion, v.IndexHash, sdkModule, v.SDKVersion, source)
	return exitOK
}

// sdkVersion is the version of this SDK that is linked into the binary.
func sdkVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
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
