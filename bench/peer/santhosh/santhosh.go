// Package santhosh is a pack service on github.com/santhosh-tekuri/jsonschema/v6.
package santhosh

import (
	"bytes"
	"errors"
	"net/http"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/kindgi/kindgi-go/bench/peer"
	"github.com/kindgi/kindgi-go/bench/peer/internal/sdk"
)

// Program is this way to answer the call.
var Program = peer.Program{New: New}

// New makes the handler.
func New(tools int) (http.Handler, error) { return sdk.New(tools, compile) }

func compile(document []byte) (sdk.Validator, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		return nil, err
	}
	english := message.NewPrinter(language.English)
	return func(value []byte) ([]sdk.Issue, error) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
		if err != nil {
			return nil, err
		}
		err = schema.Validate(v)
		if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
			return leaves(nil, invalid, english), nil
		}
		return nil, err
	}, nil
}

func leaves(issues []sdk.Issue, e *jsonschema.ValidationError, p *message.Printer) []sdk.Issue {
	for _, cause := range e.Causes {
		issues = leaves(issues, cause, p)
	}
	if len(e.Causes) == 0 {
		path := ""
		if len(e.InstanceLocation) > 0 {
			path = "/" + strings.Join(e.InstanceLocation, "/")
		}
		issues = append(issues, sdk.Issue{InstancePath: path, Message: e.ErrorKind.LocalizedString(p)})
	}
	return issues
}
