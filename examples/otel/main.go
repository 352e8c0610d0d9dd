// Otel wraps a pack's service in OpenTelemetry's own middleware, unchanged: every call is a
// span below its caller's, the handler's context carries it, and spans that a handler
// starts are its children.
//
//	PACK_TOKEN=secret go run .
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/kindgi/kindgi-go/pack"
)

// Parcel names a parcel.
type Parcel struct {
	Number string `json:"number" jsonschema:"minLength=1"`
}

// Place is where it is.
type Place struct {
	City string `json:"city"`
}

// newService makes the pack's service, traced by a provider.
func newService(token string, provider *sdktrace.TracerProvider, o *pack.LogOptions) (*pack.Service, error) {
	tracer := provider.Tracer("acme.parcels")
	b := pack.New("acme.parcels", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "acme.parcels.locate", Description: "Says in which city a parcel is.", ReadOnly: true},
		func(ctx context.Context, _ Parcel) (Place, error) {
			_, span := tracer.Start(ctx, "look into the ledger")
			defer span.End()
			return Place{City: "Lyon"}, nil
		})
	return b.Service(pack.Options{
		Token: token,
		Log:   o,
		Middleware: func(next http.Handler) http.Handler {
			return otelhttp.NewHandler(next, "pack",
				otelhttp.WithTracerProvider(provider), otelhttp.WithPropagators(propagation.TraceContext{}))
		},
	})
}

func main() {
	// A real program adds an exporter: sdktrace.WithBatcher(exporter).
	provider := sdktrace.NewTracerProvider()
	otel.SetTracerProvider(provider)
	service, err := newService(os.Getenv("PACK_TOKEN"), provider, nil)
	if err != nil {
		log.Fatal(err)
	}
	// How to stop is shown in examples/embedded; what is exported then needs provider.Shutdown.
	server := &http.Server{Addr: "127.0.0.1:8080", Handler: service, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
