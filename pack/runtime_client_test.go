package pack

import (
	"testing"
	"time"
)

// TestManifestURL escapes what a path segment cannot hold, and a plus, which some servers
// read as a space.
func TestManifestURL(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ base, id, version, want string }{
		{"https://r.example", "acme.x", "1.0.0", "https://r.example/v1/tools/acme.x/versions/1.0.0"},
		{"https://r.example/", "acme.x", "1.0.0-rc.1+b.5", "https://r.example/v1/tools/acme.x/versions/1.0.0-rc.1%2Bb.5"},
		{"http://r.example:8080/api/", "a/../b", "1 ?#%", "http://r.example:8080/api/v1/tools/a%2F..%2Fb/versions/1%20%3F%23%25"},
		{"http://[::1]:8080/a%2Fb", "x", "é", "http://[::1]:8080/a%2Fb/v1/tools/x/versions/%C3%A9"},
	} {
		c, err := newRuntimeClient(test.base, "t", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.manifestURL(test.id, test.version); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain é 😀": "plain é 😀", "a\x1b[31mb": "a�[31mb", "a\u202eb": "a�b", "a\u009bb": "a�b", "a\r\nb\tc": "a��b�c", "\xff": "�", "\u200b": "�",
	} {
		if got := printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
	if got := shortened("ééé", 2); got != "éé…" {
		t.Errorf("shortened gives %q", got)
	}
	if got := shortened("éé", 2); got != "éé" {
		t.Errorf("shortened gives %q", got)
	}
}
