package idempotency_test

import (
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/idempotency"
)

func TestFingerprint(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, test := range []struct {
		name  string
		input string
		scope []string
	}{
		{"nothing", "", nil},
		{"an empty scope", "", []string{""}},
		{"two empty scopes", "", []string{"", ""}},
		{"an input", "ab", nil},
		{"the input as a scope", "", []string{"ab"}},
		{"an input and a scope", "b", []string{"a"}},
		{"the border elsewhere", "", []string{"a", "b"}},
		{"the other order", "", []string{"b", "a"}},
		{"another letter", "aB", nil},
		{"an input with an empty scope", "ab", []string{""}},
		{"a scope written into the input", strings.Repeat("\x00", 7) + "\x01ab", nil},
		{"two scopes written into the input", strings.Repeat("\x00", 8) + "ab", nil},
	} {
		got := idempotency.Fingerprint([]byte(test.input), test.scope...)
		if len(got) != 64 || strings.ToLower(got) != got {
			t.Errorf("%s: %q is not 64 hex digits", test.name, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s have one fingerprint", test.name, other)
		}
		seen[got] = test.name
	}
	// Records outlive a program, so a fingerprint must never change.
	if got, want := idempotency.Fingerprint([]byte(`{"a":1}`), "acme.payments.charge"), "dec095e33478cb60"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s…", got, want)
	}
}

func TestFingerprintJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		a, b string
		same bool
	}{
		{"white space", `{"a":[1,2]}`, " {\n\t\"a\" : [ 1, 2 ]\r} ", true},
		{"order of members", `{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, true},
		{"order of elements", `[1,2]`, `[2,1]`, false},
		{"escapes", `"é\n/\u0041"`, `"\u00e9\u000A\/A"`, true},
		{"fractions", `[0.10,1e-1,10.5E1]`, `[0.1,0.1,105.0]`, true},
		{"whole numbers beyond 2^53", `9007199254740993`, `9007199254740992`, false},
		{"case of a name", `{"a":1}`, `{"A":1}`, false},
		{"null and absent", `{"a":null}`, `{}`, false},
		{"a number and its text", `1`, `"1"`, false},
		{"an astral character", `"\ud83d\ude00"`, `"😀"`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			input := []byte(test.a)
			a, err := idempotency.FingerprintJSON(input, "scope")
			if err != nil {
				t.Fatal(err)
			}
			if string(input) != test.a {
				t.Errorf("the input was changed to %s", input)
			}
			b, err := idempotency.FingerprintJSON([]byte(test.b), "scope")
			if err != nil {
				t.Fatal(err)
			}
			if (a == b) != test.same {
				t.Errorf("%s and %s: same is %t, want %t", test.a, test.b, a == b, test.same)
			}
			if other, err := idempotency.FingerprintJSON(input); err != nil || other == a {
				t.Errorf("without its scope: %s, error %v", other, err)
			}
		})
	}
	for _, input := range []string{"", "{", `{"a":1,"a":2}`, "1 2", "\"\xff\"", "nul"} {
		if got, err := idempotency.FingerprintJSON([]byte(input)); err == nil {
			t.Errorf("%q has the fingerprint %s", input, got)
		}
	}
}
