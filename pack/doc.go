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
// The service checks the route, the method, the token and the tenant; takes a slot of the
// concurrency cap; reads the body; finds the tool, fills in defaults, validates the input
// and decodes it. The handler runs in a goroutine of its own under the call's deadline. What
// it returns is encoded once and validated; the same bytes are sent. Whatever goes wrong
// becomes a protocol error, with one of the codes that package protocol lists.
//
// # Serving
//
// [Serve] is a whole program: it reads the process's settings, serves until a signal, and
// drains. [Builder.Service] gives the bare [http.Handler] for a server of your own.
package pack
