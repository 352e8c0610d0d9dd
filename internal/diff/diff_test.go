package diff

import (
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, a, b, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"changed", "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"added at the end", "a\n", "a\nb\n", "@@ -1 +1,2 @@\n a\n+b\n"},
		{"gone at the start", "a\nb\n", "b\n", "@@ -1,2 +1 @@\n-a\n b\n"},
		{"from nothing", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"to nothing", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"no line break", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"far apart", "x\n1\n2\n3\n4\n5\n6\n7\ny\n", "X\n1\n2\n3\n4\n5\n6\n7\nY\n",
			"@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n+Y\n"},
		{"near each other", "x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n",
			"@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n"},
		{"in an entry", entries("a", "1.0.0", "x"), entries("a", "1.0.0", "y"),
			"@@ -3,7 +3,7 @@ tools a 1.0.0\n   \"tools\": [\n     {\n       \"id\": \"a\",\n-      \"name\": \"x\",\n+      \"name\": \"y\",\n       \"version\": \"1.0.0\"\n     }\n   ]\n"},
		{"an entry's id", entries("a", "1.0.0", "x"), entries("b", "1.0.0", "x"),
			"@@ -2,7 +2,7 @@ tools a 1.0.0\n   \"packId\": \"p\",\n   \"tools\": [\n     {\n-      \"id\": \"a\",\n+      \"id\": \"b\",\n       \"name\": \"x\",\n       \"version\": \"1.0.0\"\n     }\n"},
		{"outside the entries", entries("a", "1.0.0", "x"), strings.Replace(entries("a", "1.0.0", "x"), `"p"`, `"q"`, 1),
			"@@ -1,5 +1,5 @@\n {\n-  \"packId\": \"p\",\n+  \"packId\": \"q\",\n   \"tools\": [\n     {\n       \"id\": \"a\",\n"},
	}
	for _, test := range tests {
		if got := Lines(test.a, test.b); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	// Past the bound, all that is between is shown as changed.
	var a, b strings.Builder
	for range 5000 {
		a.WriteString("a\n")
		b.WriteString("b\n")
	}
	got := Lines("h\n"+a.String(), "h\n"+b.String())
	if strings.Count(got, "\n-a") != 5000 || strings.Count(got, "\n+b") != 5000 || !strings.HasPrefix(got, "@@ -1,5001 +1,5001 @@\n h\n-a\n") {
		t.Error("a large difference is not shown whole")
	}
}

// entries is an index with one tool, as far as a difference looks at it.
func entries(id, version, name string) string {
	return "{\n  \"packId\": \"p\",\n  \"tools\": [\n    {\n      \"id\": \"" + id + "\",\n      \"name\": \"" + name + "\",\n      \"version\": \"" + version + "\"\n    }\n  ]\n}\n"
}

// FuzzLines demands that a difference turns the one text into the other.
func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc")
	f.Add("", "\n\n")
	f.Add("{\n  \"tools\": [\n    {\n      \"id\": \"a\"\n    }\n  ]\n}\n", "{\n  \"tools\": [\n    {\n      \"id\": \"b\"\n    }\n  ]\n}\n")
	f.Add("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4x\n5\n6\n7\n8\n9\n0\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := Lines(a, b)
		if (got == "") != (a == b) {
			t.Fatalf("%q and %q differ by %q", a, b, got)
		}
		x, y := lines(a), lines(b)
		edits := edit(x, y, 0)
		var from, to []string
		for _, e := range edits {
			if e.mark != '+' {
				from = append(from, e.text)
			}
			if e.mark != '-' {
				to = append(to, e.text)
			}
		}
		if !slices.Equal(from, x) || !slices.Equal(to, y) {
			t.Fatalf("the edits of %q and %q do not give both", a, b)
		}
		// Every line that is gone or new is shown, and no other with its mark.
		shown := 0
		for _, h := range hunks(edits) {
			for _, e := range h {
				if e.mark != ' ' {
					shown++
				}
			}
		}
		marked := 0
		for _, e := range edits {
			if e.mark != ' ' {
				marked++
			}
		}
		if shown != marked {
			t.Fatalf("%d lines of %d are shown", shown, marked)
		}
	})
}
