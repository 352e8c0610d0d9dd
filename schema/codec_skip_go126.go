//go:build goexperiment.jsonv2 && !go1.27

package schema

import "encoding/json/v2"

// errSkip tells json v2 that a function does not handle a value. The experiment of Go 1.26 has an
// error of its own for it.
var errSkip = json.SkipFunc
