package protocol_test

import (
	"fmt"

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
