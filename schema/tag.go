package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tagger adds what the tags of a field say to the field's schema.
//
// The tags are those of invopop/jsonschema, but read strictly: what that library ignores (an unknown
// keyword, a value of the wrong kind, what a stray comma cut off) is refused here, with the form that
// was probably meant.
type tagger struct {
	d    *deriver
	path string       // of the field
	typ  reflect.Type // of the field, without pointers
	s    object       // its schema

	given    map[string]bool // the keywords given so far
	last     string          // the keyword given last
	value    string          // and its value
	required bool
	nullable bool
	groups   []group // the groups of members that one of is required
	ofStruct bool    // the tags are those of a struct's own field _
}

// group is a set of members that are required together, in place of another set.
type group struct{ keyword, name string }

func (d *deriver) tagger(path string, typ reflect.Type, s object) *tagger {
	return &tagger{d: d, path: path, typ: typ, s: s}
}

func (t *tagger) refuse(advice, reason string, args ...any) {
	t.d.refuse(t.path, advice, reason, args...)
}

// read reads all tags of a field.
func (t *tagger) read(tag reflect.StructTag) {
	t.checkForm(string(tag))
	if text, ok := tag.Lookup("jsonschema_description"); ok {
		t.word("jsonschema_description", "description="+text)
	}
	for _, name := range []string{"jsonschema", "jsonschema_extras"} {
		text, ok := tag.Lookup(name)
		if !ok || text == "" {
			continue
		}
		t.last = ""
		words := splitTag(text)
		for i := 0; i < len(words); i++ {
			word := words[i]
			// JSON may have commas of its own: take as many words as make it whole.
			if _, value, ok := strings.Cut(word, "="); ok && t.isCutJSON(word, value) {
				for n := i + 2; n <= len(words); n++ {
					whole := strings.Join(words[i:n], ",")
					if _, value, _ := strings.Cut(whole, "="); isJSON(value) {
						word, i = whole, n-1
						break
					}
				}
			}
			if t.isStray(word) { // with those that follow, it is one mistake
				n := i + 1
				for n < len(words) && t.isStray(words[n]) {
					n++
				}
				t.stray(name, words[i:n])
				i = n - 1
				continue
			}
			t.word(name, word)
		}
	}
	t.check()
}

