package schema_test

import (
	"fmt"
	"reflect"

	"github.com/kindgi/kindgi-go/schema"
)

// A value is checked first and decoded then: what was checked needs no second look.
func ExampleDecode() {
	type parcel struct {
		Number int64 `json:"number" jsonschema:"minimum=1"`
	}
	s, err := schema.For[parcel]()
	if err != nil {
		fmt.Println(err)
		return
	}
	data := []byte(`{"number":9007199254740993}`)
	if issues, err := s.Validate(data); err != nil || len(issues) > 0 {
		fmt.Println(issues, err)
		return
	}
	var p parcel
	fmt.Println(schema.Decode(data, &p), p.Number)
	// Output: <nil> 9007199254740993
}

// Append encodes into a buffer that is used again.
func ExampleAppend() {
	buffer := make([]byte, 0, 1024)
	for _, name := range []string{"Ada", "Grace"} {
		line, err := schema.Append(buffer[:0], map[string]string{"name": name})
		fmt.Println(string(line), err)
	}
	// Output:
	// {"name":"Ada"} <nil>
	// {"name":"Grace"} <nil>
}

// ForType is for a type that is known only when the program runs.
func ExampleForType() {
	for _, v := range []any{int8(0), "", []bool(nil)} {
		s, err := schema.ForType(reflect.TypeOf(v))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(reflect.TypeOf(v), string(s.JSON()))
	}
	// Output:
	// int8 {"maximum":127,"minimum":-128,"type":"integer"}
	// string {"type":"string"}
	// []bool {"items":{"type":"boolean"},"type":"array"}
}
