package record

import (
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// maxDepth is how many objects and arrays may stand inside one another below the record itself.
	maxDepth = 8

	// maxRecord bounds what the values of one record may add up to: a value that refers to the same
	// object many times over would grow without end. Strings are never cut, so that no part of a
	// secret is left at the cut.
	maxRecord = 1 << 20
)

// What stands in place of a value.
const (
	redacted = "[redacted]"
	tooDeep  = "[too deep]"
	circular = "[circular]"
	tooLarge = "[too large]"
)

// encoder appends JSON to a buffer. One is used by one goroutine at a time.
type encoder struct {
	buf     []byte
	out     []byte      // a second buffer, for the passes over a whole record
	attrs   []slog.Attr // the attributes of the groups being written, resolved: a stack
	used    int         // how high that stack grew
	path    []visit     // what a value being written is inside of
	depth   int         // objects and arrays open below the record
	stacks  bool        // whether errors show their stacks
	stacked bool        // whether one had a stack to show
	renamed int         // object keys changed by redaction so far
}

var encoders = sync.Pool{New: func() any { return &encoder{buf: make([]byte, 0, 1024)} }}

func getEncoder() *encoder {
	e, _ := encoders.Get().(*encoder)
	e.buf, e.depth, e.stacks, e.stacked, e.renamed = e.buf[:0], 0, false, false, 0
	return e
}

func putEncoder(e *encoder) {
	if cap(e.buf) > keptBuffer || cap(e.out) > keptBuffer || cap(e.attrs) > 1024 {
		return
	}
	clear(e.attrs[:e.used]) // hold no value of an author's
	e.attrs, e.used, e.path = e.attrs[:0], 0, e.path[:0]
	encoders.Put(e)
}

// begin opens a record and writes what every record has.
func (e *encoder) begin(t time.Time, level slog.Level, subsystem, message string) {
	e.head(t, level, subsystem)
	e.buf = append(e.buf, `,"message":`...)
	e.buf = appendString(e.buf, message)
}

// head opens a record and writes what comes before its message. A zero time is left out, as slog asks.
func (e *encoder) head(t time.Time, level slog.Level, subsystem string) {
	e.buf = append(e.buf, '{')
	if !t.IsZero() {
		e.buf = append(e.buf, `"time":"`...)
		e.buf = appendTime(e.buf, t)
		e.buf = append(e.buf, `",`...)
	}
	switch name := levelName(level); name {
	case "error":
		e.buf = append(e.buf, `"level":"error","severity":"ERROR"`...)
	case "warn":
		e.buf = append(e.buf, `"level":"warn","severity":"WARNING"`...)
	case "info":
		e.buf = append(e.buf, `"level":"info","severity":"INFO"`...)
	case "debug":
		e.buf = append(e.buf, `"level":"debug","severity":"DEBUG"`...)
	default:
		e.buf = append(e.buf, `"level":"trace","severity":"DEBUG"`...)
	}
	e.buf = append(e.buf, `,"subsystem":`...)
	e.buf = appendString(e.buf, subsystem)
}

// ids writes the ids that are known. A tool given beside them stands in place of their own.
func (e *encoder) ids(ids *IDs, tool string) {
	if ids == nil {
		if tool != "" {
			e.buf = append(e.buf, `,"toolId":`...)
			e.buf = appendString(e.buf, tool)
		}
		return
	}
	values := ids.values()
	if tool != "" {
		values[toolID] = tool
	}
	buf := e.buf
	for i := range values {
		if values[i] == "" {
			continue
		}
		buf = append(buf, ',', '"')
		buf = append(buf, idNames[i]...)
		buf = append(buf, '"', ':')
		buf = appendString(buf, shortID(values[i]))
	}
	e.buf = buf
}

// maxID bounds, in bytes, what a record shows of an id. Ids are the caller's: one may be as long as
// the message that it came in, and each record of the call has it.
const maxID = 1 << 10

// shortID cuts an id after maxID bytes, between characters.
func shortID(id string) string {
	if len(id) <= maxID {
		return id
	}
	n := maxID
	for n > 0 && !utf8.RuneStart(id[n]) {
		n--
	}
	return id[:n] + "…"
}

// event writes the name of an event.
func (e *encoder) event(name string) {
	e.buf = append(e.buf, `,"kind":`...)
	e.buf = appendString(e.buf, name)
	e.buf = append(e.buf, `,"event":`...)
	e.buf = appendString(e.buf, name)
}

// comma separates from what stands before in the same object or array.
func (e *encoder) comma() {
	if c := e.buf[len(e.buf)-1]; c != '{' && c != '[' && c != ':' && c != ',' {
		e.buf = append(e.buf, ',')
	}
}

