// Package packtest is what the tests of a pack use.
//
// A handler is a plain function, and a unit test calls it. When it asks for its call,
// [Context] gives it one:
//
//	ctx := packtest.Context(protocol.CallContext{TenantID: "acme", RunID: "r1"})
//	order, err := lookUp(ctx, Lookup{Number: "A-1"})
//
// To test a pack as a runtime meets it, with its schemas, its validation and its
// deadlines, [Start] serves it over a loopback connection, and [Call] and [CallCheck] call
// its tools and checks with Go values:
//
//	s := packtest.Start(t, newPack())
//	order, err := packtest.Call[Lookup, Order](t.Context(), s, "acme.orders.lookup", Lookup{Number: "A-1"})
//
// A call that fails gives the protocol's error, a [*protocol.Error], with its code, its
// issues and its cause.
//
// [Golden] keeps the pack's index in a file, so that a change of a schema shows in a
// review, and [Check] holds the pack against rules that make it good to call.
package packtest
