// Package huma is the same call on github.com/danielgtaylor/huma/v2, which derives a schema from the types
// of an operation and validates by it.
package huma

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kindgi/kindgi-go/bench/order"
	"github.com/kindgi/kindgi-go/bench/peer"
)

type request struct {
	Body order.Call[order.Order]
}

type response struct {
	Body order.Result[order.Quote]
}

// Program is this way to answer the call.
var Program = peer.Program{New: New}

// New makes the handler: an operation for each tool, acme.orders.quote at /v1/invoke.
func New(tools int) (http.Handler, error) {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("acme.orders", "1.2.0")
	config.CreateHooks = nil // no $schema field in the answers
	api := humago.New(mux, config)
	for i := range tools {
		path, id := "/v1/invoke", order.ToolID
		if i > 0 {
			n := strconv.Itoa(i)
			path, id = path+"/"+n, id+"-"+n
		}
		huma.Register(api, huma.Operation{
			OperationID:     id,
			Method:          http.MethodPost,
			Path:            path,
			MaxBodyBytes:    16 << 20,
			BodyReadTimeout: time.Minute, // sixteen large bodies share one core
		}, invoke)
	}
	return mux, nil
}

func invoke(ctx context.Context, in *request) (*response, error) {
	quote, err := order.Price(ctx, in.Body.Input)
	if err != nil {
		return nil, err
	}
	return &response{order.Result[order.Quote]{V: 2, Kind: "result", Output: quote}}, nil
}
