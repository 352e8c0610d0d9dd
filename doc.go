// Package kindgi is the root of the Go SDK for Kindgi pack services.
package kindgi
