// Package gojsonschema is a pack service on github.com/xeipuuv/gojsonschema.
package gojsonschema

import (
	"net/http"

	"github.com/xeipuuv/gojsonschema"

	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/internal/sdk"
)

// Program is this way to answer the call.
var Program = peer.Program{New: New}

// New makes the handler.
func New(tools int) (http.Handler, error) { return sdk.New(tools, compile) }

func compile(document []byte) (sdk.Validator, error) {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(document))
	if err != nil {
		return nil, err
	}
	return func(value []byte) ([]sdk.Issue, error) {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(value))
		if err != nil {
			return nil, err
		}
		var issues []sdk.Issue
		for _, e := range result.Errors() {
			issues = append(issues, sdk.Issue{InstancePath: e.Context().String("/"), Message: e.Description()})
		}
		return issues, nil
	}, nil
}
