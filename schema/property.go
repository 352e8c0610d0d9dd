package schema

import (
	"strings"
	"sync"
	"unicode"
)

// property reads {Name} or {Name=Value} after \p and gives its characters.
func (p *ecma) property() (set, error) {
	if !p.take("{") {
		return nil, p.fail(`\p needs {Name}`)
	}
	end := strings.IndexByte(p.source[p.at:], '}')
	if end < 0 {
		return nil, p.fail(`\p needs {Name}`)
	}
	text := p.source[p.at : p.at+end]
	p.at += end + 1
	name, argument, has := strings.Cut(text, "=")
	if has {
		switch name {
		case "General_Category", "gc":
			if s, ok := category(argument); ok {
				return s, nil
			}
		case "Script", "sc":
			if t, ok := unicode.Scripts[argument]; ok {
				return tableSet(t), nil
			}
			if long, ok := scriptNames()[argument]; ok {
				return tableSet(unicode.Scripts[long]), nil
			}
		case "Script_Extensions", "scx":
			return nil, p.fail("\\p{%s} is not supported; use Script=", text)
		}
		return nil, p.fail("unknown property \\p{%s}", text)
	}
	if s, ok := category(name); ok {
		return s, nil
	}
	if s, ok := binaryProperty(name); ok {
		return s, nil
	}
	return nil, p.fail("unknown or unsupported property \\p{%s}; list the characters instead", text)
}

// category gives the characters of a general category, by its short or long name.
func category(name string) (set, bool) {
	switch name {
	case "Any":
		return set(nil).negate(), true
	case "LC", "Cased_Letter":
		return union(unicode.Lu, unicode.Ll, unicode.Lt), true
	case "Cn", "Unassigned":
		return assigned().negate(), true
	case "C", "Other":
		return assigned().negate().with(tableSet(unicode.C)), true
	}
	if short, ok := categoryNames()[name]; ok {
		name = short
	}
	t, ok := unicode.Categories[name]
	if !ok || len(name) > 2 {
		return nil, false
	}
	return tableSet(t), true
}

// assigned gives the characters that Unicode has assigned.
func assigned() set {
	return union(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

// binaryProperty gives the characters of a binary property (Unicode Standard Annex 44).
func binaryProperty(name string) (set, bool) {
	p := unicode.Properties
	switch name {
	case "ASCII":
		return set{{0, 0x7f}}, true
	case "Assigned":
		return assigned(), true
	case "Alphabetic", "Alpha":
		return union(unicode.Lu, unicode.Ll, unicode.Lt, unicode.Lm, unicode.Lo, unicode.Nl, p["Other_Alphabetic"]), true
	case "Uppercase", "Upper":
		return union(unicode.Lu, p["Other_Uppercase"]), true
	case "Lowercase", "Lower":
		return union(unicode.Ll, p["Other_Lowercase"]), true
	case "Math":
		return union(unicode.Sm, p["Other_Math"]), true
	case "ID_Start", "IDS":
		return idStart(), true
	case "ID_Continue", "IDC":
		return idStart().with(union(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, p["Other_ID_Continue"])).without(patternCharacters()), true
	}
	if long, ok := propertyNames()[name]; ok {
		name = long
	}
	if strings.HasPrefix(name, "Other_") {
		return nil, false
	}
	t, ok := p[name]
	if !ok {
		return nil, false
	}
	return tableSet(t), true
}

func idStart() set {
	return union(unicode.L, unicode.Nl, unicode.Properties["Other_ID_Start"]).without(patternCharacters())
}

func patternCharacters() set {
	return union(unicode.Properties["Pattern_Syntax"], unicode.Properties["Pattern_White_Space"])
}

// propertyNames has the short names of the binary properties that Go has tables for.
var propertyNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"AHex": "ASCII_Hex_Digit", "Bidi_C": "Bidi_Control", "Dep": "Deprecated", "Dia": "Diacritic",
		"Ext": "Extender", "Hex": "Hex_Digit", "IDSB": "IDS_Binary_Operator", "IDST": "IDS_Trinary_Operator",
		"Ideo": "Ideographic", "Join_C": "Join_Control", "LOE": "Logical_Order_Exception",
		"NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space",
		"QMark": "Quotation_Mark", "Radical": "Radical", "RI": "Regional_Indicator", "SD": "Soft_Dotted",
		"STerm": "Sentence_Terminal", "Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph",
		"VS": "Variation_Selector", "space": "White_Space",
	}
})

// categoryNames has the long names of the general categories.
var categoryNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
		"Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
		"Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
		"Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
		"Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
		"Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
		"Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
		"Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co",
	}
})

// scriptNames has the short names of the scripts in wide use (ISO 15924).
var scriptNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Bopo": "Bopomofo", "Cher": "Cherokee", "Copt": "Coptic",
		"Cyrl": "Cyrillic", "Deva": "Devanagari", "Ethi": "Ethiopic", "Geor": "Georgian", "Grek": "Greek", "Gujr": "Gujarati",
		"Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han", "Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana",
		"Khmr": "Khmer", "Knda": "Kannada", "Laoo": "Lao", "Latn": "Latin", "Mlym": "Malayalam", "Mong": "Mongolian",
		"Mymr": "Myanmar", "Orya": "Oriya", "Sinh": "Sinhala", "Syrc": "Syriac", "Taml": "Tamil", "Telu": "Telugu",
		"Thaa": "Thaana", "Thai": "Thai", "Tibt": "Tibetan", "Zinh": "Inherited", "Qaai": "Inherited", "Zyyy": "Common",
	}
})

// tableSet gives the characters of a table.
func tableSet(t *unicode.RangeTable) set { return union(t) }

// union gives the characters of any of the tables.
func union(tables ...*unicode.RangeTable) set {
	var s set
	add := func(low, high, stride rune) {
		if stride == 1 {
			s = append(s, span32{low, high})
			return
		}
		for r := low; r <= high; r += stride {
			s = append(s, span32{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return s.normal()
}

func (s set) with(t set) set {
	return append(append(set(nil), s...), t...).normal()
}

func (s set) without(t set) set {
	return s.negate().with(t).negate()
}
