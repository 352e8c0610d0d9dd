//go:build !goexperiment.jsonv2 || go1.27

package schema

import "errors"

// errSkip tells json v2 that a function does not handle a value.
var errSkip = errors.ErrUnsupported
