// Package sdk is a pack service around a JSON Schema library, written the usual way: decode the message,
// validate the input, decode it into its type, call the handler, encode and validate what it returns.
package sdk

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/kindgi/kindgi-go/bench/order"
)

// Validator checks a JSON value by one schema. Its issues are what a caller would be told.
type Validator func(value []byte) (issues []Issue, err error)

// Issue is one thing wrong with a value.
type Issue struct {
	InstancePath string `json:"instancePath"`
	Message      string `json:"message"`
}

type tool struct{ input, output Validator }

// New makes the handler of a service with so many tools. Each compiles its own schemas, as tools with
// schemas of their own would.
func New(tools int, compile func(schema []byte) (Validator, error)) (http.Handler, error) {
	byID := make(map[string]tool, tools)
	for i := range tools {
		id := order.ToolID
		if i > 0 {
			id += "-" + strconv.Itoa(i)
		}
		var t tool
		var err error
		if t.input, err = compile(order.Schema); err != nil {
			return nil, err
		}
		if t.output, err = compile(order.QuoteSchema); err != nil {
			return nil, err
		}
		byID[id] = t
	}
	return service(byID), nil
}

type service map[string]tool

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := s.invoke(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if _, err := w.Write(answer); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (s service) invoke(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var call order.Call[json.RawMessage]
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	t, ok := s[call.Tool.ID]
	if !ok {
		return json.Marshal(failure{V: 2, Kind: "error", Code: "tool-not-in-pack", ToolID: call.Tool.ID})
	}
	if issues, err := t.input(call.Input); err != nil {
		return nil, err
	} else if len(issues) > 0 {
		return json.Marshal(failure{2, "error", "input-validation-failed", call.Tool.ID, issues})
	}
	var in order.Order
	if err := json.Unmarshal(call.Input, &in); err != nil {
		return nil, err
	}
	quote, err := order.Price(r.Context(), in)
	if err != nil {
		return nil, err
	}
	output, err := json.Marshal(quote)
	if err != nil {
		return nil, err
	}
	if issues, err := t.output(output); err != nil {
		return nil, err
	} else if len(issues) > 0 {
		return json.Marshal(failure{2, "error", "output-validation-failed", call.Tool.ID, issues})
	}
	return json.Marshal(order.Result[json.RawMessage]{V: 2, Kind: "result", Output: output})
}

type failure struct {
	V      int     `json:"v"`
	Kind   string  `json:"kind"`
	Code   string  `json:"code"`
	ToolID string  `json:"toolId"`
	Issues []Issue `json:"issues,omitempty"`
}
