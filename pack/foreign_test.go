package pack

import (
	"runtime/debug"
	"testing"
)

func TestModuleIsForeign(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{
		Main: debug.Module{Path: "example.com/acme/orders"},
		Deps: []*debug.Module{
			{Path: "example.com/acme", Version: "v1.0.0"},
			{Path: "example.com/beside", Version: "v1.0.0", Replace: &debug.Module{Path: "../beside"}},
			{Path: "example.com/fork", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/other", Version: "v1.0.1"}},
		},
	}
	for pkg, want := range map[string]bool{
		"main":                           false,
		"example.com/acme/orders":        false,
		"example.com/acme/orders/models": false,
		"example.com/acme":               true,
		"example.com/acme/billing":       true,
		"example.com/acmeorders":         false,
		"example.com/beside/models":      false,
		"example.com/fork":               true,
	} {
		if got := moduleIsForeign(info, pkg); got != want {
			t.Errorf("%s: got %t", pkg, got)
		}
	}
}
