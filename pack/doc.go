// Package pack is how a Go program becomes a pack service: it registers Go functions as
// tools and checks and serves them by pack protocol v2.
//
// A tool is a function from one Go type to another. [AddTool] derives the JSON Schemas of
// both, and a service validates by them:
//
//	func greet(ctx context.Context, in Greeting) (Reply, error) { … }
//
//	func main() {
//		b := pack.New("acme.hello", "1.0.0")
//		pack.AddTool(b, pack.Tool{ID: "acme.hello.greet", Description: "Greets someone by name.", ReadOnly: true}, greet)
//		pack.Serve(b)
//	}
//
// # The life of a call
//
// The files of this package follow it: route.go checks the route, the method, the token
// and the tenant; invoke.go takes a slot, reads the body (body.go), parses the message,
// and hands it to toolcall.go, which finds the tool in the catalog (catalog.go), fills in
// defaults, validates, and has the handler run in a goroutine of its own under the call's
// deadline (invocation.go). What the handler returns is encoded once and validated; the
// same bytes are sent (answer.go). Whatever goes wrong becomes a protocol error in
// failure.go.
//
// # Serving
//
// [Serve] is a whole program: it reads the process's settings, serves until a signal, and
// drains. [Builder.Service] gives the bare [http.Handler] for a server of your own.
package pack
