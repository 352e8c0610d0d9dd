// Package constant is the limit of what any program on net/http can reach: it reads the call and answers
// always the same.
package constant

import (
	"io"
	"net/http"

	"github.com/kindgi/kindgi-go/bench/peer"
)

var answer = []byte(`{"v":2,"kind":"result","output":{"number":"A-1001","currency":"EUR","lines":8,"pieces":36,"cents":46620}}`)

// Program is this way to answer the call.
var Program = peer.Program{New: New, Blind: true}

// New makes the handler.
func New(int) (http.Handler, error) { return http.HandlerFunc(invoke), nil }

func invoke(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if _, err := w.Write(answer); err != nil {
		panic(http.ErrAbortHandler)
	}
}
