// Package terminal opens terminals for tests of what a program writes to one.
package terminal
