package scan

import (
	"fmt"
	"strings"
	"testing"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf(`"m%d" : [%d]`, i, i)
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{`{}`, nil},
		{` [ {"a":1} ] `, nil},
		{`"a"`, nil},
		{` { "a" : 1 , "\u0062":{"c":{"d":[]}} ,"e":[{"f":1},[2]],"g":{},"h":[] , "i":"\"}" } `,
			[]string{`"a" 1`, `"\u0062" {"c":{"d":[]}}`, `"e" [{"f":1},[2]]`, `"g" {}`, `"h" []`, `"i" "\"}"`}},
		{`{` + strings.Join(many, " , ") + `}`, strings.Split(strings.ReplaceAll(strings.Join(many, "|"), " :", ""), "|")},
	} {
		var list MemberList
		if err := Members([]byte(c.text), &list); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for i := range list.Len() {
			m := list.At(i)
			got = append(got, c.text[m.Name:m.NameEnd]+" "+c.text[m.Value:m.ValueEnd])
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
	for _, text := range []string{``, `{`, `{"a":1,"a":2}`, `{"a":{"b":1}`, `{"a":1}}`, `{"a"}`, `{"a":1,}`} {
		var list MemberList
		got, want := Members([]byte(text), &list), Valid([]byte(text))
		if got == nil || want == nil || got.Error() != want.Error() {
			t.Errorf("%s: %v, but Valid: %v", text, got, want)
		}
	}
}

func FuzzMembers(f *testing.F) {
	f.Add([]byte(` { "a" : 1 , "\u0062":{"c":{"d":[]}} ,"e":[{"f":1},[2]] } `))
	f.Fuzz(func(t *testing.T, text []byte) {
		var list MemberList
		err := Members(text, &list)
		if (err == nil) != (Valid(text) == nil) {
			t.Fatalf("%v", err)
		}
		if err != nil || text[Space(text, 0)] != '{' {
			return
		}
		n := 0
		for i := Space(text, Space(text, 0)+1); text[i] != '}'; n++ {
			value := Space(text, Space(text, SkipString(text, i))+1)
			want := Member{uint32(i), uint32(SkipString(text, i)), uint32(value), uint32(Skip(text, value))}
			if n >= list.Len() || *list.At(n) != want {
				t.Fatalf("member %d of %d is not %v", n, list.Len(), want)
			}
			if i = Space(text, int(want.ValueEnd)); text[i] == ',' {
				i = Space(text, i+1)
			}
		}
		if n != list.Len() {
			t.Fatalf("%d members, not %d", list.Len(), n)
		}
	})
}
