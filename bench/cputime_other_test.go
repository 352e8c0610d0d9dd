//go:build !unix

package main

import "time"

func processTime() time.Duration { return 0 }
