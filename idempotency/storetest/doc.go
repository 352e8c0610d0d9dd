// Package storetest proves that an [idempotency.Store] keeps the rules that its documentation numbers.
//
// In a test of an author's own store:
//
//	func TestStore(t *testing.T) { storetest.Run(t, newStore(t)) }
//
// Outside of testing, such as at a service's start against the database it is about to use, [Check] does
// the same and returns an error that names the rules which do not hold. A store that can write in the
// author's transactions has [RunTx] and [CheckTx] as well.
//
// A check makes records under tenants of its own, which start with "storetest-", and releases or expires
// most of them; it does not look at or change the records of others, except that Purge deletes what has
// expired.
package storetest
