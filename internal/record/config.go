package record

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

// LevelTrace is below slog.LevelDebug.
const LevelTrace = slog.Level(-8)

// Format is how records are written.
type Format int

// The formats.
const (
	// JSON is one JSON object a line.
	JSON Format = iota
	// Pretty is for people at a terminal: HH:MM:SS.mmm LEVEL [subsystem] message key=value, in UTC.
	Pretty
)

// Config is what an operator sets. The zero value writes JSON at level info.
type Config struct {
	Level  slog.Level            // the zero value is info
	Levels map[string]slog.Level // per subsystem; a dotted child inherits its parent's
	Format Format
	Color  bool // of Pretty alone
}

// ParseConfig reads KINDGI_LOG_LEVEL, KINDGI_LOG_LEVELS, KINDGI_LOG_FORMAT and NO_COLOR,
// and reports every problem, one error each. An empty variable counts as unset; what is unset or
// wrong keeps its default. terminal tells whether records go to a terminal: format auto, the
// default, is pretty then, and pretty is coloured unless NO_COLOR is set to anything.
func ParseConfig(getenv func(string) string, terminal bool) (Config, []error) {
	var c Config
	var problems []error
	if v := getenv("KINDGI_LOG_LEVEL"); v != "" {
		level, ok := parseLevel(v)
		if ok {
			c.Level = level
		} else {
			problems = append(problems, fmt.Errorf("KINDGI_LOG_LEVEL is %s: it must be %s", show(v), levelChoice))
		}
	}
	levels, more := parseLevels(getenv("KINDGI_LOG_LEVELS"))
	c.Levels, problems = levels, append(problems, more...)
	switch v := getenv("KINDGI_LOG_FORMAT"); v {
	case "", "auto":
		if terminal {
			c.Format = Pretty
		}
	case "json":
	case "pretty":
		c.Format = Pretty
	default:
		problems = append(problems, fmt.Errorf("KINDGI_LOG_FORMAT is %s: it must be auto, json or pretty", show(v)))
	}
	c.Color = c.Format == Pretty && terminal && getenv("NO_COLOR") == ""
	return c, problems
}

// levelChoice names what parseLevel accepts.
const levelChoice = "error, warn, info, debug or trace"

func parseLevel(name string) (slog.Level, bool) {
	switch name {
	case "error":
		return slog.LevelError, true
	case "warn":
		return slog.LevelWarn, true
	case "info":
		return slog.LevelInfo, true
	case "debug":
		return slog.LevelDebug, true
	case "trace":
		return LevelTrace, true
	default:
		return 0, false
	}
}

// parseLevels parses "subsystem=level,…".
func parseLevels(list string) (map[string]slog.Level, []error) {
	const variable = "KINDGI_LOG_LEVELS"
	var levels map[string]slog.Level
	var problems []error
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue // a trailing comma does no harm
		}
		subsystem, name, ok := strings.Cut(item, "=")
		subsystem, name = strings.TrimSpace(subsystem), strings.TrimSpace(name)
		if !ok || subsystem == "" || strings.ContainsAny(subsystem, " \t") {
			problems = append(problems, fmt.Errorf("%s has %s: it must be subsystem=level, such as pack.tool=debug", variable, show(item)))
			continue
		}
		level, ok := parseLevel(name)
		if !ok {
			problems = append(problems, fmt.Errorf("%s gives %s the level %s: it must be %s",
				variable, show(subsystem), show(name), levelChoice))
			continue
		}
		if earlier, twice := levels[subsystem]; twice && earlier != level {
			problems = append(problems, fmt.Errorf("%s gives %s two levels: it must be one", variable, show(subsystem)))
			continue
		}
		if levels == nil {
			levels = make(map[string]slog.Level)
		}
		levels[subsystem] = level
	}
	return levels, problems
}

// show quotes a value for an error, short and without what looks like a secret: people do paste
// one into the wrong variable.
func show(v string) string {
	const limit = 64
	v = redactShapes(v)
	if r := []rune(v); len(r) > limit {
		v = string(r[:limit]) + "…"
	}
	return strconv.Quote(v)
}

// levels decides which records are written.
type levels struct {
	base  slog.Level
	named map[string]slog.Level
	least slog.Level // of all: below it nothing is written, whatever the subsystem
}

func newLevels(c Config) *levels {
	l := &levels{base: c.Level, named: make(map[string]slog.Level, len(c.Levels)), least: c.Level}
	for name, level := range c.Levels {
		l.named[name] = level
		l.least = min(l.least, level)
	}
	return l
}

// of gives the level of a subsystem: its own, or its nearest dotted parent's, or the base.
func (l *levels) of(subsystem string) slog.Level {
	if len(l.named) == 0 {
		return l.base
	}
	for {
		if level, ok := l.named[subsystem]; ok {
			return level
		}
		dot := strings.LastIndexByte(subsystem, '.')
		if dot < 0 {
			return l.base
		}
		subsystem = subsystem[:dot]
	}
}

// levelName gives the level's name: the nearest at or below it, and trace below debug.
func levelName(l slog.Level) string {
	switch {
	case l >= slog.LevelError:
		return "error"
	case l >= slog.LevelWarn:
		return "warn"
	case l >= slog.LevelInfo:
		return "info"
	case l >= slog.LevelDebug:
		return "debug"
	default:
		return "trace"
	}
}
