package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/kindgi/kindgi-go/pack"
)

// TestTrace calls the tool with a traceparent: the middleware's span is below the caller's,
// the handler's below the middleware's.
func TestTrace(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	service, err := newService("secret", provider, &pack.LogOptions{Output: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/invoke", strings.NewReader(
		`{"v":2,"kind":"invoke","tool":{"id":"acme.parcels.locate"},"input":{"number":"P-1"},"ctx":{"tenantId":"t","runId":"r"}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Kindgi-Pack-Token", "secret")
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || string(body) != `{"v":2,"kind":"result","output":{"city":"Lyon"}}` {
		t.Fatalf("got %s, %v", body, err)
	}
	server.Close() // the server's span ends after the answer
	byName := map[string]sdktrace.ReadOnlySpan{}
	for _, s := range spans.Ended() {
		byName[s.Name()] = s
		if got := s.SpanContext().TraceID().String(); got != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("span %s is of trace %s", s.Name(), got)
		}
	}
	inner := byName["look into the ledger"]
	if inner == nil || len(byName) != 2 {
		t.Fatalf("the spans are %v", byName)
	}
	delete(byName, "look into the ledger")
	for _, outer := range byName {
		if inner.Parent().SpanID() != outer.SpanContext().SpanID() {
			t.Error("the handler's span is not below the middleware's")
		}
		if outer.Parent().SpanID().String() != "b7ad6b7169203331" {
			t.Errorf("the middleware's span is below %s", outer.Parent().SpanID())
		}
	}
}
