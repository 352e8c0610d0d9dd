// Shop is a pack that uses everything a pack can declare. The tests of package pack build
// it, keep its index as a golden file, and drive its commands.
package main

import (
	"log/slog"
	"os"

	"github.com/kindgi/kindgi-go/pack"
)

func main() {
	b := pack.New("acme.shop", "2.1.0")
	addOrders(b)
	addRequests(b)
	addChecks(b)
	addClerk(b)
	addIntake(b)
	b.RequireEnv("SHOP_DATABASE", "SHOP_BUCKET")
	b.OptionalEnv("SHOP_REGION")

	// What a test needs beside the pack itself.
	switch os.Getenv("KINDGI_SHOP_TEST") {
	case "warning":
		pack.AddCheck(b, pack.Check{ID: "stray", OnViolation: pack.LogOnly}, polite)
	case "problem":
		pack.AddTool(b, pack.Tool{ID: "shop.stray", Sandbox: "strickt"}, lookup)
	case "changed":
		pack.AddTool(b, pack.Tool{ID: "acme.shop.added", ReadOnly: true}, lookup)
	case "shared":
		pack.AddCheck(b, pack.Check{ID: "acme.shop.no-words", CheckID: "acme.shop.checks.words", OnViolation: pack.LogOnly, Config: Words{Forbidden: []string{"darn"}}}, forbidden)
	case "logs":
		slog.New(pack.LogHandler()).Info("main's own record")
	case "start", "start-fails", "start-panics", "start-waits", "stop-fails":
		addStart(b)
	}
	pack.Serve(b)
}
