package schema

import (
	"reflect"
	"strings"
)

// tags is what the tags of a field say.
type tags struct {
	keywords    []keyword
	description string
	required    bool
	nullable    bool
}

type keyword struct{ name, value string }

func (d *deriver) parseTags(f *field, path string) tags {
	var t tags
	t.description = f.tag.Get("jsonschema_description")
	for _, tag := range []string{"jsonschema", "jsonschema_extras"} {
		text := f.tag.Get(tag)
		if text == "" {
			continue
		}
		for _, part := range splitTag(text) {
			name, value, isPair := strings.Cut(part, "=")
			switch {
			case part == "required":
				t.required = true
			case part == "nullable":
				t.nullable = true
			case !isPair && part == "uniqueItems":
				t.keywords = append(t.keywords, keyword{part, "true"})
			case isPair && tagKinds[name] != 0:
				t.keywords = append(t.keywords, keyword{name, value})
			default:
				d.refuseTag(path, tag, part, t.keywords)
			}
		}
	}
	return t
}

// splitTag splits a tag at the commas that no backslash precedes.
func splitTag(text string) []string {
	var parts []string
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ',':
			b.WriteByte(',')
			i++
		case text[i] == ',':
			parts = append(parts, b.String())
			b.Reset()
		default:
			b.WriteByte(text[i])
		}
	}
	return append(parts, b.String())
}

func (d *deriver) refuseTag(path, tag, part string, before []keyword) {
	name, _, isPair := strings.Cut(part, "=")
	if isPair {
		advice := "remove it"
		if near := nearest(name, keywordNames); near != "" {
			advice = "write " + near
		}
		d.refuse(path, advice, "the %s tag has the unknown keyword %q", tag, name)
		return
	}
	if len(before) > 0 {
		last := before[len(before)-1]
		if last.name == "enum" || last.name == "example" || last.name == "default" {
			d.refuse(path, "write "+last.name+"="+last.value+","+last.name+"="+part,
				"the %s tag gives %s several values at once", tag, last.name)
			return
		}
		d.refuse(path, `write `+last.name+`=`+last.value+`\\,`+part,
			"a comma ends the %s in the %s tag, and %q is no keyword", last.name, tag, part)
		return
	}
	advice := "remove it"
	if near := nearest(part, append([]string{"required", "nullable"}, keywordNames...)); near != "" {
		advice = "write " + near
		if tagKinds[near] != 0 {
			advice += "=VALUE"
		}
	}
	d.refuse(path, advice, "the %s tag has the unknown word %q", tag, part)
}

func (d *deriver) structTags(s object, t reflect.Type, set fieldset, path string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" && f.Tag.Get("jsonschema") == "additionalProperties=true" {
			delete(s, "additionalProperties")
		}
	}
}

// nearest gives the one of names that word was probably meant to be, or "".
func nearest(word string, names []string) string {
	best, least := "", len(word)/3+2
	for _, name := range names {
		if n := distance(strings.ToLower(word), strings.ToLower(name)); n < least {
			best, least = name, n
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
