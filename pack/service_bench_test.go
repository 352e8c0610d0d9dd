package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

type (
	quoteOrder struct {
		Number   string        `json:"number" jsonschema:"minLength=1,maxLength=40"`
		Customer quoteCustomer `json:"customer"`
		Lines    []quoteLine   `json:"lines" jsonschema:"minItems=1"`
		Note     string        `json:"note,omitempty"`
		Tags     []string      `json:"tags,omitempty"`
	}
	quoteCustomer struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Email string `json:"email" jsonschema:"format=email"`
	}
	quoteLine struct {
		SKU      string  `json:"sku" jsonschema:"minLength=1"`
		Title    string  `json:"title"`
		Quantity int     `json:"quantity" jsonschema:"minimum=1"`
		Price    float64 `json:"price" jsonschema:"minimum=0"`
	}
	quote struct {
		Number string  `json:"number"`
		Total  float64 `json:"total"`
		Lines  int     `json:"lines"`
	}
)

func quoteIt(_ context.Context, in quoteOrder) (quote, error) {
	q := quote{Number: in.Number, Lines: len(in.Lines)}
	for _, line := range in.Lines {
		q.Total += float64(line.Quantity) * line.Price
	}
	return q, nil
}

// quoteCall is the message of a call with an order of so many lines.
func quoteCall(lines int) []byte {
	o := quoteOrder{
		Number:   "A-1001",
		Customer: quoteCustomer{ID: "c-77", Name: "Ada Lovelace", Email: "ada@example.com"},
		Note:     "Leave it with the neighbour at number nine, please.",
		Tags:     []string{"gift", "express", "fragile"},
	}
	for i := range lines {
		o.Lines = append(o.Lines, quoteLine{SKU: fmt.Sprintf("SKU-%05d", i), Title: "A thing of beauty, in blue", Quantity: i%9 + 1, Price: 19.95})
	}
	input, err := json.Marshal(o)
	if err != nil {
		panic(err) // an order is JSON
	}
	return []byte(`{"v":2,"kind":"invoke","tool":{"id":"acme.orders.quote","version":"1.0.0"},"input":` + string(input) +
		`,"ctx":{"tenantId":"tenant-1","runId":"4b5f8c1e-2f0a-4c8e-9a51-0c7e2d9a6b13","requestId":"call_0","idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a"}}`)
}

// discarded is a response that is thrown away.
type discarded struct{ header http.Header }

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) Write(b []byte) (int, error) { return len(b), nil }
func (d *discarded) WriteHeader(int)             {}

// BenchmarkCall measures a whole call in process, for inputs of about 1 KB and 100 KB,
// beside a bare handler that decodes and encodes the same types and checks nothing.
func BenchmarkCall(b *testing.B) {
	builder := pack.New("acme.orders", "1.0.0")
	pack.AddTool(builder, pack.Tool{ID: "acme.orders.quote"}, quoteIt)
	service, err := builder.Service(pack.Options{Token: testToken, Log: &pack.LogOptions{Output: io.Discard}})
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []struct {
		name  string
		lines int
	}{{"1KB", 8}, {"100KB", 1150}} {
		message := quoteCall(size.lines)
		for _, peer := range []struct {
			name    string
			handler http.Handler
		}{{"service", service}, {"bare", http.HandlerFunc(bare)}} {
			b.Run(peer.name+"/"+size.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(message)))
				body := bytes.NewReader(message)
				r, err := http.NewRequest(http.MethodPost, "/v1/invoke", nil)
				if err != nil {
					b.Fatal(err)
				}
				r.Header = http.Header{"Content-Type": {"application/json"}, "Kindgi-Pack-Token": {testToken}}
				r.ContentLength = int64(len(message))
				w := &discarded{header: http.Header{}}
				for b.Loop() {
					body.Reset(message)
					r.Body = io.NopCloser(body)
					peer.handler.ServeHTTP(w, r)
				}
			})
		}
	}
}

// bare is what a handler does at least.
func bare(w http.ResponseWriter, r *http.Request) {
	var message struct {
		V    int    `json:"v"`
		Kind string `json:"kind"`
		Tool struct {
			ID      string `json:"id"`
			Version string `json:"version"`
		} `json:"tool"`
		Input quoteOrder     `json:"input"`
		Ctx   map[string]any `json:"ctx"`
	}
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	out, err := quoteIt(r.Context(), message.Input)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]any{"v": 2, "kind": "result", "output": out}); err != nil {
		panic(err)
	}
}
