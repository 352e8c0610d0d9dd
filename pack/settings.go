package pack

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/kindgi/kindgi-go/internal/environ"
	"github.com/kindgi/kindgi-go/internal/record"
)

// The environment variables that set up the process.
const (
	envToken          = "KINDGI_PACK_SERVICE_TOKEN"
	envIndex          = "KINDGI_PACK_INDEX"
	envPort           = "PORT"
	envMaxConcurrency = "KINDGI_PACK_SERVICE_MAX_CONCURRENCY"
	envEnvCheck       = "KINDGI_PACK_ENV_CHECK"
	envEnvFilter      = "KINDGI_PACK_ENV_FILTER"
	envTenantID       = "KINDGI_PACK_TENANT_ID"
	envLogLevel       = "KINDGI_LOG_LEVEL"
	envLogLevels      = "KINDGI_LOG_LEVELS"
	envLogFormat      = "KINDGI_LOG_FORMAT"
	envNoColor        = "NO_COLOR"
)

const defaultPort = 8080

// settings is what an operator sets for the process that serves.
type settings struct {
	index   string // a path; "" for the compiled-in index
	host    string // "" for every interface
	port    int
	filter  bool
	log     record.Config
	options Options

	misspelt []misspelling // what looks like a setting and is none
}

// setting is an environment variable that sets up the process.
type setting struct {
	name string
	help string // what it sets, its unit and its default
}

// serviceSettings lists the settings in the order in which help shows them.
func serviceSettings() []setting {
	return []setting{
		{envToken, "the token that callers send: printable ASCII without spaces (required)"},
		{envPort, "the port, 0 to 65535; 0 picks a free one (default " + strconv.Itoa(defaultPort) + ")"},
		{envIndex, "the index file, when --index names none (default: the compiled-in index)"},
		{envMaxConcurrency, "how many calls run at once, 1 or more; the next are answered 503 (default " + strconv.Itoa(DefaultMaxConcurrency) + ")"},
		{envTenantID, "the only tenant that is served (default: every one)"},
		{envEnvCheck, "strict: not ready while the pack's required variables are unset; warn: ready all the same (default strict)"},
		{envEnvFilter, "on: variables that the pack does not declare are removed; off: they stay (default on)"},
		{envLogLevel, "the least level that is written: error, warn, info, debug or trace (default info)"},
		{envLogLevels, "levels of subsystems, such as pack.tool=debug,pack=warn (default: none of their own)"},
		{envLogFormat, "json, pretty, or auto: pretty on a terminal, else json (default auto)"},
		{envNoColor, "set to anything: no colours on a terminal"},
	}
}

// serveFlags declares the flags of serve.
func serveFlags(s *settings, b *Builder, p program) *flag.FlagSet {
	f := newFlags(p, help{
		command: "[serve]",
		summary: "Serve the pack over HTTP until SIGTERM or SIGINT, which drain it: calls under way have 8 s to finish. Without a command, this is what a pack does.",
		after:   func(w io.Writer) { printVariables(w, b) },
	})
	f.StringVar(&s.index, "index", "", "serve the index in `FILE` (default "+envIndex+", else the compiled-in index)")
	f.StringVar(&s.host, "host", "", "listen on this `ADDRESS` (default: every interface)")
	f.String("module-root", "", "a `DIR` that other pack services need; not used: a Go pack's modules are compiled in")
	return f
}

// readEnv reads the settings that the environment holds and checks all of them. It gives
// every problem, each naming the setting; none shows the token. The token is gone from the
// environment after it.
func (s *settings) readEnv(getenv func(string) string) (problems []string, warning error) {
	fail := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }

	s.misspelt = misspellings(os.Environ(), getenv)
	token, _, warning := environ.Take(envToken)
	s.options.Token = strings.TrimSpace(token)
	if err := checkToken(s.options.Token); err != nil {
		fail("%s: %v%s", envToken, err, s.tokenHint())
	}
	if s.index == "" {
		s.index = getenv(envIndex)
	}
	if s.host != "" {
		if err := checkHost(s.host); err != nil {
			fail("--host: %v", err)
		}
	}
	s.port = defaultPort
	if v := getenv(envPort); v != "" {
		port, ok := digits(v)
		if !ok || port > 65535 {
			fail("%s is %q: it must be a number from 0 to 65535", envPort, v)
		}
		s.port = port
	}
	if v := getenv(envMaxConcurrency); v != "" {
		n, ok := digits(v)
		if !ok || n < 1 {
			fail("%s is %q: it must be a positive integer, such as 32", envMaxConcurrency, v)
		}
		s.options.MaxConcurrency = n
	}
	s.options.EnvCheck = EnvStrict
	switch v := getenv(envEnvCheck); v {
	case "", string(EnvStrict):
	case string(EnvWarn):
		s.options.EnvCheck = EnvWarn
	default:
		fail("%s is %q: it must be strict or warn", envEnvCheck, v)
	}
	s.filter = true
	switch v := getenv(envEnvFilter); v {
	case "", "on":
	case "off":
		s.filter = false
	default:
		fail("%s is %q: it must be on or off", envEnvFilter, v)
	}
	s.options.TenantID = getenv(envTenantID)

	var errs []error
	s.log, errs = record.ParseConfig(getenv, isTerminal(os.Stderr))
	for _, err := range errs {
		fail("%v", err)
	}
	return problems, warning
}

// tokenHint follows what is said of a token that is missing with the names it may have been
// given.
func (s *settings) tokenHint() string {
	var near []string
	for _, m := range s.misspelt {
		if m.meant == envToken {
			near = append(near, m.name)
		}
	}
	if len(near) == 0 {
		return ""
	}
	return " (" + orList(near) + " is set: was this one meant?)"
}

// digits reads a number written in decimal digits alone.
func digits(s string) (int, bool) {
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// checkHost reports why nothing can listen on an address.
func checkHost(host string) error {
	if _, err := netip.ParseAddr(host); err != nil {
		if _, err := net.LookupHost(host); err != nil {
			reason := err
			if dns, ok := errors.AsType[*net.DNSError](err); ok {
				reason = errors.New(dns.Err)
			}
			return fmt.Errorf("%q is neither an IP address nor the name of one: %w", host, reason)
		}
	}
	// Whether an address is this machine's shows when one binds to it. A datagram socket
	// does that without listening to anybody.
	probe, err := net.ListenPacket("udp", net.JoinHostPort(host, "0"))
	switch {
	case err == nil:
		_ = probe.Close() // nothing was sent
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%q is not an address of this machine", host)
	}
	return nil // what else is wrong, listening will tell
}
