package pack

import "testing"

func TestModulePath(t *testing.T) {
	t.Parallel()
	const module, program = "example.com/acme/orders", "example.com/acme/orders/cmd/pack"
	tests := []struct{ pkg, file, module, program, want string }{
		{"example.com/acme/orders", "tools.go", module, program, "tools.go"},
		{"example.com/acme/orders/internal/desk", "tools.go", module, program, "internal/desk/tools.go"},
		{"main", "main.go", module, program, "cmd/pack/main.go"},
		{"main", "main.go", module, module, "main.go"},
		{"main", "main.go", module, "command-line-arguments", "main.go"},
		{"example.com/acme/orders/desk_test", "desk_test.go", module, program, "desk/desk_test.go"},
		{"example.com/acme/orders2", "tools.go", module, program, "example.com/acme/orders2/tools.go"},
		{"example.com/other", "tools.go", module, program, "example.com/other/tools.go"},
		{"main", "main.go", "", "", "main.go"},
	}
	for _, test := range tests {
		if got := modulePath(test.pkg, test.file, test.module, test.program); got != test.want {
			t.Errorf("modulePath(%q, %q, %q, %q) = %q, want %q", test.pkg, test.file, test.module, test.program, got, test.want)
		}
	}
}

func TestPackageOf(t *testing.T) {
	t.Parallel()
	tests := []struct{ function, want string }{
		{"main.main", "main"},
		{"main.main.func1", "main"},
		{"example.com/acme/orders.Register", "example.com/acme/orders"},
		{"example.com/acme/orders.(*desk).register.func1", "example.com/acme/orders"},
		{"example.com/acme/orders.register[...]", "example.com/acme/orders"},
		{"gopkg.in/yaml%2ev3.Register", "gopkg.in/yaml.v3"},
		{"example.com/a%zz.F", "example.com/a%zz"},
		{"", ""},
	}
	for _, test := range tests {
		if got := packageOf(test.function); got != test.want {
			t.Errorf("packageOf(%q) = %q, want %q", test.function, got, test.want)
		}
	}
}

// TestTimeoutHeader reads kindgi-timeout-ms: a positive integer, or the default holds.
func TestTimeoutHeader(t *testing.T) {
	t.Parallel()
	for header, ms := range map[string]int64{
		"": 120000, "1": 1, "250": 250, "007": 7, "0": 120000, "-1": 120000, "+5": 120000, "1.5": 120000,
		"1e3": 120000, "5ms": 120000, " 5": 120000, "٣": 120000,
		"99999999999999999999999": maxTimeout.Milliseconds(), "9223372036854775807": maxTimeout.Milliseconds(),
	} {
		if got := timeout(header).Milliseconds(); got != ms {
			t.Errorf("timeout(%q) = %d ms, want %d", header, got, ms)
		}
	}
}

func TestContentType(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "Application/JSON": true,
		"application/json; charset": true, "application/json ;x": true, "application/json;": true,
		"": false, "text/json": false, "application/jsonx": false, "application/problem+json": false, "application/json, text/plain": false,
	} {
		if got := isJSON(header); got != want {
			t.Errorf("isJSON(%q) = %v", header, got)
		}
	}
}
