package pack

import (
	"regexp"
	"testing"
)

// TestNames holds the forms of names against the expressions that define them, on every text of up to
// three of the characters that matter.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, form := range []struct {
		is         func(string) bool
		expression string
	}{
		{isDottedID, `^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)*$`},
		{isEnvName, `^[A-Za-z_][A-Za-z0-9_]*$`},
		{looksLikeField, `^[A-Za-z_$][A-Za-z0-9_$.-]*$`},
	} {
		want := regexp.MustCompile(form.expression)
		const characters = "azAZ09/:@[`{_-.$ \n\x00\x80é"
		texts := []string{""}
		for range 3 {
			for _, before := range texts {
				for i := range len(characters) {
					texts = append(texts, before+characters[i:i+1])
				}
			}
		}
		for _, text := range texts {
			if form.is(text) != want.MatchString(text) {
				t.Fatalf("%s: %q: got %t", form.expression, text, form.is(text))
			}
		}
	}
}
