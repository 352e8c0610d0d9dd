package packtest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds how deep a generated value nests where its schema has no end.
const maxDepth = 6

// generator makes values that a schema may admit. It knows the keywords that derived
// schemas are made of; the schema itself is the judge of what comes out.
type generator struct {
	random *rand.Rand
	root   map[string]any
}

// value makes a value for a schema.
func (g *generator) value(s any, depth int) any {
	m, ok := s.(map[string]any)
	if !ok {
		return g.anything(depth)
	}
	if ref, ok := m["$ref"].(string); ok {
		return g.value(g.resolve(ref), depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := m[keyword].([]any); ok && len(branches) > 0 {
			return g.value(branches[g.random.IntN(len(branches))], depth+1)
		}
	}
	if values, ok := m["enum"].([]any); ok && len(values) > 0 {
		return values[g.random.IntN(len(values))]
	}
	if v, ok := m["const"]; ok {
		return v
	}
	if examples, ok := m["examples"].([]any); ok && len(examples) > 0 && g.random.IntN(4) == 0 {
		return examples[g.random.IntN(len(examples))]
	}
	switch g.kind(m["type"]) {
	case "null":
		return nil
	case "boolean":
		return g.random.IntN(2) == 0
	case "integer":
		return jsontext.Value(strconv.FormatFloat(g.number(m, true), 'f', 0, 64))
	case "number":
		return g.number(m, false)
	case "string":
		return g.text(m)
	case "array":
		return g.list(m, depth)
	case "object":
		return g.object(m, depth)
	}
	return g.anything(depth)
}

// kind chooses one of a schema's types.
func (g *generator) kind(t any) string {
	switch t := t.(type) {
	case string:
		return t
	case []any:
		if len(t) > 0 {
			name, _ := t[g.random.IntN(len(t))].(string)
			return name
		}
	}
	return ""
}

// resolve finds a definition of the document.
func (g *generator) resolve(ref string) any {
	var at any = g.root
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		m, ok := at.(map[string]any)
		if !ok || name == "" {
			return at
		}
		at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return at
}

func (g *generator) anything(depth int) any {
	switch g.random.IntN(6) {
	case 0:
		return nil
	case 1:
		return g.random.IntN(2) == 0
	case 2:
		return g.random.IntN(2000) - 1000
	case 3:
		if depth < maxDepth {
			return []any{g.anything(depth + 1)}
		}
	case 4:
		if depth < maxDepth {
			return map[string]any{"k": g.anything(depth + 1)}
		}
	}
	return g.words()
}

// number makes a number within a schema's limits, often one of them.
func (g *generator) number(m map[string]any, whole bool) float64 {
	low, hasLow := limit(m, "minimum", "exclusiveMinimum")
	high, hasHigh := limit(m, "maximum", "exclusiveMaximum")
	switch {
	case !hasLow && !hasHigh:
		low, high = -1000, 1000
	case !hasLow:
		low = high - 1000
	case !hasHigh:
		high = low + 1000
	}
	switch g.random.IntN(4) {
	case 0:
		return low
	case 1:
		return high
	}
	n := low + g.random.Float64()*min(high-low, 1e6)
	if whole {
		n = float64(int64(n))
	}
	return n
}

func limit(m map[string]any, keywords ...string) (float64, bool) {
	for _, keyword := range keywords {
		if n, ok := m[keyword].(float64); ok {
			return n, true
		}
	}
	return 0, false
}

// size chooses a length within two keywords' limits.
func (g *generator) size(m map[string]any, least, most string) int {
	low, _ := limit(m, least)
	high, ok := limit(m, most)
	if !ok {
		high = low + 3
	}
	return int(low) + g.random.IntN(int(min(high-low, 50))+1)
}

// samples are texts of the formats that Go types encode to.
var samples = map[string]string{
	"date-time": "2026-01-31T12:30:45Z", "date": "2026-01-31", "time": "12:30:45Z", "duration": "PT1H30M",
	"email": "ada@example.com", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.com/a", "uri-reference": "/a?b=c", "url": "https://example.com/",
	"uuid": "f6c8a374-b63c-5453-8320-1ca9c067447a", "json-pointer": "/a/0", "regex": "^a+$",
}

func (g *generator) text(m map[string]any) string {
	if format, ok := m["format"].(string); ok {
		if format == "byte" {
			return base64.StdEncoding.EncodeToString([]byte(g.words()))
		}
		if sample, ok := samples[format]; ok {
			return sample
		}
	}
	if pattern, ok := m["pattern"].(string); ok {
		if re, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			var b strings.Builder
			g.match(&b, re.Simplify())
			return b.String()
		}
	}
	n := g.size(m, "minLength", "maxLength")
	text := []rune(g.words())
	for len(text) < n {
		text = append(text, []rune(g.words())...)
	}
	return string(text[:n])
}

// words are texts that find mistakes: empty, spaced, quoted, beyond ASCII.
func (g *generator) words() string {
	all := []string{"", "a", "hello", "with space", "\"quoted\" \\ /", "line\nbreak", "é", "日本語", "😀", "<b>&amp;</b>", "0", "null"}
	return all[g.random.IntN(len(all))]
}

// match writes a text that a regular expression matches; what it cannot is left out.
func (g *generator) match(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) > 1 {
			i := g.random.IntN(len(re.Rune)/2) * 2
			b.WriteRune(re.Rune[i] + rune(g.random.IntN(int(min(re.Rune[i+1]-re.Rune[i], 94))+1)))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(byte('a' + g.random.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.match(b, sub)
		}
	case syntax.OpAlternate:
		g.match(b, re.Sub[g.random.IntN(len(re.Sub))])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		least, most := 0, 3
		if re.Op == syntax.OpPlus {
			least = 1
		}
		if re.Op == syntax.OpQuest {
			most = 1
		}
		for range least + g.random.IntN(most-least+1) {
			g.match(b, re.Sub[0])
		}
	}
}

func (g *generator) list(m map[string]any, depth int) []any {
	list := []any{}
	prefix, _ := m["prefixItems"].([]any)
	for _, s := range prefix {
		list = append(list, g.value(s, depth+1))
	}
	if m["items"] == false {
		return list
	}
	n := g.size(m, "minItems", "maxItems")
	if low, _ := limit(m, "minItems"); depth >= maxDepth {
		n = int(low)
	}
	for len(list) < n {
		list = append(list, g.value(m["items"], depth+1))
	}
	return list
}

func (g *generator) object(m map[string]any, depth int) map[string]any {
	object := map[string]any{}
	required := map[string]bool{}
	names, _ := m["required"].([]any)
	for _, name := range names {
		required[fmt.Sprint(name)] = true
	}
	properties, _ := m["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		if required[name] || depth < maxDepth && g.random.IntN(2) == 0 {
			object[name] = g.value(properties[name], depth+1)
		}
	}
	if more, ok := m["additionalProperties"].(map[string]any); ok && depth < maxDepth {
		for range g.random.IntN(3) {
			name, _ := g.value(orSchema(m["propertyNames"]), depth+1).(string)
			if _, taken := properties[name]; !taken {
				object[name] = g.value(more, depth+1)
			}
		}
	}
	return object
}

// orSchema gives the schema of names: that of the keyword, as text.
func orSchema(names any) any {
	text := map[string]any{"type": "string"}
	if m, ok := names.(map[string]any); ok {
		for keyword, value := range m {
			text[keyword] = value
		}
	}
	return text
}
