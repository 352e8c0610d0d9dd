// Package bare is what an author would write by hand with the standard library, and the measure of all
// others: it decodes the call, answers it and encodes the answer, and checks nothing.
package bare

import (
	"encoding/json"
	"net/http"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

// Program is this way to answer the call.
var Program = peer.Program{New: New, Blind: true}

// New makes the handler. It knows one tool, however many are asked for.
func New(int) (http.Handler, error) { return http.HandlerFunc(invoke), nil }

func invoke(w http.ResponseWriter, r *http.Request) {
	var call order.Call[order.Order]
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	quote, err := order.Price(r.Context(), call.Input)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if err := json.NewEncoder(w).Encode(order.Result[order.Quote]{V: 2, Kind: "result", Output: quote}); err != nil {
		panic(http.ErrAbortHandler)
	}
}
