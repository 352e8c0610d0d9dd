package schema

import (
	"sync"

	"github.com/go-json-experiment/json"
)

// embedOption is the option that makes json v2 write the members of a field in place of it. It was
// renamed while json v2 was an experiment, so ask the version that this program is built with.
var embedOption = sync.OnceValue(func() string {
	var v struct {
		Embed  map[string]int `json:",embed"`
		Hidden map[string]int `json:"-"`
	}
	if err := json.Unmarshal([]byte(`{"a":1}`), &v); err == nil && v.Embed["a"] == 1 {
		return "embed"
	}
	return "inline"
})
