// Package dbtest proves the stores of idempotency records against real databases. It is a module of its
// own, so that database drivers stay out of the requirements of the SDK.
package dbtest
