package record_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/kindgi/kindgi-go/internal/record"
)

// field logs one field and gives it back as it reads in the record.
func field(t *testing.T, h *record.Handler, s *stream, key string, value any) any {
	t.Helper()
	slog.New(h).Info("m", slog.Any(key, value))
	lines := written(t, h, s)
	var m map[string]any
	line := lines[len(lines)-1]
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("not JSON: %v: %s", err, line)
	}
	return m[key]
}

func TestRedactShapes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"token", "kgi_bt_0123456789abcdefWXYZ", "kgi_bt_…WXYZ"},
		{"token of 16 characters", "kgi_bt_0123456789abWXYZ", "kgi_bt_…WXYZ"},
		{"token of 15 characters", "kgi_bt_0123456789aWXYZ", "kgi_bt_…"},
		{"short token", "kgi_bt_a", "kgi_bt_…"},
		{"no token", "kgi_bt_", "kgi_bt_"},
		{"no kind", "kgi__abc", "kgi__abc"},
		{"not a token", "kgi_x kgi kgi_", "kgi_x kgi kgi_"},
		{"another kind", "kgi_p9_ABCDEFGHIJKLMNOPQ", "kgi_p9_…NOPQ"},
		{"token with dashes", "kgi_bt_ab-cd_ef-gh_ij-kl_WXYZ", "kgi_bt_…WXYZ"},
		{"token in a sentence", "use kgi_bt_0123456789abcdefWXYZ, or kgi_pk_1.", "use kgi_bt_…WXYZ, or kgi_pk_…."},
		{"token in JSON", `{"t":"kgi_bt_0123456789abcdefWXYZ"}`, `{"t":"kgi_bt_…WXYZ"}`},
		{"token in a URL", "https://x/kgi_bt_0123456789abcdefWXYZ?a=1", "https://x/kgi_bt_…WXYZ?a=1"},
		{"redacted already", "kgi_bt_…WXYZ", "kgi_bt_…WXYZ"},

		{"bearer", "Bearer abc", "Bearer [redacted]"},
		{"bearer in a header", "Authorization: Bearer abc.def-ghi_jkl~+/==\nHost: x", "Authorization: Bearer [redacted]\nHost: x"},
		{"bearer in any case", "bearer abc BEARER def", "Bearer [redacted] Bearer [redacted]"},
		{"bearer and much space", "Bearer \t  abc", "Bearer [redacted]"},
		{"bearer in JSON", `{"a":"Bearer abc","b":1}`, `{"a":"Bearer [redacted]","b":1}`},
		{"bearer in a sentence", "got (Bearer abc), then", "got (Bearer [redacted]), then"},
		{"bearer with odd characters", "Bearer a,b;c<d>e", "Bearer [redacted]"},
		{"bearer alone", "Bearer", "Bearer"},
		{"bearer and space alone", "Bearer  ", "Bearer  "},
		{"bearer of a token", "Bearer kgi_bt_0123456789abcdefWXYZ", "Bearer [redacted]"},
		{"redacted bearer", "Bearer [redacted]", "Bearer [redacted]"},

		{"url", "https://user:pass@host/path", "https://user:***@host/path"},
		{"url without a user", "redis://:pass@host:6379/0", "redis://:***@host:6379/0"},
		{"url without a password", "https://user@host/a:b", "https://user@host/a:b"},
		{"url with a port", "http://localhost:8080/users/@me", "http://localhost:8080/users/@me"},
		{"url with an address", "http://[::1]:8080/@me http://[fe80::1]/a@b", "http://[::1]:8080/@me http://[fe80::1]/a@b"},
		{"url in a sentence", `dial "postgres://app:p%40ss@db:5432/x?a=b": refused`, `dial "postgres://app:***@db:5432/x?a=b": refused`},
		{"password with an @", "amqp://u:p@ss@host", "amqp://u:***@host"},
		{"password with a colon", "amqp://u:p:q@host", "amqp://u:***@host"},
		{"password with a slash", "postgres://u:pa/ss@host/db", "postgres://u:***@host/db"},
		{"password with ? and #", "postgres://u:pa?s#s@host/db", "postgres://u:***@host/db"},
		{"several hosts", "mongodb://u:p@h1:1,h2:2/db", "mongodb://u:***@h1:1,h2:2/db"},
		{"two urls", "a://u:p@h,b://v:q@i c://w:r@j", "a://u:***@h,b://v:***@i c://w:***@j"},
		{"bearer twice", "Bearer Bearer abc, xBearer yBearer def", "Bearer [redacted], xBearer [redacted]"},
		{"bearer at the end of a token", "kgi_bt_abcBearer def", "kgi_bt_…Bearer [redacted]"},
		{"url behind a scheme", "proxy://https://user:pass@host", "proxy://https://user:***@host"},
		{"url behind a bracket", "a://[b://user:pass@host", "a://[b://user:***@host"},
		{"url behind a host", "a://b:1://user:pass@host c://d@e://user:pass@host", "a://b:***@host c://d@e://user:***@host"},
		{"token at the beginning of a password", "a://user:kgi_bt_0123456789abcdefWXYZ!more@host", "a://user:***@host"},
		{"token as the user", "https://kgi_bt_0123456789abcdefWXYZ:pw@host", "https://kgi_bt_…WXYZ:***@host"},
		{"an address of mail", "mail to: someone@example.com", "mail to: someone@example.com"},
		{"redacted url", "https://user:***@host", "https://user:***@host"},

		{"all at once", "kgi_bt_1 Bearer x a://b:c@d", "kgi_bt_… Bearer [redacted] a://b:***@d"},
		{"nothing", "tool acme.orders.lookup ok 12ms", "tool acme.orders.lookup ok 12ms"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s stream
			h := record.New(&s, record.Config{})
			if got := field(t, h, &s, "value", tt.in); got != tt.want {
				t.Errorf("a field: got %q, want %q", got, tt.want)
			}
			if got := field(t, h, &s, "value", map[string]any{"a": []string{tt.in}}).(map[string]any)["a"].([]any)[0]; got != tt.want {
				t.Errorf("inside a value: got %q, want %q", got, tt.want)
			}
			slog.New(h).Info(tt.in)
			lines := written(t, h, &s)
			var m map[string]any
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil {
				t.Fatal(err)
			}
			if m["message"] != tt.want {
				t.Errorf("the message: got %q, want %q", m["message"], tt.want)
			}
		})
	}
}

