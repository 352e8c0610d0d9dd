//go:build !linux

package environ_test

import "errors"

func actLinux(string, string) error { return errors.New("only on Linux") }
