package schema

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// isDate is the full-date of RFC 3339.
func isDate(b []byte) bool {
	if len(b) != 10 || b[4] != '-' || b[7] != '-' {
		return false
	}
	century, year, month, day := two(b, 0), two(b, 2), two(b, 5), two(b, 8)
	if century < 0 || year < 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	return day <= daysIn(century*100+year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// isTime is the full-time of RFC 3339, with a shorter zone allowed; isISOTime needs no zone.
func isTime(b []byte) bool    { return clock(b, true) }
func isISOTime(b []byte) bool { return clock(b, false) }

func clock(b []byte, needZone bool) bool {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return false
	}
	hour, minute, second := two(b, 0), two(b, 3), two(b, 6)
	if hour < 0 || minute < 0 || second < 0 {
		return false
	}
	b = b[8:]
	if len(b) > 0 && b[0] == '.' {
		n := skipDigits(b, 1)
		if n == 1 {
			return false
		}
		b = b[n:]
	}
	offset, ok := zone(b)
	if !ok || needZone && len(b) == 0 {
		return false
	}
	if hour <= 23 && minute <= 59 && second < 60 {
		return true
	}
	// A leap second is one at the end of a day in UTC.
	utcMinute := minute - offset%60
	utcHour := hour - offset/60
	if utcMinute < 0 {
		utcHour--
	}
	return (utcHour == 23 || utcHour == -1) && (utcMinute == 59 || utcMinute == -1) && second < 61
}

// zone reads nothing, z, +hh, +hhmm or +hh:mm, in minutes.
func zone(b []byte) (offset int, ok bool) {
	switch {
	case len(b) == 0:
		return 0, true
	case b[0]|0x20 == 'z':
		return 0, len(b) == 1
	case b[0] != '+' && b[0] != '-':
		return 0, false
	}
	hours, minutes := two(b, 1), 0
	if hours < 0 || hours > 23 {
		return 0, false
	}
	if rest := b[3:]; len(rest) > 0 {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		if minutes = two(rest, 0); len(rest) != 2 || minutes < 0 || minutes > 59 {
			return 0, false
		}
	}
	offset = hours*60 + minutes
	if b[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// isDateTime is the date-time of RFC 3339; isISODateTime needs no zone.
func isDateTime(b []byte) bool    { return dateTime(b, true) }
func isISODateTime(b []byte) bool { return dateTime(b, false) }

func dateTime(b []byte, needZone bool) bool {
	date, clockTime, ok := cutDateTime(b)
	return ok && isDate(date) && clock(clockTime, needZone)
}

// cutDateTime cuts at the T, or at the white space that stands for it.
func cutDateTime(b []byte) (date, clock []byte, ok bool) {
	if len(b) < 11 {
		return nil, nil, false
	}
	if b[10]|0x20 == 't' {
		return b[:10], b[11:], true
	}
	r, n := utf8.DecodeRune(b[10:])
	for _, s := range whiteSpace {
		if s.low <= r && r <= s.high {
			return b[:10], b[10+n:], true
		}
	}
	return nil, nil, false
}

// The comparisons are those behind formatMinimum and its kin, keywords of ajv-formats. They say false
// when a side is no instant; the limit then admits the value, and format itself refuses it.

func compareDates(a, b []byte) (int, bool) {
	return bytes.Compare(a, b), len(a) > 0 && len(b) > 0
}

func compareTimes(a, b []byte) (int, bool) {
	x, okA := instant([]byte("2020-01-01"), a)
	y, okB := instant([]byte("2020-01-01"), b)
	return x.Compare(y), okA && okB
}

func compareISOTimes(a, b []byte) (int, bool) {
	digits := func(b []byte) []byte {
		n := bytes.IndexAny(b, "zZ+-")
		if n < 0 {
			n = len(b)
		}
		return bytes.ReplaceAll(b[:n], []byte(":"), nil)
	}
	if !lexicalTime(a) || !lexicalTime(b) {
		return 0, false
	}
	return bytes.Compare(digits(a), digits(b)), true
}

// lexicalTime reports whether b has the form of a time, whatever its numbers.
func lexicalTime(b []byte) bool {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' || two(b, 0) < 0 || two(b, 3) < 0 || two(b, 6) < 0 {
		return false
	}
	b = b[8:]
	if len(b) > 0 && b[0] == '.' {
		n := skipDigits(b, 1)
		if n == 1 {
			return false
		}
		b = b[n:]
	}
	_, ok := zone(b)
	return ok
}

func compareDateTimes(a, b []byte) (int, bool) {
	x, okA := parseInstant(a)
	y, okB := parseInstant(b)
	return x.Compare(y), okA && okB
}

func compareISODateTimes(a, b []byte) (int, bool) {
	dateA, timeA, okA := cutDateTime(a)
	dateB, timeB, okB := cutDateTime(b)
	if !okA || !okB {
		return 0, false
	}
	if c := bytes.Compare(dateA, dateB); c != 0 {
		return c, true
	}
	return compareTimes(timeA, timeB)
}

func parseInstant(b []byte) (time.Time, bool) {
	date, clock, ok := cutDateTime(b)
	if !ok {
		return time.Time{}, false
	}
	return instant(date, clock)
}

// instant gives a date and a time of day to the millisecond, as JavaScript's Date does. It knows no leap
// second.
func instant(date, clockTime []byte) (time.Time, bool) {
	if !isDate(date) || !clock(clockTime, false) || two(clockTime, 6) > 59 {
		return time.Time{}, false
	}
	rest := clockTime[8:]
	milliseconds := 0
	if len(rest) > 0 && rest[0] == '.' {
		n := skipDigits(rest, 1)
		for i := range 3 {
			milliseconds *= 10
			if 1+i < n {
				milliseconds += int(rest[1+i] - '0')
			}
		}
		rest = rest[n:]
	}
	offset, _ := zone(rest)
	t := time.Date(two(date, 0)*100+two(date, 2), time.Month(two(date, 5)), two(date, 8),
		two(clockTime, 0), two(clockTime, 3)-offset, two(clockTime, 6), milliseconds*1e6, time.UTC)
	return t, true
}

// formatLimit is formatMinimum, formatMaximum or one of their exclusive forms.
type formatLimit struct {
	keyword string
	limit   string
	format  *format
	source  *value
}

// comparison gives what the limit demands, as Ajv writes it.
func (l *formatLimit) comparison() string {
	switch l.keyword {
	case "formatMaximum":
		return "<="
	case "formatMinimum":
		return ">="
	case "formatExclusiveMaximum":
		return "<"
	}
	return ">"
}

func (l *formatLimit) admits(text []byte) bool {
	c, ok := l.format.compare(text, []byte(l.limit))
	if !ok {
		return true
	}
	switch l.keyword {
	case "formatMaximum":
		return c <= 0
	case "formatMinimum":
		return c >= 0
	case "formatExclusiveMaximum":
		return c < 0
	}
	return c > 0
}