// key begins a member of the open object.
func (e *encoder) key(name string) {
	e.comma()
	if _, shaped := inspect(name); shaped {
		if shown := redactShapes(name); shown != name {
			name = e.rename(shown)
		}
	}
	e.buf = appendString(e.buf, name)
	e.buf = append(e.buf, ':')
}

// rename makes a name that was redacted unlike others: names that differed may look alike now.
func (e *encoder) rename(shown string) string {
	if e.renamed++; e.renamed > 1 {
		shown += " (" + strconv.Itoa(e.renamed) + ")"
	}
	return shown
}

func (e *encoder) string(s string) { e.buf = appendString(e.buf, s) }

// full tells whether the record has grown past its bound.
func (e *encoder) full() bool { return len(e.buf) > maxRecord }

func appendUint(dst []byte, n uint64) []byte { return strconv.AppendUint(dst, n, 10) }
func appendInt(dst []byte, n int64) []byte   { return strconv.AppendInt(dst, n, 10) }

// appendFloat writes a number as ECMA-262 and encoding/json do, and as a string what JSON has no number for.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		dst = append(dst, '"')
		dst = strconv.AppendFloat(dst, f, 'g', -1, bits)
		return append(dst, '"')
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, bits)
}

// appendTime writes RFC 3339 in UTC with milliseconds.
func appendTime(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, "2006-01-02T15:04:05.000Z")
	}
	hour, minute, second := t.Clock()
	ms := t.Nanosecond() / int(time.Millisecond)
	return append(dst,
		digit(year/1000), digit(year/100), digit(year/10), digit(year), '-',
		digit(int(month)/10), digit(int(month)), '-', digit(day/10), digit(day), 'T',
		digit(hour/10), digit(hour), ':', digit(minute/10), digit(minute), ':', digit(second/10), digit(second), '.',
		digit(ms/100), digit(ms/10), digit(ms), 'Z')
}

func digit(n int) byte { return '0' + byte(n%10) }

// What a byte of a string may need.
const (
	plain   = iota
	escape  // to be escaped in JSON, or to be checked as UTF-8
	trigger // it may end what redactShapes looks for
	both
	atSign // it may end a URL's password
)

var classes = func() (c [256]uint8) {
	for i := range 0x20 {
		c[i] = escape
	}
	for i := utf8.RuneSelf; i < 256; i++ {
		c[i] = escape
	}
	c['"'], c['\\'] = escape, escape
	c['\t'], c['\n'], c['\r'], c['\v'], c['\f'] = both, both, both, both, both // white space after "Bearer"
	c[' '], c['_'], c['@'] = trigger, trigger, atSign
	return c
}()

// appendString writes a JSON string, redacted by shape.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = appendText(dst, s)
	return append(dst, '"')
}

// appendText writes what is between the quotes of a JSON string, redacted by shape.
func appendText(dst []byte, s string) []byte {
	asIs, shaped := inspect(s)
	if shaped {
		s = redactShapes(s)
	} else if asIs {
		return append(dst, s...)
	}
	return escapeText(dst, s)
}

// inspect tells, in one pass, whether JSON can hold s as it is, and whether it may hold something
// that is redacted by shape. Most strings are the one and not the other.
func inspect(s string) (asIs, shaped bool) {
	asIs = true
	at := false
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && allPlain(load8(s[i:])) {
			i += 8
		}
		if i == len(s) {
			break
		}
		switch classes[s[i]] {
		case plain:
		case escape:
			asIs = false
		case both:
			asIs = false
			fallthrough
		case trigger:
			if triggers(s, i) {
				return asIs, true
			}
		case atSign:
			at = true
		}
	}
	return asIs, at && strings.Contains(s, "://")
}

// load8 gives the first eight bytes of s, which has as many.
func load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// allPlain tells that each of eight bytes is of the class plain. It may take a few that are for ones that
// are not: the classes decide then.
func allPlain(x uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	low := x - ones*0x23                           // a byte below: control characters, space, !, "
	at := x ^ ones*'@'                             //
	tail := (x & (ones * 0xfc)) ^ ones*('\\'&0xfc) // a backslash, ], ^ or _
	return (low|(at-ones)&^at|(tail-ones)&^tail|x)&highs == 0
}

// appendEscaped writes a JSON string as it is.
func appendEscaped(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = escapeText(dst, s)
	return append(dst, '"')
}

// escapeText writes what is between the quotes of a JSON string. Only what must be is escaped; what
// is not UTF-8 becomes U+FFFD.
func escapeText(dst []byte, s string) []byte {
	dst = slices.Grow(dst, len(s))
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + 1
			}
			i += size
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
		i++
		from = i
	}
	return append(dst, s[from:]...)
}