func TestRedactKeys(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"authorization": true, "Authorization": true, "proxy-authorization": true, "cookie": true, "set-cookie": true,
		"Set_Cookie": true, "token": true, "maxToken": true, "access_token": true, "ACCESS-TOKEN": true, "token_": true,
		"password": true, "dbPassword": true, "pass_word": true, "passwd": true, "secret": true, "client-secret": true,
		"secrets": true, "apiKey": true, "api_key": true, "x-api-key": true, "X-API-KEY": true, "privateKey": true,
		"private_key": true, "passphrase": true, "credential": true, "credentials": true, "awsCredentials": true,
		"toKen": true, // the Kelvin sign is a K in lower case

		"promptTokens": false, "tokens": false, "cookies": false, "tokenCount": false, "secretary": false,
		"passwords": false, "key": false, "publicKey": false, "authorized": false, "pass": false, "": false, "-": false,
		"_": false, "oken": false, "кey": false,
	}
	for key, want := range tests {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			var s stream
			h := record.New(&s, record.Config{})
			values := map[string]any{
				"text": "v", "number": 1, "nil": nil, "list": []int{1}, "object": map[string]int{"a": 1},
			}
			for name, value := range values {
				got := field(t, h, &s, key, value)
				if redacted := got == "[redacted]"; redacted != want {
					t.Errorf("%s: got %v, want redacted %t", name, got, want)
				}
				nested, ok := field(t, h, &s, "outer", map[string]any{key: value}).(map[string]any)
				if redacted := nested[key] == "[redacted]"; !ok || redacted != want {
					t.Errorf("%s in a map: got %v, want redacted %t", name, nested, want)
				}
			}
			if !want {
				return
			}
			slog.New(h).WithGroup(key).Info("m", "deep", "hidden-1")
			slog.New(h).Info("m", slog.Group(key, "deep", "hidden-2"), slog.Group("g", slog.Group(key, "deep", "hidden-3")))
			slog.New(h).With(key, "hidden-4").WithGroup("g").With(slog.Group(key, "deep", "hidden-5")).Info("m", key, "hidden-6")
			for _, line := range written(t, h, &s) {
				if strings.Contains(line, "hidden") {
					t.Errorf("shown: %s", line)
				}
			}
		})
	}
}

// Text that could make a pattern try again and again from every place in it is still read in milliseconds.
func TestRedactShapesIsLinear(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	began := time.Now()
	for _, part := range []string{
		"@", "://a:b", "://a:b/", "://a:1/", "://", "kgi_", "kgi_bt_", "bearer", "bearer ", "Bearer\t\t\t", "a:b@", "\\", "/",
	} {
		var s stream
		h := record.New(&s, record.Config{})
		slog.New(h).Info(strings.Repeat(part, size/len(part)) + " a://b:c@d")
		written(t, h, &s)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