// checkForm refuses a tag that [reflect.StructTag] reads only in part, or whose key is nearly one of
// ours: what it says would be lost.
func (t *tagger) checkForm(tag string) {
	for rest := strings.TrimLeft(tag, " "); rest != ""; {
		key, _, next, ok := cutPair(rest)
		if !ok {
			key, after, _ := strings.Cut(rest, ":")
			switch {
			case strings.HasPrefix(key, "json") && strings.HasPrefix(after, `"`) && strings.Contains(after, `\`):
				t.refuse(`write \\ for each backslash, as in jsonschema:"pattern=^\\d+$"`, "the tag `%s` has a backslash that Go cannot read", tag)
			case strings.Contains(rest, "json"):
				t.refuse("write KEY:\"VALUE\", with no space after the colon and one between two", "the tag `%s` is malformed", tag)
			}
			return
		}
		switch plain := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(key, "_", ""), "-", "")); {
		case key == "jsonschema", key == "jsonschema_description", key == "jsonschema_extras":
		case strings.HasPrefix(plain, "jsonschema"):
			t.refuse("write "+nearest(key, []string{"jsonschema", "jsonschema_description", "jsonschema_extras"}), "the tag key %q is unknown", key)
		}
		rest = next
	}
}

// cutPair cuts the first KEY:"VALUE" off a struct tag that begins with no space; false when it does not
// begin with one. The value is as it is written, with its quotes.
func cutPair(tag string) (key, quoted, rest string, ok bool) {
	key, after, ok := strings.Cut(tag, ":")
	quoted, err := strconv.QuotedPrefix(after)
	if !ok || err != nil || key == "" || strings.ContainsAny(key, " \"") {
		return "", "", "", false
	}
	return key, quoted, strings.TrimLeft(after[len(quoted):], " "), true
}

// splitTag splits a tag at the commas that no backslash precedes.
func splitTag(text string) []string {
	if !strings.Contains(text, `\`) {
		return strings.Split(text, ",")
	}
	var words []string
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ',':
			b.WriteByte(',')
			i++
		case text[i] == ',':
			words = append(words, b.String())
			b.Reset()
		default:
			b.WriteByte(text[i])
		}
	}
	return append(words, b.String())
}

// word reads one word of a tag.
func (t *tagger) word(tag, word string) {
	name, value, pair := strings.Cut(word, "=")
	about, known := wordOf(name)
	switch {
	case word == "":
		t.refuse("remove the comma", "the %s tag has a comma with nothing beside it", tag)
	case word == "-":
		t.refuse(`leave the field out of both with json:"-"`,
			"the %s tag hides the field, but the encoder writes it all the same", tag)
	case word == "required":
		t.required = true
	case word == "nullable":
		t.nullable = true
	case pair && known:
		t.last, t.value = name, value
		if t.given[name] && !about.repeats {
			t.refuse("keep one of them", "%s is given twice", name)
			return
		}
		if t.given == nil {
			t.given = make(map[string]bool)
		}
		t.given[name] = true
		t.add(name, value)
	case known && !t.textBefore():
		t.refuse("write "+name+"="+about.sample, "%s in the %s tag has no value", name, tag)
	default:
		t.unknown(tag, word)
	}
}

// textBefore reports whether the last keyword takes any text, so that a comma may have cut it.
func (t *tagger) textBefore() bool {
	switch t.last {
	case "description", "title", "pattern", "$comment":
		return true
	}
	return false
}

// isStray reports whether a word is neither a keyword nor nearly one, but follows a keyword that a
// comma may have cut.
func (t *tagger) isStray(word string) bool {
	if word == "" || strings.Contains(word, "=") || t.last == "" {
		return false
	}
	if about, _ := wordOf(t.last); !t.textBefore() && !about.repeats {
		return false
	}
	bare, all := strings.TrimSpace(word), words()
	return !slices.Contains(all, bare) && (t.textBefore() || nearest(bare, all) == "")
}

// stray refuses what a comma cut off.
func (t *tagger) stray(tag string, cut []string) {
	if t.textBefore() {
		advice := `write ` + t.last + `=` + t.value + `\\,` + strings.Join(cut, `\\,`)
		if t.last == "description" {
			advice += `, or use the tag jsonschema_description`
		}
		t.refuse(advice, "a comma ends the %s in the %s tag, and what follows, %q, is no keyword",
			t.last, tag, strings.Join(cut, ","))
		return
	}
	t.refuse("write "+t.last+"="+t.value+","+t.last+"="+strings.Join(cut, ","+t.last+"="),
		"the %s tag gives %s several values at once", tag, t.last)
}

func (t *tagger) unknown(tag, word string) {
	name, value, pair := strings.Cut(word, "=")
	bare := strings.TrimSpace(name)
	_, known := wordOf(bare)
	known = known || bare == "required" || bare == "nullable"
	all := words()
	near := nearest(bare, all)
	switch {
	case known && bare != name && !t.textBefore():
		t.refuse("write "+strings.TrimSpace(word)+", without the space", "the %s tag has a space beside %s", tag, bare)
	case pair && near != "" && !strings.Contains(bare, " "):
		t.refuse("write "+near+"="+value, "the %s tag has the unknown keyword %q", tag, name)
	case t.textBefore():
		t.stray(tag, []string{word})
	case near != "":
		advice := near
		if k, ok := wordOf(near); ok {
			advice += "=" + k.sample
		}
		t.refuse("write "+advice, "the %s tag has the unknown word %q", tag, word)
	default:
		advice := "the keywords are " + strings.Join(all, ", ")
		t.refuse(advice, "the %s tag has the unknown keyword %q", tag, bare)
	}
}
