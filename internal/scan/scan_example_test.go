package scan_test

import (
	"fmt"

	"github.com/kindgi/kindgi-go/internal/scan"
)

func ExampleValid() {
	fmt.Println(scan.Valid([]byte(`{"a":[1,2.5e3,"\u00e9"]}`)))
	fmt.Println(scan.Valid([]byte(`{"a":1,"\u0061":2}`)))
	fmt.Println(scan.Valid([]byte(`[1e400]`)))
	// Output:
	// <nil>
	// duplicate member name "a" at byte 7
	// number beyond the range of a 64-bit float at byte 1
}

func ExampleSkip() {
	text := []byte(`[{"a":"]"},1]`)
	end := scan.Skip(text, 1)
	fmt.Printf("%s\n", text[1:end])
	// Output: {"a":"]"}
}
