package pack_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

func TestTransport_headers(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header.Clone() }))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &pack.Transport{}}
	call := pack.Call{
		ToolID: "t.x", IdempotencyKey: "f6c8a374-b63c-5453-8320-1ca9c067447a",
		Trace: pack.Trace{TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331", Flags: "01"},
	}
	readOnly, check, untraced, unit := call, call, call, call
	readOnly.ReadOnly = true
	check.ToolID, check.CheckID = "", "t.c"
	untraced.Trace = pack.Trace{}
	unit.ToolID = "" // as a unit test of a plain handler has it
	const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	tests := []struct {
		name        string
		call        *pack.Call
		method      string
		header      http.Header
		traceparent string
		key         string
	}{
		{"no call", nil, "POST", nil, "", ""},
		{"post", &call, "POST", nil, traceparent, call.IdempotencyKey},
		{"delete", &call, "DELETE", nil, traceparent, call.IdempotencyKey},
		{"get", &call, "GET", nil, traceparent, ""},
		{"read-only tool", &readOnly, "POST", nil, traceparent, ""},
		{"unit test", &unit, "POST", nil, traceparent, call.IdempotencyKey},
		{"check", &check, "POST", nil, traceparent, ""},
		{"no trace", &untraced, "POST", nil, "", call.IdempotencyKey},
		{"own headers", &call, "POST", http.Header{"Traceparent": {"mine"}, "Idempotency-Key": {"mine"}}, "mine", "mine"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx := t.Context()
			if test.call != nil {
				ctx = pack.WithCall(ctx, test.call)
			}
			r, err := http.NewRequestWithContext(ctx, test.method, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, values := range test.header {
				r.Header[name] = values
			}
			before := len(r.Header)
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			header := <-got
			if header.Get("Traceparent") != test.traceparent || header.Get("Idempotency-Key") != test.key {
				t.Errorf("got traceparent %q and key %q", header.Get("Traceparent"), header.Get("Idempotency-Key"))
			}
			if len(r.Header) != before {
				t.Error("the author's request was changed")
			}
		})
	}
}
