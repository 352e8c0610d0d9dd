package protocol_test

import (
	"encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
	"github.com/kindgi/kindgi-go/protocol"
)

// FuzzManifest: reading any object as one of a runtime's and writing it loses nothing, adds nothing.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(wholeManifest))
	f.Add([]byte(wholeTrace))
	f.Add([]byte(`{"spec":{"kind":"mcp"},"limits":{"memMB":1.50},"totalCostUsd":0.10000000000000001}`))
	f.Add([]byte(`{"error":{"code":1},"instancePath":"","params":{},"protocol":2,"tools":[{}]}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		isObject := scan.Valid(document) == nil && jsontext.Value(document).Kind() == '{'
		for _, v := range []interface {
			json.Marshaler
			json.Unmarshaler
		}{
			new(protocol.ToolManifest), new(protocol.RunTrace), new(protocol.APIError), new(protocol.Issue), new(protocol.Cause),
		} {
			err := v.UnmarshalJSON(document)
			if (err == nil) != isObject {
				t.Fatalf("%T: %v", v, err)
			}
			if err != nil {
				continue
			}
			got, err := v.MarshalJSON()
			if err != nil {
				t.Fatalf("%T: %v", v, err)
			}
			sameValue(t, got, document)
		}
	})
}
