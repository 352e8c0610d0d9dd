// Package idempotency makes a step's key and does a thing once.
package idempotency
