// Package barev2 is package bare on the next encoding/json: it reads and writes without a buffer of its own.
package barev2

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

// Program is this way to answer the call.
var Program = peer.Program{New: New, Blind: true}

// New makes the handler. It knows one tool, however many are asked for.
func New(int) (http.Handler, error) { return http.HandlerFunc(invoke), nil }

func invoke(w http.ResponseWriter, r *http.Request) {
	var call order.Call[order.Order]
	if err := json.UnmarshalRead(r.Body, &call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	quote, err := order.Price(r.Context(), call.Input)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if err := json.MarshalWrite(w, order.Result[order.Quote]{V: 2, Kind: "result", Output: quote}); err != nil {
		panic(http.ErrAbortHandler)
	}
}
