package record

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// The colours of a terminal (ECMA-48, SGR).
const (
	colorReset = "\x1b[0m"
	colorDim   = "\x1b[2m"
)

func levelColor(name string) string {
	switch name {
	case "ERROR":
		return "\x1b[31m"
	case "WARN":
		return "\x1b[33m"
	case "INFO":
		return "\x1b[32m"
	default:
		return "\x1b[36m"
	}
}

// pretty turns the JSON record in e.buf into a line for people:
//
//	HH:MM:SS.mmm LEVEL [subsystem] message key=value
//
// It is made of the finished record, so that it holds nothing that the record does not. The stack of an
// error follows on lines of its own. Nothing in it can move a terminal's cursor.
func (e *encoder) pretty(color bool) {
	p := printer{out: e.out[:0], color: color}
	for name, value := range members(e.buf) {
		p.member(name, value)
	}
	for _, stack := range p.stacks {
		for line := range strings.SplitSeq(stack, "\n") {
			p.out = append(p.out, "\n    "...)
			p.out = printable(p.out, strings.ReplaceAll(line, "\t", "    "))
		}
	}
	e.buf, e.out = p.out, e.buf
}

type printer struct {
	out    []byte
	color  bool
	stacks []string
}

func (p *printer) member(name string, value []byte) {
	switch name {
	case "time":
		if text := unquote(value); len(text) >= len("2006-01-02T15:04:05.000") {
			p.paint(colorDim, text[len("2006-01-02T"):len(text)-1])
		}
	case "level":
		text := strings.ToUpper(unquote(value))
		p.space()
		p.paint(levelColor(text), text)
	case "severity": // the level says it
	case "subsystem":
		p.space()
		p.out = append(p.out, '[')
		p.out = printable(p.out, unquote(value))
		p.out = append(p.out, ']')
	case "message":
		p.space()
		p.out = printable(p.out, unquote(value))
	default:
		p.space()
		var key []byte
		key = printable(key, name)
		p.paint(colorDim, string(key)+"=")
		p.value(value)
	}
}

func (p *printer) space() {
	if len(p.out) > 0 {
		p.out = append(p.out, ' ')
	}
}

func (p *printer) paint(color, text string) {
	if p.color {
		text = color + text + colorReset
	}
	p.out = append(p.out, text...)
}

// value writes a value: a word as it is, all else as JSON.
func (p *printer) value(value []byte) {
	switch value[0] {
	case '"':
		text := unquote(value)
		if text == "" || strings.ContainsFunc(text, func(r rune) bool {
			return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`"\=`, r)
		}) {
			p.out = printable(p.out, string(value))
			return
		}
		p.out = append(p.out, text...)
	case '{':
		p.out = append(p.out, '{')
		first := true
		for name, inner := range members(value) {
			if name == "stack" && inner[0] == '"' {
				p.stacks = append(p.stacks, unquote(inner))
				continue
			}
			if !first {
				p.out = append(p.out, ',')
			}
			first = false
			p.out = printable(p.out, string(appendEscaped(nil, name)))
			p.out = append(p.out, ':')
			if inner[0] == '{' {
				p.value(inner)
			} else {
				p.out = printable(p.out, string(inner))
			}
		}
		p.out = append(p.out, '}')
	default:
		p.out = printable(p.out, string(value))
	}
}

// printable writes text with what no terminal should get escaped.
func printable(dst []byte, text string) []byte {
	for _, r := range text {
		switch {
		case unicode.IsPrint(r):
			dst = append(dst, string(r)...)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r > 0xffff:
			dst = fmt.Appendf(dst, `\U%08x`, r)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return dst
}

// unquote gives what a JSON string stands for.
func unquote(token []byte) string {
	if bytes.IndexByte(token, '\\') < 0 {
		return string(token[1 : len(token)-1])
	}
	return string(view{text: token[1 : len(token)-1]}.unescape(false).text)
}

// members gives the members of a JSON object that the encoder wrote, in order.
func members(object []byte) func(yield func(name string, value []byte) bool) {
	return func(yield func(string, []byte) bool) {
		rest := object[1:]
		for len(rest) > 1 && rest[0] != '}' {
			if rest[0] == ',' {
				rest = rest[1:]
			}
			size := tokenSize(rest)
			name := unquote(rest[:size])
			rest = rest[size+1:]
			size = valueSize(rest)
			if !yield(name, rest[:size]) {
				return
			}
			rest = rest[size:]
		}
	}
}

// valueSize gives the size of the JSON value that b begins with.
func valueSize(b []byte) int {
	depth := 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case 't', 'n': // true, null
			i += 3
		case 'f':
			i += 4
		}
		i += tokenSize(b[i:])
		if depth == 0 {
			return i
		}
	}
	return len(b)
}
