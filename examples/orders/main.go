// Orders is an order desk with real persistence: SQLite in a file by default, PostgreSQL
// when DATABASE_URL names one. It shows reading and writing tools, work that is done once
// however often its call runs, a long-running tool that stops when it is told to, a search
// with pages, a tool with a secret, a tool the runtime runs itself, a guardrail, an agent
// and a flow.
//
//	KINDGI_PACK_SERVICE_TOKEN=secret go run .
//	go run . call acme.orders.place '{"customer":"ada","lines":[{"sku":"TEA-1","quantity":2,"cents":450}]}' \
//	    --ctx '{"tenantId":"acme","runId":"r1","idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a"}'
package main

import (
	"net/http"
	"os"
	"time"

	"github.com/kindgi/kindgi-go/examples/orders/desk"
	"github.com/kindgi/kindgi-go/pack"
)

func main() {
	d := desk.New(desk.Config{
		// Read before Serve clears the environment of what the pack does not declare; it
		// declares both.
		DatabaseURL: os.Getenv("DATABASE_URL"),
		SQLiteFile:  os.Getenv("ORDERS_FILE"),
		Client:      &http.Client{Transport: &pack.Transport{}, Timeout: 10 * time.Second},
	})
	pack.Serve(d.Pack())
}
