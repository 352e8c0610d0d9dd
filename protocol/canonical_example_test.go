package protocol_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/kindgi/kindgi-go/protocol"
)

func ExampleAppendCanonical() {
	b, err := protocol.AppendCanonical(nil, []byte(`{"b": 1.0, "a": ["\u00e9", 1E21, -0]}`), "")
	fmt.Println(string(b), err)

	_, err = protocol.AppendCanonical(nil, []byte(`[1e400]`), "")
	fmt.Println(err)
	// Output:
	// {"a":["é",1e+21,0],"b":1} <nil>
	// no canonical form: number beyond the range of a 64-bit float at byte 1
}

func ExampleParseVersion() {
	v, _ := protocol.ParseVersion("1.10.0-rc.2+build.7")
	w, _ := protocol.ParseVersion("1.9.0")
	fmt.Println(v.PreRelease(), v.BuildMetadata(), v.Compare(w))

	_, err := protocol.ParseVersion("v1.9")
	fmt.Println(err)
	// Output:
	// rc.2 build.7 1
	// version "v1.9" is not MAJOR.MINOR.PATCH
}

// The order in which an index lists the versions of a tool.
func ExampleCompareVersions() {
	versions := []string{"10.0.0", "2.1.0", "2.1.0-rc.10", "2.1.0-rc.9"}
	slices.SortFunc(versions, protocol.CompareVersions)
	fmt.Println(versions)
	// Output: [2.1.0-rc.9 2.1.0-rc.10 2.1.0 10.0.0]
}

// The hash that a deployment signs.
func ExampleHash() {
	fmt.Println(protocol.Hash([]byte("{}\n")))
	// Output: sha256:ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356
}

func ExampleAt() {
	call := protocol.TraceToolCall{ToolID: "acme.orders.lookup", At: protocol.At(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))}
	fmt.Println(call.At.Time())
	// Output: 2026-01-31 12:00:00 +0000 UTC true
}
