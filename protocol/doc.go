// Package protocol is the wire vocabulary of pack protocol v2.
package protocol
